// The detector filters for libhdf5, which still reads small datasets and writes those of tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// Lets libhdf5 use bitshuffle and LZ4 where no plugin does. Needs the LibraryLock.
void register_filters();

}  // namespace sluice::hdf5
