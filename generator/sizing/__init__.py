"""What a job needs of the hardware: memory by part with a bound, layout, step and run time, storage."""
