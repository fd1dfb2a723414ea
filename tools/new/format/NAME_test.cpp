// Tests of the @Name@ reader: a file written here, and what is wrong with broken ones.
// SPDX-License-Identifier: Apache-2.0
#include "format/@name@/@name@.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "base/bytes.h"
#include "format/frame_source.h"

namespace sluice::@name@ {
namespace {

/// A file of frames whose values count upwards: the writer that only the tests have.
std::string file_of(std::uint32_t frames, std::uint32_t rows, std::uint32_t cols) {
    std::string text = "@NAME@";
    text.resize(8, '\0');
    for (std::uint32_t n : {frames, rows, cols})
        for (int shift = 0; shift < 32; shift += 8)
            text.push_back(static_cast<char>(n >> shift & 0xff));
    for (std::uint32_t i = 0; i < frames * rows * cols; ++i) {
        text.push_back(static_cast<char>(i & 0xff));
        text.push_back(static_cast<char>(i >> 8 & 0xff));
    }
    return text;
}

std::string write(std::string const& name, std::string const& text) {
    std::string const path = testing::TempDir() + "@name@_test_" + name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
}

TEST(@Name@, ReadsWhatWasWritten) {
    auto const d = open(write("good", file_of(6, 2, 3)), {.scan_shape = {{2, 3}}});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->frames, 6);
    EXPECT_EQ(d->pixels(), 6);
    EXPECT_EQ(d->scan[1], 3);
    FetchScratch scratch;
    std::array<EncodedFrame, 2> frames;
    ASSERT_TRUE(d->source->fetch(4, frames, scratch));
    EXPECT_EQ(load_le<std::uint16_t>(frames[1].bytes.data()), 30);
}

TEST(@Name@, KnowsItsFiles) {
    std::string const text = file_of(1, 1, 1);
    EXPECT_TRUE(recognises("x", std::as_bytes(std::span(text))));
    EXPECT_FALSE(recognises("x", std::as_bytes(std::span(text)).subspan(1)));
    EXPECT_FALSE(recognises("x", {}));
}

TEST(@Name@, RefusesEveryTruncation) {
    std::string const text = file_of(2, 2, 2);
    for (std::size_t n = 0; n < text.size(); ++n) {
        auto const d = open(write("short", text.substr(0, n)), {});
        ASSERT_FALSE(d) << n;
        EXPECT_EQ(d.error().code, Code::truncated);
        EXPECT_FALSE(d.error().file.empty());
    }
}

TEST(@Name@, RefusesAbsurdSizesBeforeAllocating) {
    std::string text = file_of(2, 2, 2);
    std::memset(text.data() + 8, 0xff, 12);
    EXPECT_FALSE(open(write("huge", text), {}));
    std::memset(text.data() + 8, 0, 12);
    EXPECT_FALSE(open(write("empty", text), {}));
}

TEST(@Name@, RefusesAScanShapeThatDoesNotFit) {
    EXPECT_FALSE(open(write("shape", file_of(6, 2, 3)), {.scan_shape = {{4, 2}}}));
}

}  // namespace
}  // namespace sluice::@name@
