"""Small mistakes in a stack, one at a time, and whether `preview` and `check` catch them before any money is spent."""
