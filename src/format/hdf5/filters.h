// Filters of HDF5: their numbers, and one as a dataset names it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
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

}  // namespace sluice::hdf5
