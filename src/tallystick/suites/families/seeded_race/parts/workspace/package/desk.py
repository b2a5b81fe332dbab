"""The desk; docs/desk.md says what holds."""


def @{f_number}():
    """The next number."""
    @{wrong_number}


def @{f_take}(@{item}, count):
    """Takes from what is left."""
    @{wrong_take}


def @{f_fetch}(key):
    """What the key stands for, loaded once."""
    @{wrong_fetch}


def @{f_send}(order):
    """Sends an order once."""
    @{wrong_send}


def @{f_move}(source, target, amount):
    """Moves an amount between accounts."""
    @{wrong_move}


def @{f_audit}(names):
    """The sum of accounts."""
    @{wrong_audit}
