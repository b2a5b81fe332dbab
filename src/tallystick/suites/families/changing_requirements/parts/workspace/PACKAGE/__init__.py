"""Accounts of @{unit} for @{place}."""

from @{package}.account import Account
from @{package}.problems import Refused

__all__ = ["Account", "Refused"]
