// The parts of an array's metadata, as layout.cpp puts them together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "zarr/layout.h"

namespace sluice::zarr {

/// These functions throw json::exception where a member is missing or of another kind.
using json = nlohmann::ordered_json;

/// Why an array is not read.
Error unknown(std::string_view what, json const& found);
std::vector<index> sizes(json const& list);

/// The bytes of a fill value; none where the type cannot have it.
std::optional<std::vector<std::byte>> fill_of(DType e, json const& j);

/// The axes of a chunk as they follow each other; the last is that of neighbours.
using Order = std::vector<std::size_t>;
Order in_order(std::size_t n);

std::optional<Step> step_of(std::string const& name);
bool compresses(Step step);

/// The codecs of version 3, and those of shards.
Status set_codecs(Layout& s, json const& list, Order& order);
Status set_shards(Layout& s, json const& config);

}  // namespace sluice::zarr
