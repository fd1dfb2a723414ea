// Together: a list of analyses of the same items as one, so that one pass over the data serves all.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/crc32c/crc32c.h"
#include "fold/any_analysis.h"

namespace sluice::fold {

/// Each of the analyses as if it were alone: the items come to them in the same order and in the
/// same groups, so their answers have the same bits. Partial results and answers are in their
/// order.
template <class ItemType>
struct Together {
    static constexpr std::string_view name = "a list of analyses";
    using Item = ItemType;
    using Partial = std::vector<std::any>;
    using Result = std::vector<std::any>;

    std::vector<AnyAnalysis<ItemType>> parts;

    Partial begin(Range items) const {
        Partial p;
        for (auto const& part : parts) p.push_back(part.begin(items));
        return p;
    }
    void add(Partial& p, std::span<ItemType const> items) const {
        for (std::size_t i = 0; i < parts.size(); ++i) parts[i].add(p[i], items);
    }
    void merge(Partial& p, Partial const& later) const {
        for (std::size_t i = 0; i < parts.size(); ++i) parts[i].merge(p[i], later[i]);
    }
    Result finish(Partial p) const {
        Result r;
        for (std::size_t i = 0; i < parts.size(); ++i)
            r.push_back(parts[i].finish(std::move(p[i])));
        return r;
    }
    bool merges_exactly() const {
        for (auto const& part : parts)
            if (!part.merges_exactly()) return false;
        return true;
    }

    /// Of each analysis: the checksum of its name, the number of its sizes, and these.
    std::vector<index> sizes() const {
        std::vector<index> all;
        for (auto const& part : parts) {
            std::vector<index> const its = part.sizes();
            all.push_back(codec::crc32c(std::as_bytes(std::span(part.name()))));
            all.push_back(std::ssize(its));
            all.insert(all.end(), its.begin(), its.end());
        }
        return all;
    }
    void pack(Partial const& p, Packer& out) const {
        for (std::size_t i = 0; i < parts.size(); ++i) parts[i].pack(p[i], out);
    }
    sluice::Result<Partial> unpack(Unpacker& in, Range items) const {
        Partial p(parts.size());
        for (std::size_t i = 0; i < parts.size(); ++i)
            SLUICE_CHECK(parts[i].unpack(in, items, p[i]));
        return p;
    }
};

}  // namespace sluice::fold
