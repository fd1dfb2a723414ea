// Carrying out a plan: tiles are read and decoded by several threads.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/slide/scratch.h"
#include "domain/slide/target.h"
#include "domain/slide/tile_source.h"

namespace sluice::slide {

/// What a read works with.
struct Context {
    TileSource const& source;
    Model const& model;
    ScratchPool& scratch;
    std::uint64_t slide;  ///< unique among the slides of this process
};

/// Decodes each tile of the plan once and puts its visible parts into `target`. Sets `masks_found`,
/// and returns early, where a tile has a mask that the plan did not know of; without it, masks are
/// not looked for.
Status run(Context const& context, Plan const& plan, ReadOptions const& options, Target& target,
           Stats& stats, bool* masks_found);

int threads_of(ReadOptions const& options);

}  // namespace sluice::slide
