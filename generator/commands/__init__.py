"""One command of `trainform`, one file: its options, what it calls and prints. `cli.py` finds them by file name."""
