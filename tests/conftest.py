"""Shared by all tests: the oracle and its helpers are importable by name, and Ctrl-C is heard."""

import signal
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell starts jobs in the background deaf to Ctrl-C; tests press it
