# SPDX-License-Identifier: MIT
"""deny_syscall.py NUMBER ERRNO COMMAND...: COMMAND, in which a system call fails, as in a container
whose seccomp profile forbids it."""

import ctypes
import os
import struct
import sys

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
RET_ALLOW, RET_ERRNO = 0x7FFF0000, 0x00050000
LOAD_WORD, JUMP_EQUAL, RETURN = 0x20, 0x15, 0x06  # classic BPF


def instruction(code, k, if_true=0, if_false=0):
    return struct.pack("HBBI", code, if_true, if_false, k)


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


number, error = int(sys.argv[1]), int(sys.argv[2])
code = (
    instruction(LOAD_WORD, 0)  # seccomp_data.nr
    + instruction(JUMP_EQUAL, number, 0, 1)
    + instruction(RETURN, RET_ERRNO | error)
    + instruction(RETURN, RET_ALLOW)
)
libc = ctypes.CDLL(None, use_errno=True)
program = Program(len(code) // 8, code)
for option, arguments in (
    (PR_SET_NO_NEW_PRIVS, (1, 0)),
    (PR_SET_SECCOMP, (SECCOMP_MODE_FILTER, ctypes.byref(program))),
):
    if libc.prctl(option, *arguments, 0, 0):
        sys.exit(f"deny_syscall.py: prctl {option}: {os.strerror(ctypes.get_errno())}")
os.execvp(sys.argv[3], sys.argv[3:])
