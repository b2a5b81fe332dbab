"""Which Ed25519 public keys are admitted: RFC 8032 decoding (section 5.1.3), and only points of the prime-order subgroup.

RFC 8032 lets a verifier accept keys that must not be accepted here. With the identity point as public key, one fixed signature
is valid for every message under OpenSSL; other points of small order do the same for part of the messages, and a key with a
small-order part gives signatures that some verifiers accept and others refuse. Whoever submits under such a key can claim any
document or deny his own. So a key is checked once, before any signature:

1. 32 bytes, y < p, and no sign bit on x = 0: one encoding for one point;
2. on the curve;
3. [8]A != O: not of small order. First, since the identity passes the next check;
4. [L]A == O: no small-order part.

A public key is no secret, so nothing here needs constant time.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from tallystick.core.errors import InputError

__all__ = ["KEY_BYTES", "KeyRefusedError", "admit"]

KEY_BYTES: Final = 32

_P: Final = 2**255 - 19
_L: Final = 2**252 + 27742317777372353535851937790883648493
_D: Final = -121665 * pow(121666, -1, _P) % _P
_SQRT_MINUS_1: Final = pow(2, (_P - 1) // 4, _P)

_Point = tuple[int, int, int]
"""A point (X : Y : Z) with x = X/Z and y = Y/Z (RFC 8032 section 5.1.4 without T, which addition makes from x and y)."""


class KeyRefusedError(InputError):
    """A public key that is malformed, or one under which signatures prove nothing."""


@lru_cache(maxsize=1024)
def admit(key: bytes) -> None:
    """Check a public key by the four rules above; about a millisecond the first time, remembered when it passes.

    Raises:
        KeyRefusedError: naming the rule that it breaks.
    """
    x, y = _decode(key)
    small = (x, y, 1)
    for _ in range(3):
        small = _double(small)
    if _is_identity(small):
        raise KeyRefusedError("the public key is a point of small order: one signature would fit many documents")
    if not _is_identity(_times_order(x, y)):
        raise KeyRefusedError("the public key is not in the prime-order subgroup: verifiers would disagree on its signatures")


def _decode(key: bytes) -> tuple[int, int]:
    """The affine point of an encoded key (RFC 8032 section 5.1.3)."""
    if len(key) != KEY_BYTES:
        raise KeyRefusedError(f"a public key has {KEY_BYTES} bytes; this one has {len(key)}")
    number = int.from_bytes(key, "little")
    sign, y = number >> 255, number & ((1 << 255) - 1)
    if y >= _P:
        raise KeyRefusedError("the public key is not canonically encoded: its y is not below p")
    x = _root(y)
    if x == 0 and sign:
        raise KeyRefusedError("the public key is not canonically encoded: x = 0 has no sign")
    return (_P - x if x & 1 != sign else x), y


def _root(y: int) -> int:
    """An x with -x^2 + y^2 = 1 + d x^2 y^2 (mod p)."""
    u, v = (y * y - 1) % _P, (_D * y * y + 1) % _P
    x = u * pow(v, 3, _P) * pow(u * pow(v, 7, _P), (_P - 5) // 8, _P) % _P
    square = v * x * x % _P
    if square == u:
        return x
    if square == _P - u:
        return x * _SQRT_MINUS_1 % _P
    raise KeyRefusedError("the public key is not a point of the curve")


def _times_order(x: int, y: int) -> _Point:
    """[L](x, y) by double and add."""
    point = (x, y, 1)
    for bit in f"{_L:b}"[1:]:
        point = _double(point)
        if bit == "1":
            point = _add_affine(point, x, y)
    return point


def _double(point: _Point) -> _Point:
    """Twice a point, in projective coordinates (dbl-2008-bbjlp with a = -1)."""
    x, y, z = point
    total = x + y
    xx, yy = x * x % _P, y * y % _P
    f = yy - xx
    j = f - 2 * z * z
    return (total * total - xx - yy) * j % _P, -f * (xx + yy) % _P, f * j % _P


def _add_affine(point: _Point, x: int, y: int) -> _Point:
    """A projective plus an affine point (madd-2008-bbjlp with a = -1); complete, since d is no square modulo p."""
    x1, y1, z1 = point
    b = z1 * z1 % _P
    c, d = x1 * x % _P, y1 * y % _P
    e = _D * c * d % _P
    f, g = b - e, b + e
    return z1 * f * ((x1 + y1) * (x + y) - c - d) % _P, z1 * g * (d + c) % _P, f * g % _P


def _is_identity(point: _Point) -> bool:
    x, y, z = point
    return x == 0 and y == z
