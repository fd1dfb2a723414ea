// PartHead: what a packed part says of itself before its numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fold/items.h"
#include "fold/packer.h"

namespace sluice::fold {

/// Layout: "sluicept", u32 version, u32 length and bytes of the name, u32 number of sizes and i64
/// each, then i64: items of the source, first and last group, first and last item; u32: 1 where
/// the groups are merged, else 0.
struct PartHead {
    std::string analysis;
    std::vector<index> sizes;
    index all_items = 0;  ///< of the source; 0 if it does not end
    Range groups, items;  ///< of the part
    bool merged = false;  ///< one result stands for all groups

    bool operator==(PartHead const&) const = default;
};

void pack_head(Packer& out, PartHead const& head);
Result<PartHead> unpack_head(Unpacker& in);

/// Whether the groups are some of those that there are.
Status check_groups(Range groups, index all);
/// Says in which way a part is not the expected one.
Status check_head(PartHead const& head, PartHead const& expected);

/// Merged where the analysis does not merge exactly, or where nothing was to be merged.
Error refuse_merged();

/// The bytes with their checksum after them.
std::vector<std::byte> sealed(Packer&& out);
/// The bytes before the checksum; refuses bytes that are not a packed part, or that changed since.
Result<Bytes> unsealed(Bytes packed);

}  // namespace sluice::fold
