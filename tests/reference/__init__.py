"""Slow, literal NumPy transcriptions of the published algorithms, used as test oracles."""
