"""What `fit` reaches if it is told nothing, beside its former self, boosted trees, a tuned SVC and xRFM."""
