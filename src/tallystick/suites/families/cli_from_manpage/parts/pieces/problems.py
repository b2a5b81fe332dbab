"""What ends the program early."""


class Stop(Exception):
    """The program ends: with this output, these messages, this exit status."""

    def __init__(self, status, messages=(), out=""):
        super().__init__(status)
        self.status = status
        self.messages = list(messages)
        self.out = out
