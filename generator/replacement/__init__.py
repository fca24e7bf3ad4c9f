"""What an update of a stack that exists replaces, by which input, and what is lost with it."""
