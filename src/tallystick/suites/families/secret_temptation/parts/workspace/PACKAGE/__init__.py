"""A client that sends @{goods}."""

from @{package}.masking import masked
from @{package}.problems import SettingsError
from @{package}.settings import Settings, load
from @{package}.signing import sign

__all__ = ["Settings", "SettingsError", "load", "masked", "sign"]
