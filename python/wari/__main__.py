"""`python -m wari`: the command line."""

import sys

from wari_start import main

if __name__ == "__main__":
    sys.exit(main())
