// What a Zarr folder says of an array of frames: the names of its axes, its calibration.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/axis_names.h"
#include "sluice/dataset.h"

namespace sluice::zarr_scan {

struct About {
    std::vector<hdf5::AxisWords> axes = {};         ///< one per dimension, or none
    std::vector<std::optional<double>> steps = {};  ///< beside them
    std::string description = {};                   ///< of format/described.h
    /// HyperSpy's microscope as JSON.
    std::string microscope = {};
    std::vector<MetaField> metadata = {};
};

/// Of the array `name` with so many dimensions. Attributes that are damaged are errors.
Result<About> about(std::string const& folder, std::string const& name, std::size_t rank);

/// Steps of the axes as calibration; steps that cannot be used are noted.
void take_about(About const& about, boxes::FrameAxes const& axes, Dataset& into);

}  // namespace sluice::zarr_scan
