// Origins by pairs of disks.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/calibrate/friedel.h"

#include <span>

#include "domain/crystal/calibrate/robust.h"

namespace sluice::crystal {
namespace {

using stem4d::BraggVectors;
using stem4d::Point;

constexpr index most_voters = 400;    // patterns
constexpr index most_disks = 128;     // of a pattern, the brightest
constexpr double bins_a_spacing = 8;  // of the map of votes
// A pair's intensities differ by so many nats: thickness and tilt change them by about this.
constexpr double likeness = 0.7;
constexpr double pair_cut = 5;

struct Pair {
    double row, col, weight;  // the middle
    std::size_t i, j;
};

template <class Work>
void each_pair(BraggVectors const& v, index pattern, Work const& work) {
    auto const first = static_cast<std::size_t>(v.first[static_cast<std::size_t>(pattern)]);
    auto const n = static_cast<std::size_t>(std::min(v.count(pattern), most_disks));
    for (std::size_t i = first; i < first + n; ++i)
        for (std::size_t j = first; j < i; ++j) {
            double const unlike = std::log(static_cast<double>(v.intensity[i]) /
                                           static_cast<double>(v.intensity[j])) /
                                  likeness;
            double const weight = std::isfinite(unlike) ? std::exp(-unlike * unlike / 2) : 0;
            Pair const p{(static_cast<double>(v.row[i]) + static_cast<double>(v.row[j])) / 2,
                         (static_cast<double>(v.col[i]) + static_cast<double>(v.col[j])) / 2,
                         weight, i, j};
            if (weight > 0 && std::isfinite(p.row + p.col)) work(p);
        }
}

}  // namespace

std::optional<Point> friedel_center(BraggVectors const& v, double spacing) {
    if (!(spacing > 0)) return {};
    double const bin = spacing / bins_a_spacing;
    auto const bins = [&](index side) {
        return static_cast<index>(static_cast<double>(side) / bin) + 3;
    };
    index const rows = bins(v.detector_shape[0]), cols = bins(v.detector_shape[1]);
    std::vector<double> votes(static_cast<std::size_t>(rows * cols));
    index const step = std::max<index>(1, v.patterns() / most_voters);
    for (index p = 0; p < v.patterns(); p += step)
        each_pair(v, p, [&](Pair const& pair) {
            auto const r = static_cast<index>(pair.row / bin) + 1,
                       c = static_cast<index>(pair.col / bin) + 1;
            if (pair.row >= 0 && pair.col >= 0 && r < rows && c < cols)
                votes[static_cast<std::size_t>(r * cols + c)] += pair.weight;
        });
    double best = 0;
    Point at;
    for (index r = 1; r + 1 < rows; ++r)
        for (index c = 1; c + 1 < cols; ++c) {
            double sum = 0, row = 0, col = 0;
            for (index i = -1; i <= 1; ++i)
                for (index j = -1; j <= 1; ++j) {
                    double const n = votes[static_cast<std::size_t>((r + i) * cols + c + j)];
                    sum += n, row += n * static_cast<double>(i), col += n * static_cast<double>(j);
                }
            if (sum <= best) continue;
            best = sum;
            // The middle of bin b is at b - 1/2 bins.
            at = {(static_cast<double>(r) - 0.5 + row / sum) * bin,
                  (static_cast<double>(c) - 0.5 + col / sum) * bin};
        }
    if (!(best > 0)) return {};
    return at;
}

std::optional<FriedelOrigin> friedel_origin(BraggVectors const& v, index pattern, Point expected,
                                            double radius) {
    std::vector<Pair> pairs;
    each_pair(v, pattern, [&](Pair const& p) {
        if (std::hypot(p.row - expected.row, p.col - expected.col) <= radius) pairs.push_back(p);
    });
    if (pairs.size() < 2) return {};
    auto const component = [&](double Pair::*of) {
        std::vector<double> all;
        for (Pair const& p : pairs) all.push_back(p.*of);
        return middle_of(std::move(all));
    };
    Point at{component(&Pair::row), component(&Pair::col)};
    std::vector<double> away;
    for (Pair const& p : pairs) away.push_back(std::hypot(p.row - at.row, p.col - at.col));
    double const sigma = std::max(spread_of(std::move(away)) / 1.4826 * 0.85, 1e-6);
    FriedelOrigin out;
    double sum = 0, squares = 0, row = 0, col = 0, rr = 0, cc = 0, rc = 0, known = 0;
    std::vector<double> weights;
    for (Pair const& p : pairs) {
        double const var =
            (static_cast<double>(v.var_row[p.i]) + static_cast<double>(v.var_col[p.i]) +
             static_cast<double>(v.var_row[p.j]) + static_cast<double>(v.var_col[p.j])) /
            8;
        double const tukey =
            biweight(std::hypot(p.row - at.row, p.col - at.col) / sigma / 1.5, pair_cut);
        double const w = p.weight * tukey / (var > 0 ? var + sigma * sigma / 4 : 1);
        weights.push_back(w);
        sum += w, squares += w * w, row += w * p.row, col += w * p.col;
        known += var > 0 ? w * w * var : 0;
        out.pairs += tukey > 0;
    }
    if (!(sum > 0) || out.pairs < 2) return {};
    out.at = {row / sum, col / sum};
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        double const dr = pairs[k].row - out.at.row, dc = pairs[k].col - out.at.col;
        rr += weights[k] * dr * dr, cc += weights[k] * dc * dc, rc += weights[k] * dr * dc;
    }
    // The scatter of few pairs is not known well: the disks' own errors are the least.
    double const effective = sum * sum / squares, part = 1 / (sum * std::max(effective - 1, 0.5));
    double const least = known / (sum * sum);
    out.var_row = std::max(rr * part, least), out.var_col = std::max(cc * part, least);
    out.cov = rc * part;
    return out;
}

}  // namespace sluice::crystal
