// know_lattice(): what a sample of patterns says of the lattice of all.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/crystal/detect/learn.h"
#include "domain/crystal/detect/scan_setup.h"
#include "domain/crystal/detect/wander.h"
#include "domain/crystal/lattice/matrix2.h"
#include "domain/crystal/median.h"

namespace sluice::stem4d {
namespace {

using namespace crystal;

Point origin_of(LatticeFit const& fit, index pattern) {
    double const* const v = fit.values.values.data() + 6 * pattern;
    return {v[0], v[1]};
}

// The lattice point nearest to a pattern's brightest disk: the direct beam wanders smoothly, by
// more than half a vector even.
Point at_brightest(LatticeFit const& fit, BraggVectors const& disks, index pattern) {
    double const* const v = fit.values.values.data() + 6 * pattern;
    auto const first = static_cast<std::size_t>(disks.first[static_cast<std::size_t>(pattern)]);
    LatticeBasis const l{{v[0], v[1]}, {v[2], v[3]}, {v[4], v[5]}};
    auto const hk =
        columns_of(l).inverse() * Point{static_cast<double>(disks.row[first]) - l.origin.row,
                                        static_cast<double>(disks.col[first]) - l.origin.col};
    double const h = nearest(hk.row), k = nearest(hk.col);
    return {l.origin.row + h * l.a.row + k * l.b.row, l.origin.col + h * l.a.col + k * l.b.col};
}

KnownLattice lattice_of(LatticeFit const& fit, BraggVectors const& disks, Sample const& sample,
                        index columns, double& typical) {
    std::vector<SeenOrigin> near_basis, near_beam;
    std::array<std::vector<double>, 4> vectors;
    for (index p = 0; p < std::ssize(sample.frames); ++p) {
        if (fit.reason[static_cast<std::size_t>(p)] != LatticeReason::fitted) continue;
        index const frame = sample.frames[static_cast<std::size_t>(p)];
        index const line = frame / columns;
        auto const row = static_cast<double>(line), col = static_cast<double>(frame % columns);
        near_basis.push_back({row, col, origin_of(fit, p)});
        near_beam.push_back({row, col, at_brightest(fit, disks, p)});
        for (std::size_t i = 0; i < 4; ++i)
            vectors[i].push_back(fit.values.values[static_cast<std::size_t>(6 * p) + 2 + i]);
    }
    Wander const a = plane_of(near_basis), b = plane_of(near_beam);
    Wander const& best = b.typical < a.typical ? b : a;
    typical = best.typical;
    return {.basis = {best.first,
                      {median(vectors[0]), median(vectors[1])},
                      {median(vectors[2]), median(vectors[3])}},
            .by_row = best.by_row,
            .by_col = best.by_col};
}

// Four times what is usual: fringes and bending make all patterns miss their lattice. What is usual
// say those whose disks were found on the lattice: the others may be other grains.
index set_limits(KnownLattice& known, std::vector<Finder::Match> const& matches,
                 std::vector<LatticeReason> const& reasons) {
    std::vector<double> misfits, parts, clear;
    for (std::size_t i = 0; i < matches.size(); ++i)
        if (matches[i].converged && reasons[i] == LatticeReason::fitted)
            misfits.push_back(matches[i].misfit), parts.push_back(matches[i].part),
                clear.push_back(static_cast<double>(matches[i].clear));
    known.most_misfit = std::max(4.0, 4 * median(misfits));
    known.least_part = median(parts) / 2;
    known.least_seen = static_cast<index>(0.6 * median(clear));
    return std::ranges::count_if(matches, [&](Finder::Match const& m) {
        return m.converged && m.misfit <= known.most_misfit && m.part >= known.least_part &&
               m.clear >= known.least_seen;
    });
}

}  // namespace

Result<DiskSetup> know_lattice(Scan const& scan, DiskSetup setup,
                               std::optional<LatticeBasis> const& basis, Options const& run) {
    setup.lattice.reset();
    auto const bad = weightless(scan);
    SLUICE_TRY(FinderSetup const searching, setup_for(scan, setup, bad));
    SLUICE_TRY(Sample const sample, read_sample(scan, run));
    SLUICE_TRY(auto const found, find_in(sample, searching, run.device.host()));
    index const all = std::ssize(found);
    BraggVectors const disks = columns_of(scan, found);
    Result<LatticeBasis> const start = basis ? Result<LatticeBasis>(*basis) : find_basis(disks);
    if (!start) return start.error();
    SLUICE_TRY(LatticeFit const fit, fit_lattice(disks, *start, {}, {.device = run.device}));
    index const fitted = std::ranges::count(fit.reason, LatticeReason::fitted);
    if (fitted < std::min<index>(3, all)) {
        setup.why.push_back(
            fmt::format("The lattice fits {} of {} sampled patterns only, so that "
                        "every pattern is searched for disks.",
                        fitted, all));
        return setup;
    }
    double typical = 0;
    KnownLattice known = lattice_of(fit, disks, sample, scan.scan_shape()[1], typical);
    setup.lattice = known;
    SLUICE_TRY(FinderSetup const knowing, setup_for(scan, setup, bad));
    // Fits with all points are long where disks overlap.
    bool const joint = setup.options.mode == DiskMode::overlapping;
    SLUICE_TRY(auto const shown, matches_in(sample, joint ? 8 : 1, knowing, run.device.host()));
    known.points = points_of(shown);
    setup.lattice = known;
    if (joint && setup.options.background.size() == 0) {
        SLUICE_CHECK(learn_background(scan, setup, sample, bad, run));
        known = *setup.lattice;
    }
    SLUICE_TRY(FinderSetup const with_points, setup_for(scan, setup, bad));
    SLUICE_TRY(auto const matches, matches_in(sample, 1, with_points, run.device.host()));
    index const explained = set_limits(known, matches, fit.reason);
    setup.lattice.reset();
    if (2 * explained < all) {
        setup.why.push_back(
            fmt::format("Only {} of {} sampled patterns lie on the lattice, so that every pattern "
                        "is searched for disks.",
                        explained, all));
        return setup;
    }
    setup.lattice = known;
    setup.why.push_back(fmt::format(
        "{} of {} sampled patterns lie on one lattice, ({:.2f}, {:.2f}) and ({:.2f}, {:.2f}) px: "
        "disks are fitted at its {} points, and patterns that lie off it are searched.",
        explained, all, known.basis.a.row, known.basis.a.col, known.basis.b.row, known.basis.b.col,
        known.points.size()));
    setup.why.push_back(fmt::format(
        "The origin of a pattern is where a plane through those of the sample says, give or take "
        "{:.2f} px.",
        typical));
    return setup;
}

}  // namespace sluice::stem4d
