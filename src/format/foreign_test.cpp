// Files of other programs: each is named by its bytes, with something that can be done.
// SPDX-License-Identifier: Apache-2.0
#include "format/foreign.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice {
namespace {

using namespace std::string_view_literals;

std::vector<std::byte> bytes_of(std::string_view text, std::size_t at = 0) {
    std::vector<std::byte> out(4096, std::byte(0x81));
    for (std::size_t i = 0; i < text.size(); ++i) out[at + i] = std::byte(text[i]);
    return out;
}

std::string name_of(std::string const& path, std::vector<std::byte> const& head) {
    auto const f = look_up_foreign(path, head);
    if (!f) return "";
    EXPECT_FALSE(f->advice.empty()) << path;
    return std::string(f->name);
}

TEST(Foreign, FormatsAreNamedByTheirBytes) {
    struct Case {
        std::string path;
        std::string_view bytes;
        std::size_t at;
        std::string_view named;
    };
    for (Case const& c : std::vector<Case>{

             {"a.eer", "II*\0"sv, 0, "EER"},
             {"a.svs", "MM\0*"sv, 0, "SVS"},
             {"a.EER", "II+\0"sv, 0, "EER"},
             {"a.svs", "II*\0"sv, 0, "SVS"},
             {"a.ndpi", "II*\0"sv, 0, "NDPI"},
             {"a.nd2", "\xDA\xCE\xBE\x0A"sv, 0, "ND2"},
             {"a.lif", "p\0\0\0"sv, 0, "LIF"},
             {"a.zip", "PK\3\4", 0, "ZIP"},

             {"a.h5", "version https://git-lfs.github.com/spec/v1", 0, "Git LFS"},
             {"a.h5", "<!DOCTYPE html>", 0, "web page"},
             {"a.mat", "MATLAB 5.0 MAT-file", 0, "MAT"}})
        EXPECT_NE(name_of(c.path, bytes_of(c.bytes, c.at)).find(c.named), std::string::npos)
            << c.path << ": " << name_of(c.path, bytes_of(c.bytes, c.at));
}

TEST(Foreign, WhatNobodyKnowsIsNotNamed) {
    EXPECT_EQ(name_of("a.bin", bytes_of("")), "");
    EXPECT_EQ(name_of("a.bin", {}), "");
    std::string_view const hello = "hello, world\n";
    std::vector<std::byte> text;
    for (char const c : hello) text.push_back(std::byte(c));
    EXPECT_EQ(name_of("a.h5", text), "text");
}

}  // namespace
}  // namespace sluice
