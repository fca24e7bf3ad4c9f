"""From a choice to the folder of its stack: what is built, how each cloud writes it, and how it reaches the disk."""
