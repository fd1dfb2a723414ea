// What a file itself says of the order of a dataset's axes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/boxes/axes.h"
#include "format/hdf5/stored_dataset.h"

namespace sluice::hdf5 {

/// Where the attributes of a dataset and of the groups around it are looked for: where it really
/// is, and where the links to it are.
struct Home {
    object::Object root;
    std::string path;

    std::string group() const;  ///< "/" for the root
};
Result<std::vector<Home>> homes_of(object::Object const& file, StoredDataset const& dataset);

/// The order of the axes of a dataset, and who said so, in words.
struct ChosenAxes {
    boxes::FrameAxes axes;
    std::string from = {};  ///< empty: nobody, it is the usual one
};

/// The user's order; else the one that the file names; else the usual one. An error where the file
/// says only that it is not the usual one (as MATLAB), or that there are no frames but a stack of
/// images, which the user must resolve.
Result<ChosenAxes> choose_axes(object::Object const& file, StoredDataset const& dataset,
                               std::string const& axis_order);

}  // namespace sluice::hdf5
