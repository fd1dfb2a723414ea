// Fuzz target: any bytes as a sound file, read to its end or for some seconds.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include "audio/source.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using sluice::index, sluice::expects;
    auto source =
        sluice::audio::Source::open({reinterpret_cast<std::byte const*>(data), size}, "fuzz");
    if (!source) return 0;
    index const channels = source->sound().channels;
    std::vector<float> block(static_cast<std::size_t>(channels * 1000));
    for (int blocks = 0; blocks < 200; ++blocks) {
        auto const got = source->read(block);
        if (!got || *got == 0) break;
        expects(*got <= 1000);
        for (index k = 0; k < *got * channels; ++k)
            expects(std::isfinite(block[static_cast<std::size_t>(k)]));
    }
    return 0;
}
