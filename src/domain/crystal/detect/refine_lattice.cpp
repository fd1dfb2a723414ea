// refine_lattice(): the lattices of a scan whose lattice is known before.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/crystal/detect/collect.h"
#include "domain/crystal/detect/find_patterns.h"
#include "domain/crystal/median.h"
#include "store/plan.h"

namespace sluice::stem4d {
namespace {

using crystal::FoundPattern;
using crystal::JointLattice;

double median_misfit(std::span<FoundPattern const> found) {
    std::vector<double> all;
    for (FoundPattern const& p : found)
        if (p.lattice) all.push_back(p.lattice->misfit);
    return crystal::median(std::move(all));
}

// In pixels of the detector, where a bin of pixels has one number.
void put(JointLattice const& joint, double times, PixelGrid const& grid, index pattern,
         LatticeFit& fit) {
    auto const p = static_cast<std::size_t>(pattern);
    LatticeBasis const& l = joint.at;
    Point const origin = grid.to_detector(l.origin);
    double const b = grid.bin;
    double const values[6] = {origin.row,  origin.col,  b * l.a.row,
                              b * l.a.col, b * l.b.row, b * l.b.col};
    std::ranges::copy(values, fit.values.values.begin() + 6 * pattern);
    for (std::size_t i = 0; i < 36; ++i)
        fit.covariance.values[36 * p + i] = times * b * b * joint.covariance[i];
    fit.chi2[p] = joint.misfit / times;
    fit.reason[p] = LatticeReason::fitted;
}

}  // namespace

Result<KnownDisks> refine_lattice(Scan const& scan, DiskSetup const& setup,
                                  LatticeOptions const& options, Options const& run) {
    SLUICE_CHECK(crystal::check_knows(setup));
    SLUICE_TRY(auto const found, crystal::find_patterns(scan, setup, run));
    return crystal::known_disks(found, scan, setup, options, run);
}

}  // namespace sluice::stem4d

namespace sluice::crystal {

Status check_knows(stem4d::DiskSetup const& setup) {
    if (setup.lattice) return {};
    return Error{Code::invalid_argument,
                 "the setup knows no lattice (its patterns are searched for disks) take what "
                 "know_lattice() returns, or find_disks() and fit_lattice()"};
}

Result<stem4d::KnownDisks> known_disks(std::span<FoundPattern const> found, Scan const& scan,
                                       stem4d::DiskSetup const& setup,
                                       stem4d::LatticeOptions const& options,
                                       stem4d::Options const& run) {
    store::Plan const& plan = scan.plan();
    stem4d::PixelGrid const grid = stem4d::pixel_grid(scan);
    stem4d::KnownDisks out{
        collect(found, scan.scan_shape(), {plan.stored.rows, plan.stored.cols}, grid), {}};
    SLUICE_TRY(out.fit,
               fit_lattice(out.vectors, setup.lattice->basis, options, {.device = run.device}));
    auto const joint =
        std::ranges::count_if(found, [](FoundPattern const& p) { return p.lattice.has_value(); });
    if (joint == 0) return out;
    double const median = stem4d::median_misfit(found);
    double const times = options.model_variance ? std::max(1.0, median) : 1;
    for (index p = 0; p < std::ssize(found); ++p)
        if (auto const& lattice = found[static_cast<std::size_t>(p)].lattice)
            stem4d::put(*lattice, times, grid, p, out.fit);
    out.fit.notes.push_back(fmt::format(
        "{} of {} patterns were fitted as a whole, since their disks overlap: the median of "
        "Pearson's chi2 is {:.3f}{}",
        joint, found.size(), median, times > 1 ? ", and covariances are times that" : ""));
    return out;
}

}  // namespace sluice::crystal
