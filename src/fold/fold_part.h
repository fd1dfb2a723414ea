// fold_part(): folds some groups of a source on many threads; the engine under every fold.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "base/run.h"
#include "device/workers.h"
#include "fold/folding.h"
#include "sluice/trace.h"

namespace sluice::fold {

struct RunOptions {
    int threads = 1;
    /// Hears how many items are done; its no stops the fold.
    Run::Told progress = {};
    Trace* trace = nullptr;  ///< made for at least `threads` workers
};

/// The partial results of the groups from `first_group` on. They stay apart: merged among
/// themselves first, sums of floats would have other bits than those of a single run. Where that
/// makes no difference, `groups` holds one result of all `merged` groups.
template <Analysis A>
struct Part {
    index first_group = 0;
    std::vector<typename A::Partial> groups = {};
    index merged = 0;  ///< 0: each result is of one group

    Range range() const {
        return {first_group, first_group + (merged > 0 ? merged : std::ssize(groups))};
    }
};

/// The items of some groups, of which there is at least one.
template <ItemSource S>
Range items_in(S const& source, Range groups) {
    return {source.group(groups.first).first, source.group(groups.last - 1).last};
}

/// Folds the items of one group; false when the run stops before all of them are in.
template <class S, AnalysisOf<S> A>
Result<bool> fold_group(typename S::Reader& reader, A const& analysis, Range items,
                        typename A::Partial& partial, Run& run, Trace* trace, int worker) {
    index at = items.first;
    while (at < items.last && !run.stopped()) {
        SLUICE_TRY(Batch<typename S::Item> const batch, reader.read({at, items.last}));
        expects(batch.next > at && batch.next <= items.last);
        if (!batch.items.empty()) {
            Step const step(trace, Phase::fold, worker, at);
            analysis.add(partial, batch.items);
        }
        run.done(batch.next - at);
        at = batch.next;
    }
    return at == items.last;
}

/// Hands each group's partial result to take(group, partial), on any thread and in any order. A
/// take(group, partial, run) hears of the end of the run, too.
template <class S, AnalysisOf<S> A, class Take>
Status fold_groups(S const& source, A const& analysis, Range groups, RunOptions const& options,
                   Take const& take) {
    Run run(options.progress);
    std::vector<std::optional<typename S::Reader>> readers(
        static_cast<std::size_t>(std::max(1, options.threads)));
    auto const one = [&](index group, int worker) {
        if (run.stopped()) return;
        auto& reader = readers[static_cast<std::size_t>(worker)];
        if (!reader) reader.emplace(source.reader(worker));
        Range const items = source.group(group);
        typename A::Partial partial = analysis.begin(items);
        auto const whole =
            fold_group<S>(*reader, analysis, items, partial, run, options.trace, worker);
        if (!whole) return run.fail(whole.error(), group);
        if (!*whole) return;
        Step const step(options.trace, Phase::merge, worker, items.first);
        Status taken = [&] {
            if constexpr (requires { take(group, std::move(partial), run); })
                return take(group, std::move(partial), run);
            else
                return take(group, std::move(partial));
        }();
        if (!taken) return run.fail(std::move(taken).error(), group);
        run.report();
    };
    // A call of parallel_for() ends after its last number only, so one over all numbers would not.
    constexpr index most = 1 << 16;
    for (index at = groups.first; at < groups.last && !run.stopped(); at += most)
        parallel_for(std::min(most, groups.last - at), options.threads, 1,
                     [&](index i, int worker) { one(at + i, worker); });
    for (auto& reader : readers)
        if (reader) source.retire(*reader);
    return run.status();
}

/// Folds groups that anyone may add to the others later, in this process or another.
template <class S, AnalysisOf<S> A>
Result<Part<A>> fold_part(S const& source, A const& analysis, Range groups,
                          RunOptions const& options = {}) {
    if (groups.first < 0 || groups.last < groups.first || groups.last > source.groups() ||
        groups.last == endless)
        return refuse_range(groups, source.groups());
    std::vector<std::optional<typename A::Partial>> found(static_cast<std::size_t>(groups.count()));
    SLUICE_CHECK(fold_groups(
        source, analysis, groups, options, [&](index group, typename A::Partial partial) -> Status {
            found[static_cast<std::size_t>(group - groups.first)] = std::move(partial);
            return {};
        }));
    Part<A> part{groups.first};
    if (merges_exactly(analysis) && found.size() > 1) {
        part.merged = groups.count();
        part.groups.push_back(analysis.begin(items_in(source, groups)));
        for (auto const& partial : found) analysis.merge(part.groups.front(), *partial);
        return part;
    }
    part.groups.reserve(found.size());
    for (auto& partial : found) part.groups.push_back(std::move(*partial));
    return part;
}

/// Adds the groups of a part to the others.
template <Analysis A>
Status add_part(Folding<A>& folding, Part<A> part) {
    if (part.merged > 0) return folding.add(part.range(), std::move(part.groups.front()));
    for (index i = 0; i < std::ssize(part.groups); ++i)
        SLUICE_CHECK(
            folding.add(part.first_group + i, std::move(part.groups[static_cast<std::size_t>(i)])));
    return {};
}

/// Folds all groups into `folding`, whose snapshots show how it grows; ends when the source does.
template <class S, AnalysisOf<S> A>
Status fold_into(Folding<A>& folding, S const& source, A const& analysis,
                 RunOptions const& options = {}) {
    return fold_groups(source, analysis, {0, source.groups()}, options,
                       [&](index group, typename A::Partial partial) {
                           return folding.add(group, std::move(partial));
                       });
}

/// The whole source in this process. The answer does not depend on the number of threads.
template <class S, AnalysisOf<S> A>
Result<typename A::Result> fold(S const& source, A const& analysis,
                                RunOptions const& options = {}) {
    Folding<A> folding(analysis, source);
    SLUICE_CHECK(fold_into(folding, source, analysis, options));
    return std::move(folding).finish();
}

}  // namespace sluice::fold
