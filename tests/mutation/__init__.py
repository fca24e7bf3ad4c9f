"""Rules with one comparison or condition changed, and whether the tests notice."""
