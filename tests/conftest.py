"""One profile for hypothesis: the same examples everywhere, and no clock, which a busy machine would miss."""

from hypothesis import settings

settings.register_profile("repository", deadline=None, derandomize=True)
settings.load_profile("repository")
