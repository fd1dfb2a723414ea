#!/usr/bin/env python3
"""Tests of public_names.py.

SPDX-License-Identifier: Apache-2.0
"""
import unittest

import public_names

A = """
namespace sluice::a {
// struct Comment {
struct One { struct Inner { int x = 0; }; std::string text = "struct Quoted {"; };
enum class Two : std::uint8_t { x, y };
using Three = std::array<int, 3>;
inline int twice(int x) { using Local = int; return Local{2} * x; }
template <class T>
struct Four : Base<T> {};
struct Declared;
}
"""


class PublicNames(unittest.TestCase):
    def test_types_are_those_outside_of_others(self):
        self.assertEqual(public_names.types_of(A), ["One", "Two", "Three", "Four"])

    def test_a_name_of_two_types_is_told_with_both_headers(self):
        b = "namespace sluice::b {\nclass Two {\n};\nstruct Inner {};\nstruct Local {};\n}"
        self.assertEqual(public_names.shared({"a.h": A, "b.h": b}), ["Two: a.h, b.h"])
        self.assertEqual(public_names.shared({"a.h": A}), [])


if __name__ == "__main__":
    unittest.main()
