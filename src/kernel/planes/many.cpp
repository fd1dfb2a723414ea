// Sorts what masks want of each block by its bits.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/planes/many.h"

#include <algorithm>
#include <map>
#include <optional>

#include "sluice/result.h"

namespace sluice::planes {
namespace {

constexpr std::size_t most_masks = 64;

/// What one mask wants of a block.
struct Wish {
    std::uint32_t block;
    std::uint64_t bits;
    std::uint32_t mask;

    auto operator<=>(Wish const&) const = default;
};

class Builder {
  public:
    Builder(std::span<std::span<MaskWord const> const> masks, index blocks) {
        out_.masks = masks.size();
        out_.whole_column.assign(static_cast<std::size_t>(blocks), ManyMasks::nowhere);
        std::vector<std::size_t> at(masks.size());
        std::vector<Wish> wishes;
        for (std::uint32_t block = 0; block < static_cast<std::uint32_t>(blocks); ++block) {
            wishes.clear();
            for (std::size_t m = 0; m < masks.size(); ++m)
                if (at[m] < masks[m].size() && masks[m][at[m]].block == block)
                    wishes.push_back(
                        {block, masks[m][at[m]++].bits, static_cast<std::uint32_t>(m)});
            add_block(wishes);
        }
        for (std::size_t m = 0; m < masks.size(); ++m) expects(at[m] == masks[m].size());
    }

    MaskGroup take() && { return std::move(out_); }

  private:
    void add_block(std::vector<Wish>& wishes) {
        std::ranges::sort(wishes);
        for (auto at = wishes.begin(); at != wishes.end();) {
            auto const end =
                std::find_if(at, wishes.end(), [&](Wish const& w) { return w.bits != at->bits; });
            add({at, end});
            at = end;
        }
    }

    // The same bits of one block, wanted by some masks.
    void add(std::span<Wish const> same) {
        if (auto const column = column_of(same)) {
            add(same.front(), *column);
            return;
        }
        for (Wish const& w : same) add(w, w.mask);
    }

    void add(Wish const& wish, std::uint32_t column) {
        if (wish.bits != ~std::uint64_t{0} || out_.whole_column[wish.block] != ManyMasks::nowhere) {
            if (out_.blocks.empty() || out_.blocks.back().block != wish.block)
                out_.blocks.push_back(
                    {wish.block, static_cast<std::uint32_t>(out_.pairs.size()), 0});
            out_.pairs.push_back({wish.bits, column});
            ++out_.blocks.back().count;
            return;
        }
        out_.whole_column[wish.block] = static_cast<std::uint16_t>(column);
        if (!out_.whole.empty() && out_.whole.back().column == column &&
            out_.whole.back().first + out_.whole.back().count == wish.block)
            ++out_.whole.back().count;
        else
            out_.whole.push_back({wish.block, 1, column});
    }

    // A mask's own column, or that of the set of masks, while there is room for another set.
    std::optional<std::uint32_t> column_of(std::span<Wish const> same) {
        if (same.size() == 1) return same.front().mask;
        std::vector<std::uint32_t> set;
        for (Wish const& w : same) set.push_back(w.mask);
        auto const found = column_.find(set);
        if (found != column_.end()) return found->second;
        if (out_.columns() == ManyMasks::most_columns) return {};
        auto const column = static_cast<std::uint32_t>(out_.columns());
        out_.set_masks.insert(out_.set_masks.end(), set.begin(), set.end());
        out_.set_end.push_back(static_cast<std::uint32_t>(out_.set_masks.size()));
        column_.emplace(std::move(set), column);
        return column;
    }

    MaskGroup out_;
    std::map<std::vector<std::uint32_t>, std::uint32_t> column_;
};

}  // namespace

std::vector<MaskGroup> together(std::span<std::span<MaskWord const> const> masks, index blocks) {
    std::vector<MaskGroup> groups;
    for (std::size_t first = 0; first < masks.size(); first += most_masks) {
        std::size_t const count = std::min(most_masks, masks.size() - first);
        groups.push_back(Builder(masks.subspan(first, count), blocks).take());
    }
    return groups;
}

}  // namespace sluice::planes
