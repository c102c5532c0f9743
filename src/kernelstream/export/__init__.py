"""Model export: `kernelstream.export.onnx` for ONNX runtimes, `kernelstream.export.c` for microcontrollers."""
