"""Signals are as in a foreground shell: a child inherits what a background job or nohup ignores, and could
not be stopped."""

import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
