#!/usr/bin/env python3
"""Checks that no two types of include/sluice have one name. A nested type is known by its owner's.

SPDX-License-Identifier: Apache-2.0
"""
import collections
import re
import sys

from sources import ROOT

WORDS = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"')
SCOPES = re.compile(r"namespace[\w\s:]*\{"
                    r"|(?:struct|class|enum)\s+(?P<type>\w+)\s*(?:final\s*)?(?::[^;{()]*)?\{"
                    r"|using\s+(?P<alias>\w+)\s*=|\{|\}")


def types_of(text):
    """The types that a header defines beside others' members, in its order."""
    scopes, types = [], []
    for found in SCOPES.finditer(WORDS.sub("", text)):
        if found[0] == "}":
            scopes.pop()
            continue
        name = found["type"] or found["alias"]
        if name and "inside" not in scopes:
            types.append(name)
        if not found["alias"]:
            scopes.append("namespace" if found[0].startswith("namespace") else "inside")
    return types


def shared(headers):
    """Of {header: text}: "name: header, header" for each name that several types have."""
    homes = collections.defaultdict(list)
    for header, text in headers.items():
        for name in types_of(text):
            homes[name].append(header)
    return [f"{name}: {', '.join(where)}" for name, where in sorted(homes.items()) if len(where) > 1]


def main():
    headers = {path.relative_to(ROOT).as_posix(): path.read_text()
               for path in sorted((ROOT / "include/sluice").glob("*.h"))}
    found = shared(headers)
    for line in found:
        print(f"{line} (two public types have one name) give one of them a name of its own")
    if not found:
        print(f"public names: {sum(len(types_of(text)) for text in headers.values())} types, each with its own name")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
