"""Tidying: overlapping facts become one, long facts are summarised, categories are mended."""
