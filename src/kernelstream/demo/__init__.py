"""The demonstration: one stream, seven ways to stay small. Run `python -m kernelstream.demo`."""
