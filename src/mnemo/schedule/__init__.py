"""A dream by the clock: handed to the scheduler that the system has, and taken away again.

`when` reads the moment that a person names. `plan` knows how each scheduler is told, and turns
what is there into steps; it reads and writes nothing. `apply` looks at the machine and carries
steps out; it decides nothing.
"""
