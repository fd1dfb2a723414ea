// The words of slides' enumerations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "config/words.h"
#include "sluice/convert.h"

namespace sluice::slide {

constexpr auto words(Layout /*of_this_type*/) {
    return std::to_array<config::Word<Layout>>({{"auto", Layout::automatic},
                                                {"scenes", Layout::scenes},
                                                {"plate", Layout::plate},
                                                {"merged", Layout::merged}});
}
constexpr auto words(ChunkCodec /*of_this_type*/) {
    return std::to_array<config::Word<ChunkCodec>>({{"blosc-lz4", ChunkCodec::blosc_lz4},
                                                    {"zstd", ChunkCodec::zstd},
                                                    {"none", ChunkCodec::none}});
}

}  // namespace sluice::slide
