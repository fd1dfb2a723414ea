// Where an image has tiles: its planes, and the bands of them that are made.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "domain/slide/ngff/plan.h"

namespace sluice::slide::ome {

/// Gives each image of the plan the planes that have tiles, in the order of t, c and z.
void place_tiles(Slide const& slide, Plan& plan);

/// Whether less than a quarter of the files of the planes would hold a pixel of a tile.
bool is_sparse(ImagePlan const& image, index block);

/// Bands that follow each other in a strip, and that begin where no level has a band half done.
struct BandRun {
    index x = 0, width = 0;      ///< columns of the pass's source level
    index first = 0, bands = 0;  ///< bands of it
};

/// All that a pass makes of some planes side by side: what holds tiles of any of them, rounded up
/// to whole files of the last level of the pass. Pixels outside of all runs are background in all
/// levels.
std::vector<BandRun> runs_of(ImagePlan const& image, Pass const& pass, index block,
                             std::span<PlanePlan const> planes);

/// Bytes of one plane's band of a run, where the source level is the full resolution.
std::uint64_t bytes_of(Plan const& plan, ImagePlan const& image, BandRun const& run, index band);

/// Of all bands that are made of the slide.
std::uint64_t bytes_of(Plan const& plan, ImagePlan const& image);

}  // namespace sluice::slide::ome
