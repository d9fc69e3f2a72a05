# SPDX-License-Identifier: MIT
"""peak_memory.py FILE COMMAND...: run COMMAND, end as it does, and write the most resident memory
that it had, in bytes, to FILE."""

import os
import sys

pid = os.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
_, status, usage = os.wait4(pid, 0)
with open(sys.argv[1], "w") as file:
    print(usage.ru_maxrss * 1024, file=file)
sys.exit(os.waitstatus_to_exitcode(status))
