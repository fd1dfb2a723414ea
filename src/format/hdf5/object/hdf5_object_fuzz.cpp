// The metadata of whole HDF5 files on arbitrary bytes: open, list, attributes, small datasets.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/object/test_walk.h"

using namespace sluice;
using namespace sluice::hdf5::object;

/// Input: a file. It is read as it is, and with its checksums left alone to get past them.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    auto const bytes = std::as_bytes(std::span(data, size));
    walk_bytes(bytes, hdf5::Sums::compare);
    walk_bytes(bytes, hdf5::Sums::ignore);
    return 0;
}
