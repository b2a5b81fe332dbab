"""edwards25519 in affine coordinates, straight from RFC 8032 section 5.1: slow, and written apart from the code under test."""

from typing import Final

P: Final = 2**255 - 19
L: Final = 2**252 + 27742317777372353535851937790883648493
D: Final = -121665 * pow(121666, -1, P) % P

Point = tuple[int, int]
IDENTITY: Final[Point] = (0, 1)


def add(a: Point, b: Point) -> Point:
    product = D * a[0] * b[0] * a[1] * b[1] % P
    x = (a[0] * b[1] + b[0] * a[1]) * pow(1 + product, -1, P) % P
    y = (a[1] * b[1] + a[0] * b[0]) * pow(1 - product, -1, P) % P
    return x, y


def times(n: int, point: Point) -> Point:
    total = IDENTITY
    while n:
        if n & 1:
            total = add(total, point)
        point = add(point, point)
        n >>= 1
    return total


def decode(key: bytes, *, lenient: bool = False) -> Point | None:
    """The point of a key; None where RFC 8032 says decoding fails. `lenient` takes what RFC 8032 calls not canonical."""
    number = int.from_bytes(key, "little")
    sign, y = number >> 255, number % 2**255
    if len(key) != 32 or (y >= P and not lenient):
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x * x % P != square or (x == 0 and sign and not lenient):
        return None
    return (x if x % 2 == sign else -x % P), y % P


def encode(point: Point) -> bytes:
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def torsion() -> list[Point]:
    """The eight points of order 1, 2, 4 and 8, as multiples of one of order 8."""
    for y in range(2, 100):
        point = decode(y.to_bytes(32, "little"))
        generator = times(L, point) if point else IDENTITY
        if times(4, generator) != IDENTITY:
            return [times(n, generator) for n in range(8)]
    raise AssertionError("no point of order 8 found")


TORSION: Final = torsion()


def second_encodings() -> list[bytes]:
    """Every encoding of a point that is not its canonical one: y from p to 2^255 - 1, and a sign on x = 0."""
    high = [y | sign << 255 for y in range(P, 2**255) for sign in (0, 1)]
    signed_zero = [1 | 1 << 255, (P - 1) | 1 << 255]
    encodings = [number.to_bytes(32, "little") for number in (*high, *signed_zero)]
    return [encoding for encoding in encodings if decode(encoding, lenient=True)]
