"""Where in a file its sizes, counts, offsets and pixels are, found by walking the undamaged file.

SPDX-License-Identifier: Apache-2.0

Each function gives (fields, payload): fields are (offset, size) of numbers worth damaging; payload
is a list of (begin, end) of bytes that are pixels, coded or not, without a checksum of their own:
what changes there may change a result without a sign.
"""
import functools
import re

from .mutate import unpack

CZI_NAMES = (b"ZISRAWFILE", b"ZISRAWDIRECTORY", b"ZISRAWSUBBLOCK", b"ZISRAWMETADATA",
             b"ZISRAWATTDIR", b"ZISRAWATTACH", b"DELETED")


def czi_entry(data, at):
    """Fields of a directory entry, and its length."""
    count = unpack("<i", data, at + 28)[0]
    fields = [(at + 2, 4), (at + 6, 8), (at + 14, 4), (at + 18, 4), (at + 22, 1), (at + 28, 4)]
    for d in range(min(count, 40)):
        dimension = at + 32 + 20 * d
        fields += [(dimension, 4), (dimension + 4, 4), (dimension + 8, 4), (dimension + 12, 4),
                   (dimension + 16, 4)]
    return fields, 32 + 20 * count


def czi(data):
    fields, payload, at = [], [], 0
    while at + 32 <= len(data):
        name = bytes(data[at:at + 16]).rstrip(b"\0")
        if name not in CZI_NAMES:
            break
        allocated = unpack("<q", data, at + 16)[0]
        fields += [(at + 16, 8), (at + 24, 8)]
        body = at + 32
        if name == b"ZISRAWFILE":
            fields += [(body + i, 4) for i in (0, 4, 40)] + [(body + i, 8) for i in (44, 52, 72)]
        elif name == b"ZISRAWSUBBLOCK":
            metadata, _, size = unpack("<iiq", data, body)
            entry, used = czi_entry(data, body + 16)
            fields += [(body, 4), (body + 4, 4), (body + 8, 8)] + entry
            begin = body + max(256, 16 + used) + metadata
            payload.append((begin, begin + size))
        elif name == b"ZISRAWDIRECTORY":
            fields.append((body, 4))
            entry = body + 128
            for _ in range(min(unpack("<i", data, body)[0], 1000)):
                more, used = czi_entry(data, entry)
                fields += more
                entry += used
        elif name == b"ZISRAWMETADATA":
            fields += [(body, 4), (body + 4, 4)]
            payload.append((body + 256, body + 256 + unpack("<i", data, body)[0]))
        else:
            fields += [(body + i, 4) for i in range(0, 128, 4)]
        at = body + allocated
    return fields, payload


HDF5_SIGNS = re.compile(rb"\x89HDF\r\n\x1a\n|TREE|SNOD|HEAP|GCOL|OHDR|OCHK|FRHP|FHDB|FHIB|FSHD|"
                        rb"FSSE|BTHD|BTLF|BTIN|FADB|FAHD|EAHD|EAIB|EADB|EASB|SMTB|SMLI")


def hdf5(data):
    """Blocks by their signatures; object headers of version 1 have none, and are found as what
    symbol table entries point to. The payload of chunks is not told apart from the rest."""
    fields = []
    for sign in HDF5_SIGNS.finditer(data):
        at = sign.start()
        fields += [(at + i, size) for i in range(4, 96, 4) for size in (1, 2, 4, 8)]
    for header in re.finditer(rb"\x01\x00[\x01-\x20]\x00[\x01-\x04]\x00\x00\x00", data):
        at = header.start()
        end = at + 16 + min(unpack("<I", data, at + 8)[0], 1024)
        fields += [(i, size) for i in range(at, end, 4) for size in (1, 2, 4, 8)]
    return fields, []


@functools.lru_cache(maxsize=64)
def hdf5_summed(data):
    """Ranges of blocks that end with a checksum of themselves, with 8-byte offsets: superblocks and
    object headers from version 2 on, and the headers of trees and arrays."""
    ranges = []
    for sign in HDF5_SIGNS.finditer(data):
        at, name = sign.start(), sign[0]
        if name.startswith(b"\x89HDF"):
            size = 48 if data[at + 8] >= 2 and data[at + 9] == 8 else 0
        elif name == b"OHDR" and data[at + 4] == 2:
            flags = data[at + 5]
            size = 6 + 16 * bool(flags & 32) + 4 * bool(flags & 16)
            width = 1 << (flags & 3)
            size += width + int.from_bytes(data[at + size:at + size + width], "little") + 4
        else:
            size = {b"BTHD": 38, b"FAHD": 28, b"EAHD": 72}.get(name, 0)
        if size and at + size <= len(data):
            ranges.append((at, at + size))
    return ranges


def npy(data):
    end = 10 + unpack("<H", data, 8)[0]
    return [(6, 1), (7, 1), (8, 2)] + [(i, 1) for i in range(10, end)], [(end, len(data))]


def plain(data):
    """Nothing but pixels."""
    return [], [(0, len(data))]


def header_then_pixels(mark):
    """A text header that ends with the line of `mark`, and then pixels; without it only pixels."""
    def find(data):
        end = data.find(mark)
        if end < 0:
            return plain(data)
        end = data.find(b"\n", end) + 1
        return [(i, 1) for i in range(end)], [(end, len(data))]
    return find


def text(data):
    return [], [(0, len(data))]


def archive(data):
    """The headers of a zip file."""
    fields = []
    for sign in re.finditer(rb"PK(\x01\x02|\x03\x04|\x05\x06)", data):
        begin = sign.start() + 4
        fields += [(at, size) for at in range(begin, min(begin + 42, len(data) - 4), 2)
                   for size in (2, 4)]
    return fields, []


def header_of_safetensors(data):
    end = min(8 + unpack("<Q", data, 0)[0], len(data))
    return [(0, 8)] + [(at, 1) for at in range(8, end)], [(end, len(data))]


def header_of_sound(data):
    """The first two hundred bytes: chunks of RIFF, blocks of FLAC, the first pages of Ogg."""
    return [(at, size) for at in range(4, min(200, len(data) - 4)) for size in (1, 2, 4)], []
