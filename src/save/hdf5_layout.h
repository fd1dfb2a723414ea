// The places of elements in an HDF5 file, for writers that fill them in any order.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/save.h"

namespace sluice::save {

/// Fills the file `path`, which is there, with everything but the elements of its datasets; the
/// result says at which byte the elements of each entry begin (0: it is no dataset). Pieces are not
/// asked for.
Result<std::vector<std::uint64_t>> lay_out_hdf5(std::string const& path,
                                                std::vector<Hdf5Entry> const& entries,
                                                Provenance const& provenance);

}  // namespace sluice::save
