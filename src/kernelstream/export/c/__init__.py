"""Models as C headers: one file, C99, no allocation, for microcontrollers and for anything that compiles C."""

from .header import Header, assemble, header

__all__ = ["Header", "assemble", "header"]
