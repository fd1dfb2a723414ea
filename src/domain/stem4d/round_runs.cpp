// Disks and annuli, row by row.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/round_runs.h"

#include <algorithm>

namespace sluice::stem4d {
namespace {

struct RowPart {
    index first, last;
};

/// Squared distances of columns from a centre, which fall before it and rise behind.
class Columns {
  public:
    Columns(double center, index count) : squares_(static_cast<std::size_t>(count)) {
        for (index c = 0; c < count; ++c) {
            double const distance = static_cast<double>(c) - center;
            squares_[static_cast<std::size_t>(c)] = distance * distance;
            middle_ += distance < 0;
        }
    }
    /// Those for which `inside` says so: it is true of every distance that is smaller than a true
    /// one.
    template <class Inside>
    RowPart within(Inside const& inside) const {
        auto const middle = squares_.begin() + middle_;
        auto const outside = [&](double square) { return !inside(square); };
        auto const first = std::partition_point(squares_.begin(), middle, outside);
        auto const last = std::partition_point(middle, squares_.end(), inside);
        return {first - squares_.begin(), last - squares_.begin()};
    }

  private:
    std::vector<double> squares_;
    index middle_ = 0;
};

}  // namespace

std::vector<dense::Run> round_runs(Detector const& d, std::array<index, 2> shape,
                                   Disk const& disk) {
    double const scale = d.unit == Detector::Unit::disk_radii ? disk.radius : 1;
    RoundEdges const edges = round_edges(d, scale);
    Point const center = d.center.value_or(disk.center);
    Columns const columns(center.col, shape[1]);
    std::vector<dense::Run> runs;
    auto const add = [&](index row, index first, index last) {
        if (first < last)
            runs.push_back({static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(first),
                            static_cast<std::uint32_t>(last - first)});
    };
    for (index r = 0; r < shape[0]; ++r) {
        double const dr = static_cast<double>(r) - center.row, down = dr * dr;
        auto const all = columns.within([&](double across) { return down + across <= edges.most; });
        auto const hole =
            columns.within([&](double across) { return down + across < edges.least; });
        if (hole.first >= hole.last) {
            add(r, all.first, all.last);
            continue;
        }
        add(r, all.first, std::min(hole.first, all.last));
        add(r, std::max(hole.last, all.first), all.last);
    }
    return runs;
}

}  // namespace sluice::stem4d
