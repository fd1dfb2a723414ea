// What the header of a dataset says: its shape, type, storage, filters and fill value.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/chunk_layout.h"
#include "format/hdf5/filters.h"
#include "format/hdf5/object/datatype.h"
#include "format/hdf5/object/object.h"

namespace sluice::hdf5::object {

struct Dataspace {
    std::vector<std::uint64_t> extent = {};  ///< empty: a scalar
    std::vector<std::uint64_t> max = {};     ///< all-ones: without limit
    bool null = false;                       ///< no elements at all

    /// Elements; nothing if there are over 2^62.
    std::optional<std::uint64_t> count() const;
};

enum class LayoutClass : std::uint8_t { compact, contiguous, chunked, mapped };

struct Layout {
    LayoutClass kind = LayoutClass::contiguous;
    std::vector<std::byte> compact = {};  ///< the data themselves
    /// Of the data of a contiguous dataset, or of the heap that describes a mapped one.
    std::uint64_t address = ~std::uint64_t{0};
    std::uint64_t bytes = 0;        ///< contiguous: of the data
    std::uint64_t heap_object = 0;  ///< mapped: its number in the heap
    ChunkLayout chunks = {};
    std::uint64_t element_bytes = 0;  ///< chunked: as the layout says it

    /// Chunks that reach over the edge are stored without filters.
    bool plain_edges() const { return (chunks.flags & 1) != 0; }
};

/// Messages (specification 3.0, section IV.A.2) of a header, each parsed alone.
Result<Dataspace> parse_dataspace(Source const& source, Bytes bytes, std::uint64_t address);
Result<std::vector<Filter>> parse_filters(Source const& source, Bytes bytes, std::uint64_t address);
Result<Layout> parse_layout(Source const& source, Bytes bytes, std::uint64_t address);

struct DatasetInfo {
    Datatype type = {};
    Dataspace space = {};
    Layout layout = {};
    std::vector<Filter> filters = {};
    std::vector<std::byte> fill = {};  ///< one element, as stored; empty: zeros
    bool external = false;             ///< the data are in files of another format
};

/// Reads them, and checks that they fit each other.
Result<DatasetInfo> dataset_info(Object const& dataset);

}  // namespace sluice::hdf5::object
