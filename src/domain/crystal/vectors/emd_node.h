// The node of an EMD file that has Bragg vectors: its shapes and its lists.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/object/lists.h"

namespace sluice::crystal {

struct EmdNode {
    hdf5::object::Object object;
    std::array<index, 2> scan_shape, detector_shape;
    hdf5::object::Lists lists;  ///< as many as the scan has patterns
};

/// The node of that path, or the only one if the path is empty.
Result<EmdNode> open_emd(std::string const& path, std::string const& node);

/// Reads a dataset of as many numbers as there is room for; false if there is no such dataset.
Result<bool> read_floats(hdf5::object::Object const& group, std::string_view name,
                         std::span<float> out);

}  // namespace sluice::crystal
