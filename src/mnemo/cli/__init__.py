"""The command line: one action a command, the same words as the tool.

A command gathers its arguments, makes the tool's call, or that of `Memory` where no tool has it,
and prints the answer: as one JSON document with ``--json``, else for a person. Every failure is one
line on stderr and an exit code that is not zero. Nothing here imports the MCP SDK, except when it
is told to serve.
"""
