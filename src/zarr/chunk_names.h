// The names of the files that have an array's chunks, as a folder shows them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "zarr/layout.h"

namespace sluice::zarr {

/// Whether the folder of an array has any chunk. An error where all chunks there are have names of
/// another kind than the metadata say: they would be taken as missing, and the array as empty.
Result<bool> has_chunks(std::string const& path, Layout const& layout);

/// Files in the folder besides the metadata; counting ends with `most`.
index count_chunk_files(std::string const& path, index most);

/// The files of an array's chunks or shards that are there, each by its numbers along the axes.
/// Names that its metadata do not allow are left out.
Result<std::vector<std::vector<index>>> chunk_files(std::string const& path, Layout const& layout);

}  // namespace sluice::zarr
