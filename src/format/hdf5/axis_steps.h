// How far apart the places of a scan and the pixels of a detector are, and how one lies against the
// other, where the file says it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/axis_words.h"
#include "sluice/dataset.h"

namespace sluice::hdf5 {

/// 0: unknown.
struct AxisSteps {
    double scan_nm = 0;
    double detector_mrad = 0;
    double detector_per_nm = 0;  ///< an angle over the wavelength, which the file need not have
    double energy_kv = 0, semiangle_mrad = 0, camera_length_mm = 0;
    std::optional<DetectorTurn> turn = {};  ///< of py4DSTEM's calibration
    std::vector<std::string> notes = {};
};

/// Of py4DSTEM's calibration beside the dataset; else of the datasets dim0, dim1, ... of EMD files,
/// or of the groups axis-0, axis-1, ... of HyperSpy, whose metadata have the microscope too.
/// A unit that is not known is noted, and its step is left out.
Result<AxisSteps> axis_steps(object::Object const& file, StoredDataset const& dataset,
                             boxes::FrameAxes const& axes);

}  // namespace sluice::hdf5
