"""What was done: told, taken back, brought back, forgotten and erased."""
