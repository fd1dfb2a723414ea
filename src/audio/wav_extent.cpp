// The walk over the chunks of a RIFF file.
// SPDX-License-Identifier: Apache-2.0
#include "audio/wav_extent.h"

#include <array>
#include <cstring>

namespace sluice::audio {
namespace {

std::uint64_t word(std::byte const* p) {
    std::uint64_t v = 0;
    for (unsigned k = 0; k < 4; ++k) v |= std::to_integer<std::uint64_t>(p[k]) << (8 * k);
    return v;
}

}  // namespace

Result<std::optional<Missing>> missing_of_wav(std::uint64_t size, ReadAt const& read) {
    std::optional<Missing> const whole;
    std::array<std::byte, 8> head;
    if (size < 12) return whole;
    SLUICE_CHECK(read(0, head));
    if (std::memcmp(head.data(), "RIFF", 4) != 0) return whole;
    // Writers that do not know the length take 0, 0x7ffff000, 0xffffffff and their neighbours.
    constexpr std::uint64_t unknown = 0x7fff'0000;
    // Each step goes on by 8 bytes at least; a file of many chunks is none of music.
    std::uint64_t at = 12;
    for (int chunks = 0; chunks < 10'000 && at + 8 <= size; ++chunks) {
        SLUICE_CHECK(read(at, head));
        std::uint64_t const promised = word(head.data() + 4);
        at += 8;
        if (std::memcmp(head.data(), "data", 4) == 0) {
            if (promised == 0 || promised >= unknown || promised <= size - at) return whole;
            return std::optional<Missing>{Missing{at, promised, size - at}};
        }
        at += promised + promised % 2;
    }
    return whole;
}

}  // namespace sluice::audio
