"""Properties that hold for any input, checked by hypothesis and against direct computation."""
