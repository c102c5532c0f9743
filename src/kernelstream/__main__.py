"""The command line, if what it needs is installed."""

import sys


def main() -> None:
    """`kernelstream`, and `python -m kernelstream`."""
    try:
        from .cli.app import app
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("typer", "rich", "click", "shellingham"):
            raise
        print('kernelstream: the command line needs typer and rich: pip install "kernelstream[cli]"', file=sys.stderr)
        raise SystemExit(3) from None
    app(prog_name="kernelstream")


if __name__ == "__main__":
    main()
