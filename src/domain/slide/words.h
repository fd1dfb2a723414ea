// The words of slides' enumerations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "config/words.h"
#include "sluice/convert.h"

namespace sluice::slide {

constexpr auto words(ImageLayout /*of_this_type*/) {
    return std::to_array<config::Word<ImageLayout>>({{"auto", ImageLayout::automatic},
                                                     {"scenes", ImageLayout::scenes},
                                                     {"plate", ImageLayout::plate},
                                                     {"merged", ImageLayout::merged}});
}
constexpr auto words(ChunkCodec /*of_this_type*/) {
    return std::to_array<config::Word<ChunkCodec>>({{"blosc-lz4", ChunkCodec::blosc_lz4},
                                                    {"zstd", ChunkCodec::zstd},
                                                    {"none", ChunkCodec::none}});
}

}  // namespace sluice::slide
