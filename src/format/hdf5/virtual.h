// The sources of a virtual dataset, and its frames as runs of theirs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/frames.h"

namespace sluice::hdf5 {

/// A mapping and the dataset behind it; none: its file is missing or unreadable.
struct Source {
    VirtualMapping mapping;
    std::shared_ptr<StoredDataset const> dataset;
};

/// Opens all sources. Missing and unreadable ones are an error that names them all, or with
/// Opening::allow_incomplete a note; they come back without a dataset.
Result<std::vector<Source>> open_sources(StoredDataset const& dataset, Opening& opening);

/// A source that HDF5 itself would convert or reshape: refused, with the way to go on.
Error odd_source(StoredDataset const& dataset, StoredDataset const& source, std::string const& why);
Error other_type(StoredDataset const& dataset, StoredDataset const& source);

/// Frames first .. first + selection.count - 1 of the scan are those of another dataset.
struct VirtualRun {
    std::shared_ptr<StoredDataset const> source;
    index first = 0;
    Selection selection = {};
};

/// The runs behind a selection of a virtual dataset, ascending; nothing if its mappings are not
/// whole frames (a box_part() must read it then).
Result<std::optional<std::vector<VirtualRun>>> virtual_runs(StoredDataset const& dataset,
                                                            Selection wanted, Opening& opening);

/// The elements that a slab takes of one dimension, in order.
struct Line {
    std::uint64_t start = 0, stride = 1, count = 0, block = 1;

    std::uint64_t size() const { return count * block; }
    std::uint64_t at(std::uint64_t k) const { return start + k / block * stride + k % block; }
    std::uint64_t last() const { return at(size() - 1); }
    /// How many lie before `position`.
    std::uint64_t before(std::uint64_t position) const;
};

/// The lines of a slab, cut to an extent where it has no limit of its own; nothing if the slab is
/// invalid. A slab of everything takes the extent.
std::optional<std::vector<Line>> lines_of(Slab const& slab,
                                          std::vector<std::uint64_t> const& extent);

}  // namespace sluice::hdf5
