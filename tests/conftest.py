"""Ctrl-C must reach what the tests start, though a shell that runs them in the background ignores it."""

import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
