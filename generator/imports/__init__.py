"""Scripts that bring figures from the gathered material into the project's tables; they run again and give the same."""
