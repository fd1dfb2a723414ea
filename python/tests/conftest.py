"""What the tests share.

SPDX-License-Identifier: Apache-2.0
"""
import signal

# Who starts the tests in the background of a shell ignores Ctrl-C, and so would every process that
# the tests start: then none of them could be interrupted.
signal.signal(signal.SIGINT, signal.default_int_handler)
