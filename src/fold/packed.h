// pack() and unpack(): a part of a fold as bytes, for another process, another machine, or later.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fold/fold_part.h"
#include "fold/packed_head.h"

namespace sluice::fold {

/// An analysis whose partial results can be written as numbers. `name` stands for the layout: it
/// changes when the layout does. `sizes` are all numbers that the layout depends on.
template <class A>
concept Packable = Analysis<A> &&
    requires(A const a, typename A::Partial const p, Range items, Packer& out, Unpacker& in) {
    { A::name } -> std::convertible_to<std::string_view>;
    { a.sizes() } -> std::same_as<std::vector<index>>;
    { a.pack(p, out) } -> std::same_as<void>;
    { a.unpack(in, items) } -> std::same_as<Result<typename A::Partial>>;
};

template <class S, AnalysisOf<S> A>
requires Packable<A> PartHead head_of(S const& source, A const& analysis, Range groups) {
    PartHead head{std::string(A::name), analysis.sizes(), items_of(source), groups, {}, false};
    if (groups.count() > 0) head.items = items_in(source, groups);
    return head;
}

/// Layout: the head (packed_head.h); for each group, or for all where they are merged, its bytes'
/// number (u64) and its bytes; CRC-32C.
template <class S, AnalysisOf<S> A>
requires Packable<A> std::vector<std::byte> pack(S const& source, A const& analysis,
                                                 Part<A> const& part) {
    Packer out;
    PartHead head = head_of(source, analysis, part.range());
    head.merged = part.merged > 0;
    pack_head(out, head);
    for (typename A::Partial const& partial : part.groups) {
        Packer group;
        analysis.pack(partial, group);
        out.number<std::uint64_t>(group.written().size());
        out.bytes(group.written());
    }
    return sealed(std::move(out));
}

/// Refuses parts that are damaged, or of another analysis or another source's shape. What it cannot
/// see is a part with other parameters of equal sizes: the sender of a part must say of what it is.
template <class S, AnalysisOf<S> A>
requires Packable<A> Result<Part<A>> unpack(S const& source, A const& analysis, Bytes packed) {
    SLUICE_TRY(Bytes const body, unsealed(packed));
    Unpacker in(body);
    SLUICE_TRY(PartHead const head, unpack_head(in));
    SLUICE_CHECK(check_groups(head.groups, source.groups()));
    SLUICE_CHECK(check_head(head, head_of(source, analysis, head.groups)));
    if (head.merged && (!merges_exactly(analysis) || head.groups.count() < 2))
        return refuse_merged();
    Part<A> part{head.groups.first};
    if (head.merged) part.merged = head.groups.count();
    index const results = head.merged ? 1 : head.groups.count();
    for (index i = 0; i < results; ++i) {
        Range const items = head.merged ? head.items : source.group(head.groups.first + i);
        SLUICE_TRY(std::uint64_t const size, in.number<std::uint64_t>());
        SLUICE_TRY(Bytes const bytes, in.bytes(size));
        Unpacker group(bytes);
        SLUICE_TRY(typename A::Partial partial, analysis.unpack(group, items));
        SLUICE_CHECK(group.end());
        part.groups.push_back(std::move(partial));
    }
    SLUICE_CHECK(in.end());
    return part;
}

}  // namespace sluice::fold
