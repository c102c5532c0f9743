"""C export: a model as one C99 header without memory allocation, for microcontrollers and any C compiler."""

from .c_header import Header, assemble, chosen_dtype, header

__all__ = ["Header", "assemble", "chosen_dtype", "header"]
