// The tree of a HyperSpy file: the same in HDF5 (HSPY) and in Zarr (ZSPY).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "sluice/dataset.h"
#include "sluice/provenance.h"

namespace sluice::conversion {

/// A group and its attributes.
struct Node {
    using Value = std::variant<std::string, std::int64_t, double, bool>;
    std::string path;  ///< below the root; empty: the root
    std::vector<std::pair<std::string, Value>> attributes = {};
};

/// The group that has the array "data".
std::string hyperspy_group(Dataset const& dataset);
/// Groups before what is in them.
std::vector<Node> hyperspy_nodes(Dataset const& dataset, Provenance const& provenance);

}  // namespace sluice::conversion
