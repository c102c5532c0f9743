"""Hostile calls and hostile files, from a seed: nothing of it may crash, hang, or change a model that refused."""
