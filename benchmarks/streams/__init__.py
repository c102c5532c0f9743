"""Learners with default settings on streams that drift: accuracy, log-loss, cost and memory beside those of peers."""
