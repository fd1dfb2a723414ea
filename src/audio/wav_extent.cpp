// The walk over the chunks of a RIFF file.
// SPDX-License-Identifier: Apache-2.0
#include "audio/wav_extent.h"

#include <array>
#include <cstring>
#include <string_view>

#include "base/bytes.h"

namespace sluice::audio {
namespace {

// Writers that do not know the length take 0, 0x7ffff000, 0xffffffff and their neighbours; of 64
// bits 0 and -1.
bool is_known(std::uint64_t promised) {
    bool const around_2_gib = promised >= 0x7fff'0000 && promised <= 0x8000'0000;
    bool const around_4_gib = promised >= 0xffff'0000 && promised <= 0xffff'ffff;
    return promised != 0 && !around_2_gib && !around_4_gib && promised <= INT64_MAX;
}

}  // namespace

Result<std::optional<Missing>> missing_of_wav(std::uint64_t size, ReadAt const& read) {
    std::optional<Missing> const whole;
    std::array<std::byte, 16> bytes;
    auto const head = std::span(bytes).first<8>();
    if (size < 12) return whole;
    SLUICE_CHECK(read(0, head));
    auto const is = [&](std::string_view name) {
        return std::memcmp(head.data(), name.data(), 4) == 0;
    };
    bool const big_endian = is("RIFX"), large = is("RF64");
    if (!is("RIFF") && !big_endian && !large) return whole;
    // Each step goes on by 8 bytes at least; a file of many chunks is not music.
    std::uint64_t at = 12, large_size = 0;
    for (int chunks = 0; chunks < 10'000 && at + 8 <= size; ++chunks) {
        SLUICE_CHECK(read(at, head));
        std::uint64_t const length =
            big_endian ? load_be<std::uint32_t>(&head[4]) : load_le<std::uint32_t>(&head[4]);
        at += 8;
        if (is("data")) {
            std::uint64_t const promised = large && length == 0xffff'ffff ? large_size : length;
            if (!is_known(promised) || promised <= size - at) return whole;
            return std::optional<Missing>{Missing{at, promised, size - at}};
        }
        // EBU Tech 3306: the sizes that need 64 bits, of the file and then of the samples.
        if (large && is("ds64") && size - at >= 16) {
            SLUICE_CHECK(read(at, bytes));
            large_size = load_le<std::uint64_t>(&bytes[8]);
        }
        at += length + length % 2;
    }
    return whole;
}

}  // namespace sluice::audio
