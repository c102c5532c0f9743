"""The command line: `kernelstream warmup`."""

import argparse
import sys

from .recipes import RECIPES
from .warmup import warmup


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="kernelstream", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    command = commands.add_parser(
        "warmup",
        help="compile algorithms before they are needed",
        description="Compile algorithms for data of a kind, so that a first fit starts at once. Compiled code is kept "
        "on disk until kernelstream or numba changes.",
        epilog="example: kernelstream warmup default oskl --features 54 --budget 500",
    )
    command.add_argument("algorithm", nargs="*", help=f"all, if none is named: {', '.join(RECIPES)}")
    command.add_argument("--features", type=int, default=10, help="columns of the data (default 10)")
    command.add_argument("--classes", type=int, default=2, help="labels to tell apart (default 2)")
    command.add_argument("--budget", type=int, help="support vectors; only where the algorithms named have a budget")
    command.add_argument("--dtype", choices=["float32", "float64"], default="float32")
    command.add_argument("--sparse", action="store_true", help="for CSR matrices")
    options = vars(parser.parse_args(arguments))
    del options["command"]
    try:
        for done in warmup(options.pop("algorithm"), **options):
            print(f"{done.algorithm:12} {done.seconds:6.1f} s", flush=True)
    except ValueError as error:
        print(f"kernelstream: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
