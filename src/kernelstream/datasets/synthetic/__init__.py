"""Synthetic streams: seeded, endless, and readable from any row."""
