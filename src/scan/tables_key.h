// TablesKey: what a file of tables was made of, so that it is believed of nothing else.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "store/plan.h"

namespace sluice {

/// Names and values; files come first. The names of files are relative to the scan's folder, so
/// that a folder can be moved.
struct TablesKey {
    std::vector<std::pair<std::string, std::string>> parts = {};

    bool operator==(TablesKey const&) const = default;
};

/// Fails where a file of the scan cannot be asked for its size.
Result<TablesKey> tables_key(Dataset const& dataset, store::Plan const& plan,
                             LoadOptions const& options);

/// Which file has changed since a moment of the system's clock (ns), in words; empty: none. A
/// change within the tick of a file system's clock (4 ms) is not seen.
std::string changed_since(Dataset const& dataset, std::int64_t moment);

/// What differs, as in "the mask differs"; empty: nothing.
std::string difference(TablesKey const& kept, TablesKey const& now);

}  // namespace sluice
