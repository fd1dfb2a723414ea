"""Whether a damaged file says itself that it is damaged: then other pixels with exit 0 are wrong.

SPDX-License-Identifier: Apache-2.0

An oracle gets (name, before, after, fields, payload) and answers whether a change of the results
must have been told. What is left out, by rule, because nothing in the file can tell:

* payload: pixels, coded or not, without a checksum of their own (fields.py says where they are);
  damage that touches payload and other bytes counts as payload;
* HDF5 blocks without checksums, as all of the older layouts: only a cut tells, since the superblock
  says where the file ends; datasets of another shape than the file's other parts say are refused
  by tests of their own. Which blocks have checksums that the oracle knows, fields.py says;
* chunks of Zarr, which have no checksum here, and its metadata;
* a header that is valid and whose shape times its type equals the bytes that are there;
* text that somebody may have written so: configurations, curves, image headers.
"""
import ast
import re

from .fields import hdf5_summed
from .mutate import changed_bytes

SIZES = {"1": 1, "2": 2, "4": 4, "8": 8}


def nothing(name, before, after, fields, payload):
    return False


def everything(name, before, after, fields, payload):
    """The results come from other files as well: no damage may change them."""
    return True


def length(name, before, after, fields, payload):
    """The length of the file is all that it says of itself."""
    return len(before) != len(after)


def shorter(file):
    """One of several files holds nothing that can be spared; what follows its end is not read."""
    def told(name, before, after, fields, payload):
        return name == file and len(after) < len(before)
    return told


def outside(changed, ranges):
    return changed is not None and not any(b <= i < e for i in changed for b, e in ranges)


def first_difference(before, after):
    pairs = enumerate(zip(before, after))
    return next((i for i, (a, b) in pairs if a != b), min(len(before), len(after)))


def czi(name, before, after, fields, payload):
    """Sizes, the directory and the sub-blocks' own entries say everything twice. Bytes put in or
    taken out between pixels move what the directory points to. Among pixels they damage one tile,
    and what follows may not be read; what follows the last segment is not looked at."""
    changed = changed_bytes(before, after)
    if changed is not None:
        return outside(changed, payload)
    if before.startswith(after):
        return True
    # Something was appended or cut off: what changed before it counts as if nothing were.
    common = min(len(before), len(after))
    kept, whole = after[:common], before[:common]
    if kept[-64:] == whole[-64:]:
        changed = changed_bytes(whole, kept)
        return bool(changed) and outside(changed, payload)
    return not after.startswith(before) and outside([first_difference(before, after)], payload)


def hdf5(name, before, after, fields, payload):
    """A file that was cut ends before its superblock says; blocks with checksums say the rest."""
    if len(before) != len(after):
        return len(after) < len(before) and before.startswith(after)
    summed = hdf5_summed(before)
    return all(any(b <= i < e for b, e in summed) for i in changed_bytes(before, after))


def npy(name, before, after, fields, payload):
    """Of a header with a valid shape and type the file's length follows."""
    if len(before) == len(after) and not outside(changed_bytes(before, after), payload):
        return False
    try:
        size = int.from_bytes(after[8:10], "little")
        header = ast.literal_eval(after[10:10 + size].decode("latin1").strip())
        items = SIZES[re.fullmatch(r"[<>|=][biuf]([1248])", header["descr"])[1]]
        for extent in header["shape"]:
            items *= extent
        return after[:7] != before[:7] or items != len(after) - 10 - size
    except (AttributeError, IndexError, KeyError, MemoryError, SyntaxError, TypeError, ValueError):
        return True


def cut(before, after):
    return len(after) < len(before) and before.startswith(after)


def chunks(name, before, after, fields, payload):
    """A chunk of Blosc says its length, and has no checksum; metadata are text."""
    return name.rsplit("/", 1)[-1].isdigit() and cut(before, after)


def shards(count):
    """Of shards of so many chunks: the index at the end has a checksum, and is lost by a cut."""
    def told(name, before, after, fields, payload):
        if not name.rsplit("/", 1)[-1].isdigit():
            return False
        index = [(len(before) - 16 * count - 4, len(before))]
        changed = changed_bytes(before, after)
        return cut(before, after) or bool(changed) and all(
            begin <= i < end for i in changed for begin, end in index)
    return told


def volume(name, before, after, fields, payload):
    """Data that were cut are shorter than their header says."""
    return name.endswith((".raw", ".mha", ".nrrd")) and len(after) < len(before) \
        and before.startswith(after) and len(after) >= (payload[0][0] if payload else 0)
