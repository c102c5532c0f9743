"""A process that forks while one of its threads compiles.

The child would get the compiler's lock as it is, held by a thread that the child does not have, and wait for it
forever. So a fork waits for the end of the compilation, as it does for the locks of `logging`.
"""

import os

from numba.core.compiler_lock import global_compiler_lock


def forks_wait_for_the_compiler() -> None:
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=global_compiler_lock.acquire,
            after_in_parent=global_compiler_lock.release,
            after_in_child=global_compiler_lock.release,
        )
