// The formats of files of orientation maps.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/orientation_file.h"

namespace sluice::orient {

/// Of a map that check_orientations() has passed.
Status save_hdf5_map(std::string const& path, stem4d::OrientationMap const& map);
Status save_ang(std::string const& path, stem4d::OrientationMap const& map);
Status save_ctf(std::string const& path, stem4d::OrientationMap const& map);

}  // namespace sluice::orient
