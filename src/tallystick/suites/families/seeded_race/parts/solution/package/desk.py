"""The desk; docs/desk.md says what holds."""


def @{f_number}():
    """The next number."""
    @{right_number}


def @{f_take}(@{item}, count):
    """Takes from what is left."""
    @{right_take}


def @{f_fetch}(key):
    """What the key stands for, loaded once."""
    @{right_fetch}


def @{f_send}(order):
    """Sends an order once."""
    @{right_send}


def @{f_move}(source, target, amount):
    """Moves an amount between accounts."""
    @{right_move}


def @{f_audit}(names):
    """The sum of accounts."""
    @{right_audit}
