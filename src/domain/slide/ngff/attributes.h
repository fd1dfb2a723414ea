// What OME-Zarr 0.4 and 0.5 say about images, plates and wells.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/slide/ngff/pixels.h"
#include "domain/slide/ngff/plan.h"

namespace sluice::slide::ome {

/// Facts about an image that are known once its pixels are written.
struct Seen {
    std::vector<Range> ranges = {};                   ///< [component]
    std::map<std::int32_t, std::string> filled = {};  ///< tiles that could not be read, and why
    double fill_bad = 0;                              ///< the value in their places
    std::vector<index> files = {};                    ///< [level] of chunks that were written
};

/// Attributes as the text of a JSON object.
std::string image_attributes(Plan const& plan, ImagePlan const& image, Seen const& seen);
/// Of the root: a plate, or the layout of bioformats2raw.
std::string root_attributes(Plan const& plan);
/// Of the group OME.
std::string ome_attributes(Plan const& plan);
/// Of the well that holds an image.
std::string well_attributes(Plan const& plan, WellPlan const& well);

}  // namespace sluice::slide::ome
