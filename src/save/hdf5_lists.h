// Datasets of lists of points, which libhdf5 itself writes into its heap.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "save/hdf5_library.h"
#include "sluice/save.h"

namespace sluice::save {

/// Makes the dataset below `file` and writes its points, some thousand lists of a row at a time: no
/// second copy of all points is in memory. False where libhdf5 refuses; errors are those of
/// `values`.
Result<bool> write_lists(hid_t file, hid_t links, Hdf5PointLists const& lists);

/// As many bytes as the lists take in a file, or more.
std::uint64_t room_for(Hdf5PointLists const& lists);

}  // namespace sluice::save
