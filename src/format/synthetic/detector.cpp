// Choosing bad pixels, and writing counts.
// SPDX-License-Identifier: Apache-2.0
#include "format/synthetic/detector.h"

#include <algorithm>
#include <cstring>

#include "format/synthetic/random.h"

namespace sluice {
namespace {

template <class T>
void store(std::span<std::uint32_t const> counts, std::uint32_t most, std::byte* out) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
        T const v = static_cast<T>(std::min(counts[i], most));
        std::memcpy(out + i * sizeof(T), &v, sizeof(T));
    }
}

}  // namespace

BadPixels bad_pixels(SyntheticOptions const& o) {
    using namespace synthetic;
    BadPixels bad;
    if (o.masked == 0) return bad;
    auto const pixels = static_cast<std::size_t>(o.pixels());
    bad.mask.assign(pixels, 0);
    std::uint64_t counter = frame_key(o.mask_seed.value_or(o.seed), ~std::uint64_t{0});
    while (bad.at.size() < static_cast<std::size_t>(o.masked)) {
        std::size_t const at = mix(counter += golden) % pixels;
        if (bad.mask[at] != 0) continue;
        // Noisy, or noisy and under-responding.
        bad.mask[at] = bad.at.size() % 4 == 3 ? 0x10 : 0x14;
        bad.at.push_back(at);
    }
    return bad;
}

void store_counts(SyntheticOptions const& o, BadPixels const& bad,
                  std::span<std::uint32_t const> counts, std::span<std::byte> out) {
    switch (o.dtype) {
        case DType::u8:
            store<std::uint8_t>(counts, o.saturation(), out.data());
            break;
        case DType::u16:
            store<std::uint16_t>(counts, o.saturation(), out.data());
            break;
        default:
            store<std::uint32_t>(counts, o.saturation(), out.data());
            break;
    }
    auto const element = static_cast<std::size_t>(size_of(o.dtype));
    for (std::size_t at : bad.at)
        std::memset(out.data() + at * element, o.sentinel ? 0xff : 0, element);
}

}  // namespace sluice
