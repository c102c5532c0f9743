"""Slow transcriptions written from the publications alone, by people who had seen neither the engine nor
tests/reference. They must never be edited to agree with the engine: a disagreement is a finding.

The files test_engine_*.py compare whole trajectories of the engine with them; the other tests check the transcriptions
themselves.
"""
