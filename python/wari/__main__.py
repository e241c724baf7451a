"""`python -m wari`: the command line.

Owns: nothing but the start. Must not know: any command.
"""

import sys

from wari_start import main

if __name__ == "__main__":
    sys.exit(main())
