// What marks an HDF5 file as an orientation map.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/object/object.h"

namespace sluice {

/// The attribute `kind` of the root.
inline constexpr std::string_view orientations_kind = "orientation map";
bool is_orientations(hdf5::object::Object const& root);

}  // namespace sluice
