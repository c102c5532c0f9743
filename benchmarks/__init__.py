"""Benchmarks: speed, and accuracy on the sets on which other libraries were measured."""
