"""The rungs of the ladder: agents that need no model. Standard library only, run in the sandbox as any agent is.

Each is a program that reads the instruction on standard input and works in the current folder. They import each other by
plain name and nothing of tallystick, which is masked there. What each does, and nothing more, stands at its top:
docs/eval/difficulty.md repeats it for authors of tasks.
"""
