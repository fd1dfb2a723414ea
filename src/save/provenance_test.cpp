// Tests of provenance and of reading UTF-8.
// SPDX-License-Identifier: Apache-2.0
#include "save/provenance.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace sluice::save {
namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

TEST(Provenance, Tidy) {
    Provenance const tidied = tidy({{{"b", "1"},
                                     {"", "x"},
                                     {"a", "2"},
                                     {"b", "3"},
                                     {"note", "y"},
                                     {"bad\xff", std::string("z\0w", 3)}}});
    EXPECT_EQ(tidied.fields,
              (Fields{{"b", "1\n3"}, {"note", "x\ny"}, {"a", "2"}, {"bad?", "z?w"}}));
}

TEST(Provenance, Json) {
    EXPECT_EQ(json_of({}), "{\n}\n");
    EXPECT_EQ(json_of({{{"k", "tab\t line\n \"q\" \\ Å 𝛼"}}}),
              "{\n  \"k\": \"tab\\u0009 line\\n \\\"q\\\" \\\\ \\u00c5 \\ud835\\udefc\"\n}\n");
}

TEST(Utf8, OneCharacterAtATime) {
    std::string_view text = "a\u00b5\u2212\U0001d6fc";
    for (char32_t want : {U'a', U'µ', U'−', U'𝛼'}) EXPECT_EQ(next_character(text), want);
    EXPECT_TRUE(text.empty());
}

TEST(Utf8, WhatIsNone) {
    for (std::string_view bad :
         {"\x80", "\xc0\x80", "\xc1\xbf", "\xc3", "\xe2\x88", "\xe0\x80\x80", "\xed\xa0\x80",
          "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xc3\x28", "\xff"}) {
        std::string_view text = bad;
        EXPECT_EQ(next_character(text), not_utf8);
        EXPECT_EQ(text.size(), bad.size() - 1);
    }
}

}  // namespace
}  // namespace sluice::save
