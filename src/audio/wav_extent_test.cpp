// Tests of missing_of_wav(): what headers of WAV files promise, in all their forms.
// SPDX-License-Identifier: Apache-2.0
#include "audio/wav_extent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace sluice::audio {
namespace {

std::string number(std::uint64_t n, int bytes, bool big = false) {
    std::string out;
    for (int k = 0; k < bytes; ++k)
        out += static_cast<char>(n >> 8 * (big ? bytes - 1 - k : k) & 0xff);
    return out;
}

/// What is missing of a file of `size` bytes that begins so; behind it are zeros.
std::optional<Missing> missing(std::string const& begin, std::uint64_t size) {
    return missing_of_wav(size,
                          [&](std::uint64_t offset, std::span<std::byte> out) -> Status {
                              expects(offset + out.size() <= size);
                              std::ranges::fill(out, std::byte{});
                              if (offset < begin.size())
                                  std::memcpy(out.data(), begin.data() + offset,
                                              std::min(out.size(), begin.size() - offset));
                              return {};
                          })
        .value();
}

std::string wave(std::uint64_t data, bool big = false) {
    return (big ? "RIFX" : "RIFF") + number(36, 4) + "WAVE" + "fmt " + number(16, 4, big) +
           std::string(16, '\0') + "data" + number(data, 4, big);
}

std::string rf64(std::uint64_t data) {
    return "RF64" + number(0xffffffff, 4) + "WAVE" + "ds64" + number(28, 4) + number(0, 8) +
           number(data, 8) + std::string(12, '\0') + "data" + number(0xffffffff, 4);
}

TEST(WavExtent, OfOrdinaryFiles) {
    EXPECT_FALSE(missing(wave(100), 144));
    EXPECT_FALSE(missing(wave(100), 1000));
    auto const m = missing(wave(100), 143);
    ASSERT_TRUE(m);
    EXPECT_EQ(m->at, 44u);
    EXPECT_EQ(m->promised, 100u);
    EXPECT_EQ(m->there, 99u);
    EXPECT_FALSE(missing("OggS" + std::string(40, '\0'), 44));
}

TEST(WavExtent, OfBigEndianFiles) {
    EXPECT_FALSE(missing(wave(100, true), 144));
    ASSERT_TRUE(missing(wave(100, true), 100));
    EXPECT_EQ(missing(wave(100, true), 100)->promised, 100u);
}

TEST(WavExtent, OfMoreThanFourGigabytes) {
    constexpr std::uint64_t data = 5'000'000'000;
    EXPECT_FALSE(missing(rf64(data), 56 + data));
    auto const m = missing(rf64(data), 56 + data - 1);
    ASSERT_TRUE(m);
    EXPECT_EQ(m->promised, data);
    EXPECT_EQ(m->there, data - 1);
}

// Two hours of 24 bits have more than 2 GiB, which does not tell of a pipe.
TEST(WavExtent, OfMoreThanTwoGigabytes) {
    constexpr std::uint64_t data = 3'000'000'000;
    EXPECT_FALSE(missing(wave(data), 44 + data));
    EXPECT_TRUE(missing(wave(data), data));
}

TEST(WavExtent, IsNotKnownOfPipes) {
    for (std::uint64_t const data :
         {0u, 0x7fff'ffdcu, 0x7fff'f000u, 0x7fff'ffffu, 0x8000'0000u, 0xffff'ffdbu, 0xffff'ffffu})
        EXPECT_FALSE(missing(wave(data), 1000)) << data;
    EXPECT_FALSE(missing(rf64(0), 1000));
    EXPECT_FALSE(missing(rf64(~std::uint64_t{0}), 1000));
}

}  // namespace
}  // namespace sluice::audio
