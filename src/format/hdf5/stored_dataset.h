// StoredDataset: what libhdf5 knows of a dataset of frames before any of them is read.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/library.h"
#include "sluice/dtype.h"

namespace sluice::hdf5 {

/// How files of this project hold a type.
hid_t little_endian(DType t);

struct Filter {
    int id = 0;
    std::string name;                   ///< as the file calls it; may be empty
    std::vector<unsigned> values = {};  ///< cd_values
    bool available = false;             ///< libhdf5 can decode it
};

enum class Storage : std::uint8_t { compact, contiguous, chunked, mapped };

struct StoredDataset {
    std::string file, path;
    Handle handle = {};
    std::vector<std::uint64_t> extent = {};  ///< 3 or more: ..., rows, columns
    std::vector<std::uint64_t> max = {};
    std::vector<std::uint64_t> chunk = {};  ///< empty unless chunked
    Storage storage = Storage::contiguous;
    DType dtype = DType::u16;
    std::string stored_type = {};  ///< e.g. "big-endian int16"
    bool exact = true;             ///< stored as `dtype`, little-endian
    std::vector<Filter> filters = {};
    std::uint64_t header = 0;  ///< address of the object header

    std::size_t rank() const { return extent.size(); }
    index rows() const { return static_cast<index>(extent[rank() - 2]); }
    index cols() const { return static_cast<index>(extent[rank() - 1]); }
    index frames() const;
    std::uint64_t frame_bytes() const {
        return static_cast<std::uint64_t>(rows() * cols() * size_of(dtype));
    }
    /// Each chunk holds one frame.
    bool frame_chunks() const;
};

/// "16x192x192".
std::string shape_text(std::vector<std::uint64_t> const& extent);

/// "bitshuffle (32008)", or "none".
std::string filter_names(StoredDataset const& dataset);

/// Describes the dataset at `path` of an open file; Code::unsupported unless it is one of 3 or
/// more dimensions of numbers.
Result<StoredDataset> describe(hid_t file, std::string const& path);
/// The same, opening the file too.
Result<StoredDataset> describe(std::string const& file, std::string const& path);

}  // namespace sluice::hdf5
