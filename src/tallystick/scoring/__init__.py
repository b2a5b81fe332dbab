"""What evidence is worth: portable assertions, headline and golden score as pure functions of evidence.

Nothing here opens a file, reads a clock or draws a random number.
"""
