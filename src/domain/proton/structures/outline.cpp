// Contours as they are, or what lines through them leave in each slab.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/structures/outline.h"

#include <algorithm>

namespace sluice::proton {
namespace {

using dicom::Ring;
using dicom::Slab;
using dicom::Stack;

/// Where the axes of a stack are in space.
struct Axes {
    std::size_t u, v, along;  // rings are along u and v
};

Axes axes_of(Stack const& stack) {
    std::size_t along = 0;
    while (stack.axes[2][along] == 0) ++along;
    return {(along + 1) % 3, (along + 2) % 3, along};
}

std::vector<OutlineLine> drawn(Stack const& stack, Axes const& axes, double at) {
    std::vector<OutlineLine> lines;
    for (Slab const& s : stack.slabs) {
        bool const last = &s == &stack.slabs.back();
        if (at < s.from || at > s.to || (at == s.to && !last)) continue;
        for (Ring const& r : s.rings) {
            OutlineLine& line = lines.emplace_back();
            for (std::size_t i = 0; i <= r.size(); ++i) {
                auto const& corner = r[i % r.size()];
                auto& p = line.emplace_back();
                p[axes.u] = corner[0];
                p[axes.v] = corner[1];
                p[axes.along] = at;
            }
        }
        break;
    }
    return lines;
}

// Ascending; between the first and the second, the third and the fourth, ... lies the structure.
// An even number: each closed ring crosses a line as often in one direction as in the other.
using Ends = std::vector<double>;

Ends crossings(Slab const& s, std::size_t across, double at) {
    Ends ends;
    for (Ring const& r : s.rings)
        for (std::size_t i = 0; i < r.size(); ++i) {
            auto const &a = r[i], &b = r[(i + 1) % r.size()];
            // Half open: a corner on the line counts once.
            if ((a[across] <= at) == (b[across] <= at)) continue;
            double const part = (at - a[across]) / (b[across] - a[across]);
            ends.push_back(a[1 - across] + part * (b[1 - across] - a[1 - across]));
        }
    std::ranges::sort(ends);
    return ends;
}

/// What lies in one of the two and not in the other: ends that both have are no ends.
Ends either(Ends const& a, Ends const& b) {
    Ends all;
    std::ranges::merge(a, b, std::back_inserter(all));
    Ends out;
    for (double const e : all) {
        if (!out.empty() && out.back() == e)
            out.pop_back();
        else
            out.push_back(e);
    }
    return out;
}

/// Draws the steps of a cut from slab to slab.
class Cut {
  public:
    Cut(Axes const& axes, std::size_t axis, double at)
        : along_(axes.along), other_(3 - axes.along - axis), axis_(axis), at_(at) {}

    void slab(Slab const& s, Ends ends) {
        if (s.from != top_) {
            flat(ends_, top_);
            ends_.clear();
        }
        flat(either(ends_, ends), s.from);
        for (double const e : ends) line({e, s.from}, {e, s.to});
        ends_ = std::move(ends);
        top_ = s.to;
    }
    std::vector<OutlineLine> finish() {
        flat(ends_, top_);
        return std::move(lines_);
    }

  private:
    std::size_t along_, other_, axis_;
    double at_, top_ = 0;
    Ends ends_ = {};
    std::vector<OutlineLine> lines_ = {};

    void line(std::array<double, 2> from, std::array<double, 2> to) {
        OutlineLine& l = lines_.emplace_back(2);
        for (std::size_t i = 0; i < 2; ++i) {
            l[i][axis_] = at_;
            l[i][other_] = i == 0 ? from[0] : to[0];
            l[i][along_] = i == 0 ? from[1] : to[1];
        }
    }
    void flat(Ends const& ends, double height) {
        for (std::size_t i = 0; i + 1 < ends.size(); i += 2)
            if (ends[i] < ends[i + 1]) line({ends[i], height}, {ends[i + 1], height});
    }
};

}  // namespace

std::vector<OutlineLine> outline(Stack const& stack, std::size_t axis, double at) {
    Axes const axes = axes_of(stack);
    if (axis == axes.along) return drawn(stack, axes, at);
    Cut cut(axes, axis, at);
    for (Slab const& s : stack.slabs) cut.slab(s, crossings(s, axis == axes.u ? 0 : 1, at));
    return cut.finish();
}

}  // namespace sluice::proton
