// A packed R-tree.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/rect_index.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sluice::slide {
namespace {

constexpr std::size_t fan = 8;

// Vertical slices of about sqrt(n / fan) groups, each sorted from top to bottom.
std::vector<std::int32_t> sorted(std::vector<Box> const& boxes) {
    std::vector<std::int32_t> order(boxes.size());
    std::iota(order.begin(), order.end(), 0);
    auto const at = [&](std::int32_t i) -> Box const& {
        return boxes[static_cast<std::size_t>(i)];
    };
    auto const by_x = [&](std::int32_t a, std::int32_t b) {
        return at(a).left + at(a).right < at(b).left + at(b).right;
    };
    auto const by_y = [&](std::int32_t a, std::int32_t b) {
        return at(a).top + at(a).bottom < at(b).top + at(b).bottom;
    };
    std::stable_sort(order.begin(), order.end(), by_x);
    std::size_t const groups = (boxes.size() + fan - 1) / fan;
    auto const slice =
        fan * static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(groups))));
    for (std::size_t i = 0; i < order.size(); i += slice) {
        auto const begin = order.begin() + static_cast<std::ptrdiff_t>(i);
        auto const end =
            order.begin() + static_cast<std::ptrdiff_t>(std::min(i + slice, order.size()));
        std::stable_sort(begin, end, by_y);
    }
    return order;
}

}  // namespace

void Box::add(Box const& b) {
    left = std::min(left, b.left);
    top = std::min(top, b.top);
    right = std::max(right, b.right);
    bottom = std::max(bottom, b.bottom);
}

RectIndex::RectIndex(std::vector<Box> boxes) : numbers_(sorted(boxes)) {
    Level leaves;
    leaves.boxes.reserve(boxes.size());
    for (std::int32_t const i : numbers_)
        leaves.boxes.push_back(boxes[static_cast<std::size_t>(i)]);
    levels_.push_back(std::move(leaves));
    while (levels_.back().boxes.size() > 1) {
        std::vector<Box> const& below = levels_.back().boxes;
        Level next;
        for (std::size_t i = 0; i < below.size(); ++i) {
            if (i % fan == 0)
                next.boxes.push_back(below[i]);
            else
                next.boxes.back().add(below[i]);
        }
        levels_.push_back(std::move(next));
    }
}

void RectIndex::descend(std::size_t level, std::size_t node, Box const& box,
                        std::vector<std::int32_t>& out) const {
    if (!levels_[level].boxes[node].meets(box)) return;
    if (level == 0) {
        out.push_back(numbers_[node]);
        return;
    }
    std::size_t const end = std::min((node + 1) * fan, levels_[level - 1].boxes.size());
    for (std::size_t i = node * fan; i < end; ++i) descend(level - 1, i, box, out);
}

void RectIndex::find(Box const& box, std::vector<std::int32_t>& out) const {
    if (numbers_.empty()) return;
    descend(levels_.size() - 1, 0, box, out);
}

}  // namespace sluice::slide
