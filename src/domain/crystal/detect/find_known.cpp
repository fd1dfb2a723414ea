// Finds the disks of a pattern whose lattice is known: where they must be, or by a search where the
// pattern does not bear it out.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "domain/crystal/detect/collect.h"
#include "domain/crystal/detect/finder.h"
#include "domain/crystal/fit/render.h"
#include "domain/crystal/lattice/believe.h"
#include "domain/crystal/lattice/pattern_fit.h"

namespace sluice::crystal {
namespace {

using stem4d::DiskReason;
using stem4d::KnownLattice;
using stem4d::LatticeBasis;

LatticeBasis expected(KnownLattice const& known, index frame, index columns) {
    LatticeBasis at = known.basis;
    index const line = frame / columns;
    auto const row = static_cast<double>(line), col = static_cast<double>(frame % columns);
    at.origin.row += row * known.by_row.row + col * known.by_col.row;
    at.origin.col += row * known.by_row.col + col * known.by_col.col;
    return at;
}

// Disks that are five standard deviations high.
index clear_of(Refined const& r) {
    return std::ranges::count_if(
        r.disks, [](DiskFit const& fit) { return fit.disk.model.height > 0 && fit.score > 25; });
}

double shorter_of(LatticeBasis const& basis) {
    return std::min(length_of(basis.a), length_of(basis.b));
}

}  // namespace

double Finder::counts_of(Room::Pattern const& p) const {
    Padded const all = padded(p);
    double sum = 0;
    for (index r = 0; r < all.rows; ++r) {
        float line = 0;
        for (index c = 0; c < all.cols; ++c)
            line += all.counts[r * all.pitch + c] * all.weights[r * all.pitch + c];
        sum += static_cast<double>(line);
    }
    return sum;
}

Refined Finder::refine(Room& room, Room::Pattern const& p, LatticeBasis const& start) const {
    stem4d::DiskMode const mode = setup_.options.mode;
    if (mode == stem4d::DiskMode::overlapping)
        return JointRefiner(*joint_, tables_, setup_.lattice->points)(room.joint_, padded(p),
                                                                      start);
    bool const beside = mode == stem4d::DiskMode::touching;
    Refiner const refiner(*fit_, tables_,
                          mode == stem4d::DiskMode::fringes ? Part::edge : Part::whole, beside,
                          setup_.lattice->points);
    return refiner(room.refined_, padded(p), start, beside ? others(room) : nullptr);
}

Finder::Match Finder::match(Room& room, int which) const {
    Room::Pattern const& p = room.patterns_[static_cast<std::size_t>(which)];
    Refined const r = refine(room, p, expected(*setup_.lattice, p.frame, setup_.columns));
    Match m{r.converged, r.misfit, r.counts / std::max(counts_of(p), 1.0), clear_of(r), {}};
    if (!r.converged) return m;
    auto const inverse = columns_of(r.at).inverse();
    for (DiskFit const& fit : r.disks) {
        auto const hk =
            inverse * stem4d::Point{fit.disk.row - r.at.origin.row, fit.disk.col - r.at.origin.col};
        m.points.push_back({static_cast<int>(std::lround(hk.row)),
                            static_cast<int>(std::lround(hk.col)),
                            fit.disk.model.height / std::sqrt(fit.var_height)});
    }
    return m;
}

std::vector<float> Finder::rest(Room& room, int which) const {
    Room::Pattern const& p = room.patterns_[static_cast<std::size_t>(which)];
    Refined const r = refine(room, p, expected(*setup_.lattice, p.frame, setup_.columns));
    if (!r.converged) return {};
    float* const picture = others(room);
    std::copy_n(p.counts.data(), p.counts.size(), room.others_.data());
    for (DiskFit const& fit : r.disks) add_disk(tables_, fit.disk, -1, picture, pitch_);
    auto const [rows, cols] = setup_.shape;
    std::vector<float> out;
    for (index i = 0; i < rows * cols; ++i) out.push_back(picture[i / cols * pitch_ + i % cols]);
    return out;
}

// A lattice that went far from where it began is another grain's, or none.
bool Finder::explains(Refined const& r, Room::Pattern const& p, index least_seen) const {
    KnownLattice const& known = *setup_.lattice;
    Named const now = nearest_vectors(known.basis, r.at);
    return r.converged && clear_of(r) >= least_seen && now.change.stretch <= most_stretch &&
           now.change.angle <= most_turn && r.misfit <= known.most_misfit &&
           r.counts >= known.least_part * counts_of(p);
}

// Places that are known to a twentieth of the shorter vector: what is less is not there, or is too
// weak to say where it is. Of a joint fit, heights above two standard deviations.
FoundPattern Finder::with_lattice(Room::Pattern const& p, Refined const& r) const {
    double const most = shorter_of(r.at) / 20;
    bool const joint = setup_.options.mode == stem4d::DiskMode::overlapping;
    Padded const pattern = padded(p);
    FoundPattern out;
    for (DiskFit const& fit : r.disks)
        if (joint ? fit.score > 4 && fit.disk.model.height > 0
                  : std::max(fit.var_row, fit.var_col) <= most * most)
            out.disks.push_back(found(pattern, fit));
    std::ranges::stable_sort(
        out.disks, [](auto const& x, auto const& y) { return x.intensity > y.intensity; });
    out.reason = out.disks.empty() ? DiskReason::below_score : DiskReason::found;
    if (joint && !out.disks.empty()) out.lattice = JointLattice{r.at, r.covariance, r.misfit};
    return out;
}

FoundPattern Finder::find_known(Room& room, int which) const {
    Room::Pattern& p = room.patterns_[static_cast<std::size_t>(which)];
    expects(p.used);
    if (!p.any) {
        p.used = false;
        return {{}, DiskReason::no_counts};
    }
    KnownLattice const& known = *setup_.lattice;
    LatticeBasis const start = expected(known, p.frame, setup_.columns);
    Refined refined = refine(room, p, start);
    if (explains(refined, p, known.least_seen)) {
        p.used = false;
        return with_lattice(p, refined);
    }
    // A search transforms both patterns of a room: the other one must not tell.
    Room::Pattern& other = room.patterns_[which == 0 ? 1 : 0];
    bool const used = other.used;
    other.used = false;
    FoundPattern searched[2];
    if (which == 1) std::swap(room.patterns_[0], p);
    find_all(room, std::span(searched).first(1));
    if (which == 1) std::swap(room.patterns_[0], p);
    other.used = used;
    FoundPattern& all = searched[0];
    if (all.disks.size() < 4) return all;
    PatternFit fit({.basis = start, .tolerance = shorter_of(start) / 5});
    PatternLattice const lattice =
        fit(collect(std::span(searched).first(1), {1, 1}, setup_.shape, {}), 0);
    if (lattice.reason != stem4d::LatticeReason::fitted) return all;
    refined = refine(room, p, lattice.at);
    return explains(refined, p, 0) ? with_lattice(p, refined) : all;
}

}  // namespace sluice::crystal
