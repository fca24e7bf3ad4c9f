"""A pretend cloud for the real engine: clouds as data, one heart (`cloud.py`) and a door for Pulumi (`plugin.py`)."""
