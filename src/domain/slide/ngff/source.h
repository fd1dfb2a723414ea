// Rows of the slide, as the planes of an image need them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/slide/ngff/cascade.h"
#include "domain/slide/ngff/work.h"

namespace sluice::slide::ome {

/// Where in the arrays of an image a plane is.
PlaneAt place_of(PlanePlan const& plane, int samples);

/// Reads bands of the full resolution, which share a cache of tiles.
class SlideRows {
  public:
    explicit SlideRows(Work const& work) : work_(work), cache_(work.plan.cache_memory) {}

    /// Fills the next band of a lane, and records in output.step which tiles could not be read.
    /// Progress within the band is reported only where it is read `alone`.
    Status fill(Cascade& lane, Output& output, PlanePlan const& plane, bool alone);

  private:
    Work const& work_;
    TileCache cache_;
};

}  // namespace sluice::slide::ome
