"""The phases of an attempt: workspace, agent, seal, grade pass, receipt; and the executors that run many of them.

It produces evidence and cannot score it.
"""
