"""Models taken elsewhere: `kernelstream.io.onnx` for runtimes, `kernelstream.io.c` for microcontrollers."""
