// Filters of HDF5: their numbers, and one as a dataset names it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sluice::hdf5 {

/// The numbers that the HDF Group registered.
enum FilterId : int {
    filter_deflate = 1,
    filter_shuffle = 2,
    filter_fletcher32 = 3,
    filter_szip = 4,
    filter_nbit = 5,
    filter_scaleoffset = 6,
    filter_lzf = 32000,
    filter_blosc = 32001,
    filter_lz4 = 32004,
    filter_bitshuffle = 32008,
    filter_zstd = 32015,
};

/// One step of a dataset's pipeline.
struct Filter {
    int id = 0;
    std::string name = {};              ///< as the file calls it; may be empty
    std::vector<unsigned> values = {};  ///< cd_values
};

/// What people call a filter, or nothing for one that is not known here.
std::string_view usual_name(int id);

}  // namespace sluice::hdf5
