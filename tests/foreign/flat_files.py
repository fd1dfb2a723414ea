"""EMPAD, DM3, DM4 and SEQ files, byte by byte from what is known of the formats.

SPDX-License-Identifier: Apache-2.0
"""
import struct

import numpy as np


def empad(folder, data):
    """130 rows are stored of the 128 that count: the scan's XML."""
    rows, cols = data.shape[:2]
    stored = np.full((rows * cols, 130, 128), 7e8, "<f4")
    stored[:, :128] = data.reshape(-1, 128, 128)
    stored.tofile(folder / "scan.raw")
    (folder / "scan.xml").write_text(
        '<?xml version="1.0" encoding="utf-8"?>\n<root><version>0.51</version>'
        '<raw_file filename="scan.raw"/><timestamp isoformat="2019-06-07T12:13:23.107000"/>'
        "<name>scan</name><type>scan</type>"
        f'<pix_x>{cols}</pix_x><pix_y>{rows}</pix_y><scan_parameters mode="acquire">'
        f"<scan_resolution_x>{cols}</scan_resolution_x>"
        f"<scan_resolution_y>{rows}</scan_resolution_y></scan_parameters>"
        "<iom_measurements><high_voltage>300000.0</high_voltage></iom_measurements></root>")
    return folder / "scan.xml"


class Dm:
    """Tags of DigitalMicrograph's version 3 or 4."""

    TYPES = {"u1": (6, 10), "<i2": (1, 2), "<u2": (10, 4), "<u4": (11, 5), "<f4": (2, 6)}

    def __init__(self, version):
        self.version = version
        self.count = lambda n: struct.pack(">q" if version == 4 else ">i", n)

    def entry(self, kind, label, content):
        head = struct.pack(">BH", kind, len(label)) + label.encode()
        return head + (struct.pack(">q", len(content)) if self.version == 4 else b"") + content

    def tag(self, label, info, values):
        words = b"".join(map(self.count, info))
        return self.entry(21, label, b"%%%%" + self.count(len(info)) + words + values)

    def u4(self, label, value):
        return self.tag(label, [5], struct.pack("<I", value))

    def f4(self, label, value):
        return self.tag(label, [6], struct.pack("<f", value))

    def text(self, label, value):
        return self.tag(label, [20, 4, len(value)], value.encode("utf-16-le"))

    def inside(self, entries):
        return b"\1\0" + self.count(len(entries)) + b"".join(entries)

    def group(self, label, entries):
        return self.entry(20, label, self.inside(entries))

    def image(self, data, axes, tags):
        """The axes are (scale, units), slowest first as those of the array."""
        code, kind = self.TYPES[data.dtype.str.replace("|", "")]
        dimensions = [self.group("", [self.f4("Origin", 0), self.f4("Scale", scale),
                                      self.text("Units", units)]) for scale, units in axes[::-1]]
        return self.group("", [
            self.group("ImageData", [
                self.group("Calibrations", [
                    self.group("Brightness", [self.f4("Origin", 0), self.f4("Scale", 1),
                                              self.text("Units", "")]),
                    self.group("Dimension", dimensions)]),
                self.tag("Data", [20, kind, data.size], data.tobytes()),
                self.u4("DataType", code),
                self.group("Dimensions", [self.u4("", n) for n in data.shape[::-1]]),
                self.u4("PixelDepth", data.dtype.itemsize)]),
            self.group("ImageTags", tags), self.text("Name", "scan")])

    def write(self, path, images):
        tree = self.inside([self.group("DocumentObjectList", []), self.group("ImageList", images),
                            self.u4("InImageMode", 1)])
        path.write_bytes(struct.pack(">i", self.version) + self.count(len(tree) + 4)
                         + struct.pack(">i", 1) + tree + bytes(8))
        return path
