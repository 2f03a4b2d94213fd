"""A fact memory for agents: short facts in one SQLite file, found again in Chinese and English.

The package itself imports nothing, so that `mnemo.errors` or `mnemo.text` can be had without the
rest. `mnemo.memory.Memory` is the public Python API.
"""

__version__ = "0.1.0"
