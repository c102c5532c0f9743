"""The demonstration, `kernelstream demo`."""
