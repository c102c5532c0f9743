"""The solver behind `output.Refit`: coefficients of support vectors fitted by second-order steps, in NumPy."""
