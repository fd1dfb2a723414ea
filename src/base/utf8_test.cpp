// Text for a terminal, and what is UTF-8.
// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Printable, ShowsWhatATerminalWouldObey) {
    EXPECT_EQ(printable("nimages = 12"), "nimages = 12");
    EXPECT_EQ(printable("\x1b[2Jgone\r\n\t\x7f"), "\\x1b[2Jgone\\x0d\\x0a\\x09\\x7f");
    EXPECT_EQ(printable("a\tb\x1b[2J\r\n", "\n\t"), "a\tb\\x1b[2J\\x0d\n");
    EXPECT_EQ(printable("5 \xc2\xb5s, \xe2\x82\xac, \xf0\x9f\x98\x80"),
              "5 \xc2\xb5s, \xe2\x82\xac, \xf0\x9f\x98\x80");
}

TEST(Printable, ShowsBytesThatAreNoText) {
    EXPECT_EQ(printable("5 \xb5s"), "5 \\xb5s");
    EXPECT_EQ(printable("\xc2\x9b\x32J"), "\\xc2\\x9b2J");  // CSI in one character
    EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");
    EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(Utf8, WhatIsNoneIsLatin1) {
    EXPECT_TRUE(is_utf8("") && is_utf8("5 \xc2\xb5s"));
    EXPECT_FALSE(is_utf8("5 \xb5s") || is_utf8("\xe2\x82"));
    EXPECT_EQ(as_utf8("5 \xc2\xb5s"), "5 \xc2\xb5s");
    EXPECT_EQ(as_utf8("5 \xb5s \xff"), "5 \xc2\xb5s \xc3\xbf");
}

}  // namespace
}  // namespace sluice
