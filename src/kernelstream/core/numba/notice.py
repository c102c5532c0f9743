"""Tell that the compiler works: in the log, and to a person who waits at a terminal or a notebook.

The notice is for people: it appears if standard error is a terminal or the process serves a notebook. It is silent if
KERNELSTREAM_QUIET is set, or if the level of the logger "kernelstream" is set: then the log speaks, or not.
"""

import logging
import os
import sys
import time

logger = logging.getLogger(__name__)
NOTICE = "kernelstream: compiling for this recipe and kind of data, once; this takes about 10 s …"
TOGETHER = 1.0  # seconds: compilations that follow each other as fast are one wait

_state = {"ended": -TOGETHER}


def interactive() -> bool:
    """Whether a person is likely to see what is printed now."""
    if "ipykernel" in sys.modules:
        return True
    try:
        return sys.stderr is not None and sys.stderr.isatty()
    except (AttributeError, ValueError):  # replaced by something else, or closed
        return False


def announce() -> None:
    """Print the notice, unless the wait has been announced or nobody wants to know."""
    if time.monotonic() - _state["ended"] < TOGETHER or os.environ.get("KERNELSTREAM_QUIET"):
        return
    if logging.getLogger(__name__.partition(".")[0]).level != logging.NOTSET or not interactive():
        return
    print(NOTICE, file=sys.stderr, flush=True)


def told(compile_now, what: str, cached: bool):
    """Tell when the compiler starts and ends: it takes seconds, and what is on disk is not compiled again."""

    def compile_and_tell(*arguments):
        kept = "will be kept on disk" if cached else "cannot be kept on disk"
        logger.info("compiling %s; the result %s", what, kept)
        announce()
        start = time.perf_counter()
        try:
            result = compile_now(*arguments)
        finally:
            _state["ended"] = time.monotonic()
        logger.info("compiled %s in %.1f s", what, time.perf_counter() - start)
        return result

    return compile_and_tell
