// A sweep over y: between two heights where a line begins or ends, lines that do not cross are in
// one order.
// SPDX-License-Identifier: Apache-2.0
#include "format/dicom/even_odd.h"

#include <algorithm>
#include <utility>

namespace sluice::dicom {
namespace {

// Lines times heights: a fraction of a second. A plane of a body has 10^4.
constexpr std::size_t most_work = 20'000'000;

/// A line upwards, from its lower end to its upper end.
struct Line {
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;

    // The ends are exact, so that neighbours meet.
    double at(double y) const {
        if (y <= y0) return x0;
        if (y >= y1) return x1;
        return x0 + (x1 - x0) * ((y - y0) / (y1 - y0));
    }
};

std::vector<Line> lines_of(std::span<Ring const> rings) {
    std::vector<Line> lines;
    for (Ring const& r : rings)
        for (std::size_t i = 0; i < r.size(); ++i) {
            auto const &p = r[i], &q = r[(i + 1) % r.size()];
            if (p[1] < q[1]) lines.push_back({p[0], p[1], q[0], q[1]});
            if (p[1] > q[1]) lines.push_back({q[0], q[1], p[0], p[1]});
        }
    std::ranges::sort(lines, {}, &Line::y0);
    return lines;
}

std::vector<double> heights_of(std::vector<Line> const& lines, std::span<double const> cuts) {
    std::vector<double> all(cuts.begin(), cuts.end());
    for (Line const& l : lines) all.insert(all.end(), {l.y0, l.y1});
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

/// A line between two heights.
struct Piece {
    double low, high;  // x
};

class Sweep {
  public:
    explicit Sweep(std::function<void(Trapezoid const&)> const& tell) : tell_(tell) {}

    Status strip(std::vector<Line const*> const& active, double y0, double y1) {
        for (double y = y1; y0 < y1;) {
            if ((work_ += active.size()) > most_work)
                return Error{Code::unsupported,
                             "contours of one plane have so many lines side by side that their "
                             "area would take minutes; simplify them"};
            std::vector<Piece> const pieces = between(active, y0, y);
            if (double const c = crossing(pieces, y0, y); c > y0 && c < y) {
                y = c;
                continue;
            }
            tell_all(pieces, y0, y);
            y0 = std::exchange(y, y1);
        }
        return {};
    }

  private:
    std::function<void(Trapezoid const&)> const& tell_;
    std::size_t work_ = 0;

    // In the order of their middles.
    static std::vector<Piece> between(std::vector<Line const*> const& active, double y0,
                                      double y1) {
        std::vector<Piece> pieces;
        pieces.reserve(active.size());
        for (Line const* const l : active) pieces.push_back({l->at(y0), l->at(y1)});
        std::ranges::sort(pieces, {}, [](Piece const& p) { return p.low + p.high; });
        return pieces;
    }

    void tell_all(std::vector<Piece> const& pieces, double y0, double y1) const {
        for (std::size_t i = 0; i + 1 < pieces.size(); i += 2) {
            Piece const &left = pieces[i], &right = pieces[i + 1];
            tell_({y0,
                   y1,
                   {left.low, left.high},
                   {std::max(left.low, right.low), std::max(left.high, right.high)}});
        }
    }

    // The lowest height where neighbours cross; y0 where none do. Crossings that are nearer to an
    // end than a billionth are none: arithmetic cannot tell them from lines that meet there.
    static double crossing(std::vector<Piece> const& pieces, double y0, double y1) {
        constexpr double same = 1e-9;
        double lowest = y1;
        for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
            double const below = pieces[i + 1].low - pieces[i].low;
            double const above = pieces[i + 1].high - pieces[i].high;
            if (!(std::min(below, above) < 0 && std::max(below, above) > 0)) continue;
            double const part = below / (below - above);
            if (part > same && part < 1 - same) lowest = std::min(lowest, y0 + part * (y1 - y0));
        }
        return lowest < y1 ? lowest : y0;
    }
};

}  // namespace

Status cut_into_trapezoids(std::span<Ring const> rings, std::span<double const> cuts,
                           std::function<void(Trapezoid const&)> const& tell) {
    std::vector<Line> const lines = lines_of(rings);
    std::vector<double> const heights = heights_of(lines, cuts);
    std::vector<Line const*> active;
    Sweep sweep(tell);
    std::size_t next = 0;
    for (std::size_t h = 0; h + 1 < heights.size(); ++h) {
        std::erase_if(active, [&](Line const* l) { return l->y1 <= heights[h]; });
        for (; next < lines.size() && lines[next].y0 <= heights[h]; ++next)
            active.push_back(&lines[next]);
        if (!active.empty()) SLUICE_CHECK(sweep.strip(active, heights[h], heights[h + 1]));
    }
    return {};
}

}  // namespace sluice::dicom
