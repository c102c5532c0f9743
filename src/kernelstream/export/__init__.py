"""Models taken elsewhere: `kernelstream.export.onnx` for runtimes, `kernelstream.export.c` for microcontrollers."""
