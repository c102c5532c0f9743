"""The accuracy frontier of the default recipe: what its refit gains, what it costs, where it stands among peers."""
