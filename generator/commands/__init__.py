"""One command of `trainform`, one file: its options, what it calls, what it prints. `cli.py` finds them by file name."""
