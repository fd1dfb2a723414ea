// ItemSource: what can be folded, as groups of items that each worker reads with its own reader.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <limits>
#include <span>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::fold {

/// Items, or groups of them: first .. last - 1.
struct Range {
    index first = 0, last = 0;

    index count() const { return last - first; }
    bool operator==(Range const&) const = default;
};

/// How many groups a source has that does not end.
inline constexpr index endless = std::numeric_limits<index>::max();

/// What one read gives: the wanted ones of the items up to `next`.
template <class Item>
struct Batch {
    std::span<Item const> items;
    index next = 0;
};

/// One worker's way to the items. A read gives as many from the first on as suit it, at least one;
/// they live until the next read.
template <class R, class Item>
concept ReaderOf = requires(R reader, Range items) {
    { reader.read(items) } -> std::same_as<Result<Batch<Item>>>;
};

/// Frames of a scan, tiles of a slide, numbers of a test. Groups follow each other without gaps,
/// and their borders depend on the source alone: they decide in which order numbers are added up.
template <class S>
concept ItemSource = ReaderOf<typename S::Reader, typename S::Item> &&
    requires(S const s, typename S::Reader reader, index group) {
    { s.groups() } -> std::same_as<index>;                    // or `endless`
    { s.group(group) } -> std::same_as<Range>;                // its items, at least one
    { s.reader(int{}) } -> std::same_as<typename S::Reader>;  // of a worker
    { s.retire(reader) } -> std::same_as<void>;  // after its last read, one reader at a time
};

/// How many items the source has; 0 if it does not end.
template <ItemSource S>
index items_of(S const& source) {
    index const groups = source.groups();
    return groups == endless || groups == 0 ? 0 : source.group(groups - 1).last;
}

}  // namespace sluice::fold
