"""How the scripts of measurements take their arguments and end."""
import signal
import sys


def perform(main, usage, kept="recordings are kept, repeat the command to continue"):
    """Calls `main` with the script's four arguments. Ctrl-C ends it with a line that says what is kept."""
    if len(sys.argv) != 5:
        sys.exit(usage)
    # Otherwise what the script has started would outlive it: processes that a script starts in the background ignore Ctrl-C, and
    # SIGTERM ends Python at once.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        main(*sys.argv[1:])
    except KeyboardInterrupt:
        print(f"interrupted; {kept}", file=sys.stderr)
        sys.exit(130)
