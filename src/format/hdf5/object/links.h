// Links: what the names in a group stand for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "format/hdf5/object/header.h"

namespace sluice::hdf5::object {

enum class LinkKind : std::uint8_t { hard, soft, external, other };

struct Link {
    std::string name;
    LinkKind kind = LinkKind::hard;
    std::uint64_t address = 0;  ///< hard: of the object's header
    std::string target = {};    ///< soft and external: a path
    std::string file = {};      ///< external: the file that the path is in
};

bool is_group(Header const& header);

/// The links of a group in the order of their names; a group of over `most` is an error.
Result<std::vector<Link>> links_of(Source const& source, Header const& group,
                                   std::size_t most = std::size_t{1} << 22);
/// One of them, without reading the others.
Result<std::optional<Link>> link_named(Source const& source, Header const& group,
                                       std::string_view name);

/// A link message (specification 3.0, section IV.A.2.g).
Result<Link> parse_link(Source const& source, Bytes bytes, std::uint64_t address);

/// What visits a group's links; false ends the visit.
using OnLink = std::function<Result<bool>(Link)>;

/// The links of a symbol table, as groups of the first format have it; those of one name only if
/// `name` is given.
Status visit_symbol_table(Source const& source, Message const& table,
                          std::optional<std::string_view> name, OnLink const& visit);

}  // namespace sluice::hdf5::object
