# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""XXH3 (Collet, xxHash) of 0, 8, and 9 to 16 bytes, which splits need."""

from __future__ import annotations

_WORD = 2**64 - 1
_SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb"
)


def _read(data: bytes, begin: int) -> int:
    return int.from_bytes(data[begin : begin + 8], "little")


def _rotated(word: int, bits: int) -> int:
    return (word << bits | word >> (64 - bits)) & _WORD


def _of_nothing(seed: int) -> int:
    h = seed ^ _read(_SECRET, 56) ^ _read(_SECRET, 64)
    h = (h ^ h >> 33) * 0xC2B2AE3D27D4EB4F & _WORD
    h = (h ^ h >> 29) * 0x165667B19E3779F9 & _WORD
    return h ^ h >> 32


def _of_word(data: bytes, seed: int) -> int:
    low = int.from_bytes((seed & 0xFFFFFFFF).to_bytes(4, "little"), "big")
    seed ^= low << 32
    flip = (_read(_SECRET, 8) ^ _read(_SECRET, 16)) - seed & _WORD
    first, second = data[:4], data[4:]
    h = int.from_bytes(second, "little") + (int.from_bytes(first, "little") << 32)
    h ^= flip
    h ^= _rotated(h, 49) ^ _rotated(h, 24)
    h = h * 0x9FB21C651E98DF25 & _WORD
    h ^= (h >> 35) + len(data)
    h = h * 0x9FB21C651E98DF25 & _WORD
    return h ^ h >> 28


def _of_name(data: bytes, seed: int) -> int:
    low = _read(data, 0) ^ ((_read(_SECRET, 24) ^ _read(_SECRET, 32)) + seed & _WORD)
    high = _read(data, len(data) - 8)
    high ^= (_read(_SECRET, 40) ^ _read(_SECRET, 48)) - seed & _WORD
    swapped = int.from_bytes(low.to_bytes(8, "little"), "big")
    product = low * high
    h = len(data) + swapped + high + (product & _WORD ^ product >> 64) & _WORD
    h = (h ^ h >> 37) * 0x165667919E3779F9 & _WORD
    return h ^ h >> 32


def xxh3(data: bytes, seed: int) -> int:
    """Returns the hash of 0, 8, or 9 to 16 bytes."""
    if not data:
        return _of_nothing(seed)
    if len(data) == 8:
        return _of_word(data, seed)
    if 8 < len(data) <= 16:
        return _of_name(data, seed)
    raise ValueError(f"a name must have 9 to 16 bytes, not {len(data)}: {data!r}")


def of_number(value: int, seed: int) -> int:
    """Returns the hash of a number in 64 bits."""
    return xxh3((value & _WORD).to_bytes(8, "little"), seed)
