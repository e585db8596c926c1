"""``python -m rt_avatar.benchmarks NAME …`` is ``rt-avatar bench NAME …``."""

import sys

from rt_avatar.commands.cli import main

sys.exit(main(["bench", *sys.argv[1:]]))
