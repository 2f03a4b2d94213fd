"""``python -m mnemo`` is the command ``mnemo``."""

from mnemo.cli.main import main

if __name__ == "__main__":
    main()
