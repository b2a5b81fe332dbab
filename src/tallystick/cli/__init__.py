"""One file per noun: parse options, call one flow or function, render, choose the exit code.

The only room that reads the environment and the configuration; it holds no rules.
"""
