// The groups and arrays of an output, without their pixels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/slide/ngff/work.h"

namespace sluice::slide::ome {

/// Writes the metadata of every group and array. The attributes of an image are those of its
/// pixels, and come after them.
Status write_groups(Work const& work);

/// Opens the arrays of an image; an error where they differ from those that were written.
Result<std::vector<zarr::Array>> open_levels(Work const& work, ImagePlan const& image);

/// Writes the attributes of an image, the last that is written of it.
Status write_image(Work const& work, std::size_t number);

}  // namespace sluice::slide::ome
