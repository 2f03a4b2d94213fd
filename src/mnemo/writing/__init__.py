"""How facts come in, change, are rated, go and come back. Every function is one operation."""
