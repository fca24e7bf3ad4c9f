"""One profile for hypothesis: the same examples everywhere, and no clock; the engine's lines at the end of a run."""

from hypothesis import settings

from tests.engine.summary import pytest_terminal_summary

__all__ = ["pytest_terminal_summary"]

settings.register_profile("repository", deadline=None, derandomize=True)
settings.load_profile("repository")
