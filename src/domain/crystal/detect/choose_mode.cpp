// How close disks are to each other, and whether their edges say more than they do as a whole.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/detect/choose_mode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/crystal/detect/collect.h"
#include "domain/crystal/detect/decide.h"
#include "domain/crystal/detect/scan_setup.h"
#include "domain/crystal/median.h"

namespace sluice::crystal {
namespace {

using stem4d::BraggVectors;
using stem4d::DiskMode;
using stem4d::DiskSetup;
using stem4d::LatticeBasis;

// What disks miss their lattices by beyond their errors, in px; empty where few patterns have one.
std::optional<double> beyond(BraggVectors const& disks, LatticeBasis const& basis,
                             stem4d::Options const& run) {
    auto const fit = fit_lattice(disks, basis, {}, {.device = run.device});
    if (!fit || std::ranges::count(fit->reason, stem4d::LatticeReason::fitted) < 3) return {};
    return fit->sigma_sys;
}

double variance_of(BraggVectors const& disks, std::size_t i) {
    return static_cast<double>(disks.var_row[i] + disks.var_col[i]) / 2;
}

// The median variances of the bright disks that both have: weak ones are as far off as chance puts
// them, in every mode.
std::optional<std::array<double, 2>> own_variances(BraggVectors const& a, BraggVectors const& b) {
    std::vector<double> of_a, of_b;
    for (std::size_t p = 0; p + 1 < a.first.size(); ++p)
        for (auto i = static_cast<std::size_t>(a.first[p]);
             i < static_cast<std::size_t>(a.first[p + 1]); ++i) {
            if (!(a.intensity[i] > 15 * a.intensity_error[i])) continue;
            for (auto j = static_cast<std::size_t>(b.first[p]);
                 j < static_cast<std::size_t>(b.first[p + 1]); ++j) {
                if (std::hypot(a.row[i] - b.row[j], a.col[i] - b.col[j]) > 2) continue;
                of_a.push_back(variance_of(a, i));
                of_b.push_back(variance_of(b, j));
                break;
            }
        }
    if (of_a.size() < 20) return {};
    return std::array{median(of_a), median(of_b)};
}

// A mode for disks that reach into each other, or none.
std::optional<DiskMode> crowded(DiskSetup& setup, double apart) {
    double const radius = setup.probe.radius, width = edge_width_of(setup.probe);
    if (apart >= 2 * radius + 3 * width) return {};
    bool const over = apart < 2 * radius - width;
    setup.why.push_back(
        fmt::format("Disks of radius {:.1f} px are {:.1f} px apart and {}: each is fitted beside "
                    "the models of the others.",
                    radius, apart, over ? "overlap" : "touch"));
    return over ? DiskMode::overlapping : DiskMode::touching;
}

}  // namespace

Result<bool> choose_mode(Scan const& scan, Sample const& sample, BraggVectors const& even,
                         std::optional<stem4d::LatticeBasis> const& basis,
                         std::optional<double> pitch, stem4d::DiskOptions const& asked,
                         DiskSetup& setup, stem4d::Options const& run) {
    double const bin = stem4d::pixel_grid(scan).bin;
    auto const with = [&](DiskMode mode) {
        auto options = asked;
        options.mode = mode;
        return decided(options, setup.probe, bin);
    };
    if (auto const mode = pitch ? crowded(setup, *pitch) : std::nullopt) {
        SLUICE_TRY(setup.options, with(*mode));
        return true;
    }
    if (!basis) return false;
    auto const as_even = beyond(even, *basis, run);
    if (!as_even) return false;
    DiskSetup edges = setup;
    SLUICE_TRY(edges.options, with(DiskMode::fringes));
    auto const bad = weightless(scan);
    SLUICE_TRY(FinderSetup const own, setup_for(scan, edges, bad));
    SLUICE_TRY(auto const by_edges, find_in(sample, own, run.device.host()));
    BraggVectors const edge = columns_of(scan, by_edges);
    auto const as_edges = beyond(edge, *basis, run);
    auto const own_of = own_variances(even, edge);
    // A fifth: what chance makes of a sample is no reason.
    bool const better =
        as_edges && own_of &&
        (*own_of)[1] + *as_edges * *as_edges < 0.8 * ((*own_of)[0] + *as_even * *as_even);
    if (!better) {
        setup.why.push_back(
            fmt::format("Disks are fitted as even ones: they miss their lattice by {:.3f} px "
                        "beyond their errors.",
                        *as_even));
        return false;
    }
    setup.options = edges.options;
    setup.why.push_back(
        fmt::format("Disks have contrast inside: as even disks they miss their lattice by {:.3f} "
                    "px beyond their errors, and by {:.3f} px by their edges, which are fitted.",
                    *as_even, *as_edges));
    return true;
}

}  // namespace sluice::crystal
