// StoredDataset: what is known of a dataset of frames before any of them is read.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/object/mapping.h"
#include "format/stored_type.h"

namespace sluice::hdf5 {

enum class Storage : std::uint8_t { compact, contiguous, chunked, mapped };

/// A selection of a dataset: along each dimension `count` blocks, their beginnings `stride` apart.
struct Slab {
    std::vector<std::uint64_t> start, stride, count, block;

    /// Without any dimension: all of a dataset whose shape the file does not say.
    bool all() const { return start.empty(); }
};

/// One source of a virtual dataset: what `there` selects of it stands where `here` does.
struct VirtualMapping {
    std::string file, path;  ///< "." is the file of the virtual dataset
    Slab here, there;
};

struct StoredDataset {
    std::string file, path;
    object::Object object = {};
    std::string asked = {};                  ///< the path by which it was asked for, through links
    std::vector<std::uint64_t> extent = {};  ///< 3 or more: ..., rows, columns
    std::vector<std::uint64_t> max = {};
    std::vector<std::uint64_t> chunk = {};  ///< empty unless chunked
    Storage storage = Storage::contiguous;
    StoredType element = {};
    DType dtype = DType::u16;          ///< what it is read as
    std::string stored_type = {};      ///< e.g. "big-endian int16"
    bool exact = true;                 ///< stored as `dtype`, little-endian
    std::vector<std::byte> fill = {};  ///< the fill value as stored; empty: zero
    std::vector<Filter> filters = {};
    bool plain_edges = false;                   ///< chunks at the edge are not filtered
    ChunkLayout chunks = {};                    ///< where the index of the chunks is
    std::optional<std::uint64_t> offset = {};   ///< of contiguous values, if there are any
    std::vector<std::byte> compact = {};        ///< the values themselves
    bool external = false;                      ///< the values are in files of their own
    std::vector<VirtualMapping> mappings = {};  ///< of a virtual dataset
    std::string odd_mapping = {};               ///< why the mappings cannot be read

    std::size_t rank() const { return extent.size(); }
    index rows() const { return rank() < 2 ? 1 : static_cast<index>(extent[rank() - 2]); }
    index cols() const { return static_cast<index>(extent[rank() - 1]); }
    index frames() const;
    std::uint64_t frame_bytes() const {
        return static_cast<std::uint64_t>(rows() * cols() * size_of(dtype));
    }
    std::size_t element_bytes() const { return static_cast<std::size_t>(element.bytes); }
    /// The fill value as `dtype`; empty: zero.
    std::vector<std::byte> read_fill() const;
    /// Each chunk holds one frame.
    bool frame_chunks() const;
    /// No chunk has pixels of several frames.
    bool chunks_within_frames() const;
};

/// "16x192x192".
std::string shape_text(std::vector<std::uint64_t> const& extent);

/// "bitshuffle (32008)", or "none".
std::string filter_names(StoredDataset const& dataset);

/// Describes the dataset at `path` of an open file; Code::unsupported unless it is one of
/// `least_rank` or more dimensions of numbers.
Result<StoredDataset> describe(object::Object const& file, std::string const& path,
                               std::size_t least_rank = 3);
/// The same, opening the file too.
Result<StoredDataset> describe(std::string const& file, std::string const& path,
                               std::size_t least_rank = 3);

}  // namespace sluice::hdf5
