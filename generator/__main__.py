"""`python -m generator` is `trainform`."""

from generator.cli import main

main()
