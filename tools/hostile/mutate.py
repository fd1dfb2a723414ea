"""Damage for files, from a seed: bits, integers, blocks, lengths, splices, and fields that count.

SPDX-License-Identifier: Apache-2.0
"""
import re
import struct

INTERESTING = [0, 1, 2, 3, 7, 8, 16, 31, 32, 64, 100, 127, 128, 255, 256, 1000, 1024, 4096, 32767,
               32768, 65535, 65536, 1 << 20, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32,
               1 << 40, (1 << 63) - 1, 1 << 63, (1 << 64) - 1]
NUMBERS = ["0", "-0", "-1", "1", "2", "3", "1e308", "-1e308", "1e-308", "nan", "inf", "-inf", "0.5",
           "99999999999999999999", "4294967296", "2147483648", "9223372036854775808", "1e9", "",
           "1,5", "0x10", "\u0661", "true", "\"\"", "[]", "{}", "null"]


def put(data, at, bytes_):
    """Overwrites in place, and never beyond the end."""
    data[at:at + len(bytes_)] = bytes_[:max(0, len(data) - at)]


def integer(rng, size):
    value = rng.choice(INTERESTING)
    if rng.random() < 0.3:
        value = rng.getrandbits(8 * size)
    order = "<" if rng.random() < 0.75 else ">"
    return (value & (1 << 8 * size) - 1).to_bytes(size, "little" if order == "<" else "big")


def flip_bit(rng, data, at, _):
    data[at] ^= 1 << rng.randrange(8)


def set_byte(rng, data, at, _):
    data[at] = rng.choice([0, 1, 0x7f, 0x80, 0xff, rng.randrange(256)])


def set_integer(rng, data, at, size):
    size = size or rng.choice([1, 2, 4, 8])
    put(data, at if rng.random() < 0.5 else at & -size, integer(rng, size))


def increment(rng, data, at, size):
    size = size or rng.choice([1, 2, 4, 8])
    order = "little" if rng.random() < 0.8 else "big"
    step = rng.choice([-1, 1, -1, 1, -2, 2, 8, -8, 16, 256, -256])
    old = int.from_bytes(data[at:at + size], order)
    put(data, at, (old + step & (1 << 8 * size) - 1).to_bytes(size, order))


def scale(rng, data, at, size):
    """A size doubled, halved, or ten times as large."""
    size = size or rng.choice([2, 4, 8])
    old = int.from_bytes(data[at:at + size], "little")
    new = rng.choice([old * 2, old // 2, old * 10, old << 16, ~old])
    put(data, at, (new & (1 << 8 * size) - 1).to_bytes(size, "little"))


def length(rng, data):
    return min(len(data), max(1, int(2 ** rng.uniform(0, 12))))


def fill_block(rng, data, at, _):
    n = length(rng, data)
    put(data, at, bytes([rng.choice([0, 0, 0xff, rng.randrange(256)])]) * n)


def noise_block(rng, data, at, _):
    put(data, at, rng.randbytes(length(rng, data)))


def copy_block(rng, data, at, _):
    n = length(rng, data)
    source = rng.randrange(len(data))
    put(data, at, bytes(data[source:source + n]))


def insert_block(rng, data, at, _):
    n = length(rng, data)
    source = rng.randrange(len(data))
    data[at:at] = bytes(data[source:source + n])


def delete_block(rng, data, at, _):
    del data[at:at + length(rng, data)]


def cut(rng, data, at, _):
    if rng.random() < 0.3:
        at = len(data) - length(rng, data)
    del data[max(at, 0):]


def extend(rng, data, at, _):
    data += rng.choice([b"\0" * length(rng, data), bytes(data[at:at + length(rng, data)]),
                        rng.randbytes(length(rng, data))])


IN_PLACE = [flip_bit, flip_bit, flip_bit, set_byte, set_byte, set_integer, increment, scale]
BLOCKS = [fill_block, noise_block, copy_block, insert_block, delete_block, cut, extend]


def change_text(rng, data):
    """A number replaced, or a line deleted, repeated, moved or made long."""
    text = bytes(data)
    kind = rng.randrange(6)
    numbers = list(re.finditer(rb"-?\d+(\.\d+)?([eE][-+]?\d+)?", text))
    if kind < 3 and numbers:
        chosen = rng.choice(numbers)
        return bytearray(text[:chosen.start()] + rng.choice(NUMBERS).encode() + text[chosen.end():])
    lines = text.splitlines(keepends=True)
    if not lines:
        return data
    at = rng.randrange(len(lines))
    if kind == 3:
        del lines[at]
    elif kind == 4:
        lines.insert(rng.randrange(len(lines) + 1), lines[at])
    else:
        lines[at] = lines[at].rstrip(b"\n") * rng.choice([2, 3, 1000]) + b"\n"
    return bytearray(b"".join(lines))


def mutate(rng, original, others, fields, text):
    """A damaged copy of `original`. `fields`: (offset, size) of what counts, points or measures;
    `others`: files of the same kind to splice with; `text`: it is made of lines."""
    data = bytearray(original)
    for _ in range(1 if rng.random() < 0.7 else rng.randint(2, 4)):
        if not data:
            return bytes(data)
        chance = rng.random()
        if text and chance < 0.6:
            data = change_text(rng, data)
        elif others and chance < 0.04:
            other = rng.choice(others)
            at = rng.randrange(min(len(data), len(other)) or 1)
            n = length(rng, data) if rng.random() < 0.7 else len(other)
            put(data, at, other[at:at + n])
        elif fields and chance < 0.55:
            at, size = rng.choice(fields)
            if at < len(data):
                rng.choice(IN_PLACE)(rng, data, at + rng.choice([0, 0, 0, size - 1]) % len(data)
                                     if at + size <= len(data) else at, size)
        elif chance < 0.85:
            rng.choice(IN_PLACE)(rng, data, rng.randrange(len(data)), 0)
        else:
            rng.choice(BLOCKS)(rng, data, rng.randrange(len(data)), 0)
    return bytes(data)


def changed_bytes(before, after):
    """Offsets that differ; None where the length does."""
    if len(before) != len(after):
        return None
    return [i for i, (a, b) in enumerate(zip(before, after)) if a != b]


def unpack(form, data, at):
    """The values at an offset; zeros beyond the end."""
    size = struct.calcsize(form)
    return struct.unpack(form, bytes(data[at:at + size]).ljust(size, b"\0"))
