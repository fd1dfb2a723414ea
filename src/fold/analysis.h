// Analysis: four functions over items of one type, whatever source they come from.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fold/items.h"

namespace sluice::fold {

/// A partial result owns its numbers, so that it can wait, be copied and travel.
template <class A>
concept Analysis = requires(A const a, Range items, typename A::Partial p,
                            typename A::Partial const q, std::span<typename A::Item const> some) {
    { a.begin(items) } -> std::same_as<typename A::Partial>;         // empty, with room for these
    { a.add(p, some) } -> std::same_as<void>;                        // folds further items in
    { a.merge(p, q) } -> std::same_as<void>;                         // folds a later partial in
    { a.finish(std::move(p)) } -> std::same_as<typename A::Result>;  // the answer
};

/// Whether it makes no difference which partial results are merged first: sums of whole numbers,
/// or numbers that are only put in their places. Analyses that say so have merges_exactly().
template <Analysis A>
bool merges_exactly(A const& analysis) {
    if constexpr (requires { analysis.merges_exactly(); }) return analysis.merges_exactly();
    return false;
}

/// An analysis of the items that a source has.
template <class A, class S>
concept AnalysisOf =
    Analysis<A> && ItemSource<S> && std::same_as<typename A::Item, typename S::Item>;

}  // namespace sluice::fold
