// The words of how an acquisition is written.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "config/words.h"
#include "format/nxmx/writer.h"

namespace sluice::nxmx {

constexpr auto words(Layout /*of_this_type*/) {
    return std::to_array<config::Word<Layout>>(
        {{"legacy", Layout::legacy}, {"v2024", Layout::v2024}});
}
constexpr auto words(Compression /*of_this_type*/) {
    return std::to_array<config::Word<Compression>>({{"bslz4", Compression::bslz4},
                                                     {"bszstd", Compression::bszstd},
                                                     {"bitshuffle", Compression::bitshuffle},
                                                     {"lz4", Compression::lz4},
                                                     {"gzip", Compression::gzip},
                                                     {"none", Compression::none}});
}
constexpr auto words(Damage /*of_this_type*/) {
    return std::to_array<config::Word<Damage>>({{"none", Damage::none},
                                                {"missing-file", Damage::missing_file},
                                                {"truncated", Damage::truncated},
                                                {"lz4-garbage", Damage::lz4_garbage},
                                                {"zero-block", Damage::zero_block},
                                                {"wrong-total", Damage::wrong_total},
                                                {"missing-frames", Damage::missing_frames},
                                                {"wrong-shape", Damage::wrong_shape},
                                                {"wrong-dtype", Damage::wrong_dtype}});
}

}  // namespace sluice::nxmx
