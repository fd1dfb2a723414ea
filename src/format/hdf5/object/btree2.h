// The version 2 B-tree: records of one size in the order of their keys.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "format/hdf5/object/source.h"

namespace sluice::hdf5::object {

/// Numbered as in the file.
enum class RecordType : std::uint8_t {
    huge = 1,
    huge_filtered = 2,
    link_name = 5,
    attribute_name = 8,
    shared_message = 7,
};

/// What to do with a record; false ends the walk.
using OnRecord = std::function<Result<bool>(Bytes record)>;
/// Whether a record stands before (< 0), among (0) or after (> 0) those that are looked for.
using Place = std::function<int(Bytes record)>;

/// Visits the records of the tree whose header is at `address`, in order: all of them, or those
/// that `place` puts at 0. `record_bytes` is what a record has at least.
Status walk_records(Source const& source, std::uint64_t address, RecordType type,
                    std::uint64_t record_bytes, OnRecord const& visit, Place const& place = {});

}  // namespace sluice::hdf5::object
