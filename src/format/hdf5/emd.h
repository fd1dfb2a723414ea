// EMD 1.0: the nodes of files that emdfile and py4DSTEM write.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/object/object.h"

namespace sluice::hdf5 {

/// py4DSTEM's names of its classes.
inline constexpr std::string_view emd_bragg_vectors = "BraggVectors", emd_datacube = "DataCube";

/// The nodes of a class in the order of the tree; empty if the file is no EMD 1.0.
Result<std::vector<object::Object>> emd_nodes(object::Object const& root,
                                              std::string_view python_class);

}  // namespace sluice::hdf5
