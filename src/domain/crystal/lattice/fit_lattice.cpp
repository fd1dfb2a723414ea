// fit_lattice: the lattices of all patterns, each on its own, and what the scan says of their
// errors. SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "device/share_out.h"
#include "domain/crystal/lattice/matrix2.h"
#include "domain/crystal/lattice/model_variance.h"
#include "domain/crystal/memory.h"

namespace sluice::stem4d {
namespace {

using crystal::FitRules;
using crystal::PatternFit;
using crystal::PatternLattice;

constexpr index patterns_a_piece = 64;

Error refused(std::string text) {
    return {Code::invalid_argument, std::move(text)};
}

Status check_lattice(LatticeBasis const& l, LatticeOptions const& o) {
    double const a = crystal::length_of(l.a), b = crystal::length_of(l.b);
    for (double x : {a, b, l.origin.row, l.origin.col})
        if (!std::isfinite(x)) return refused("the basis holds a number that is not finite");
    // 0.05 is the sine of 3 degrees: lattices of crystals are reduced to 60 degrees and more.
    if (!(std::abs(crystal::cross(l.a, l.b)) > 0.05 * a * b))
        return refused(
            fmt::format("the vectors ({:.4g}, {:.4g}) and ({:.4g}, {:.4g}) of the basis "
                        "lie on a line (they make no lattice); give two directions",
                        l.a.row, l.a.col, l.b.row, l.b.col));
    if (!(o.tolerance >= 0) || o.tolerance > std::min(a, b) / 2)
        return refused(
            fmt::format("a tolerance of {:g} px is not between 0 and half the shorter "
                        "vector, {:g} px (disks would belong to two lattice points)",
                        o.tolerance, std::min(a, b) / 2));
    if (!(o.cut > 0)) return refused(fmt::format("a cut of {:g} is not above 0", o.cut));
    if (o.least_disks < 3)
        return refused(
            fmt::format("least_disks is {} (a lattice has six unknowns, and a disk tells "
                        "two); give 3 or more",
                        o.least_disks));
    return {};
}

// How many disks have no covariance.
index without_covariance(BraggVectors const& v) {
    index n = 0;
    for (std::size_t j = 0; j < v.row.size(); ++j) {
        double const rr = v.var_row[j], cc = v.var_col[j], rc = v.cov_row_col[j];
        n += !(rr > 0 && cc > 0 && rr * cc > rc * rc);
    }
    return n;
}

LatticeFit empty_fit(BraggVectors const& v) {
    auto const n = static_cast<std::size_t>(v.patterns());
    double const nan = std::numeric_limits<double>::quiet_NaN();
    LatticeFit out;
    out.scan_shape = v.scan_shape;
    out.values = {{v.patterns(), 6}, std::vector<double>(6 * n, nan)};
    out.covariance = {{v.patterns(), 6, 6}, std::vector<double>(36 * n, nan)};
    out.chi2.assign(n, nan);
    out.used.assign(n, 0);
    out.left_out.assign(n, 0);
    out.reason.assign(n, LatticeReason::no_disks);
    return out;
}

// A pattern whose disks miss their lattice by more than those of the others do has larger errors.
double misfit_beyond_chance(PatternLattice const& found) {
    double const freedom = crystal::freedom_of(found.used);
    if (!(freedom > 0)) return 1;
    return found.chi2 > 1 + 4 * std::sqrt(2 / freedom) ? found.chi2 : 1;
}

void put(PatternLattice const& found, index pattern, LatticeFit& out) {
    auto const p = static_cast<std::size_t>(pattern);
    out.reason[p] = found.reason;
    out.left_out[p] = found.used + found.left_out;
    if (found.reason != LatticeReason::fitted) return;
    out.used[p] = found.used, out.left_out[p] = found.left_out;
    out.chi2[p] = found.chi2;
    LatticeBasis const& l = found.at;
    double const values[6] = {l.origin.row, l.origin.col, l.a.row, l.a.col, l.b.row, l.b.col};
    std::ranges::copy(values, out.values.values.begin() + 6 * pattern);
    double const times = misfit_beyond_chance(found);
    for (std::size_t i = 0; i < 36; ++i)
        out.covariance.values[36 * p + i] = times * found.covariance[i];
}

std::string reasons_of(LatticeFit const& fit) {
    auto const count = [&](LatticeReason reason) { return std::ranges::count(fit.reason, reason); };
    std::string text = fmt::format("lattices were fitted in {} of {} patterns",
                                   count(LatticeReason::fitted), fit.reason.size());
    char const* between = ": ";
    for (auto const reason : {LatticeReason::no_disks, LatticeReason::too_few,
                              LatticeReason::collinear, LatticeReason::not_converged,
                              LatticeReason::other_lattice, LatticeReason::two_lattices}) {
        if (count(reason) == 0) continue;
        text += fmt::format("{}{} {}", between, count(reason), name_of(reason));
        between = ", ";
    }
    return text;
}

void add_variance_notes(index unknown, index all, FitRules const& rules, LatticeFit& out) {
    if (rules.equal)
        out.notes.push_back(
            fmt::format("the disks have no variances: all weigh the same, and what they miss their "
                        "lattices by makes the errors (sigma_sys, {:.4g} px)",
                        out.sigma_sys));
    else if (out.sigma_sys > 0)
        out.notes.push_back(
            fmt::format("disks miss their lattices by more than their errors say: sigma_sys, "
                        "{:.4g} px, is added to all, so that the median chi2 is 1",
                        out.sigma_sys));
    if (!rules.equal && unknown > 0)
        out.notes.push_back(fmt::format(
            "{} of {} disks have no covariance (NaN, or none that is positive); they take no part",
            unknown, all));
}

}  // namespace

std::string_view name_of(LatticeReason reason) {
    switch (reason) {
        case LatticeReason::fitted:
            return "fitted";
        case LatticeReason::no_disks:
            return "no disks";
        case LatticeReason::too_few:
            return "too few disks near the lattice";
        case LatticeReason::collinear:
            return "disks on one line only";
        case LatticeReason::not_converged:
            return "not converged";
        case LatticeReason::other_lattice:
            return "disks of another lattice";
        case LatticeReason::two_lattices:
            return "disks of two lattices at once";
    }
    return "";
}

Result<LatticeFit> fit_lattice(BraggVectors const& vectors, LatticeBasis const& basis,
                               LatticeOptions const& options, Options const& run) {
    SLUICE_CHECK(refuse_references(run.references, "lattices are fitted to disks that were"));
    SLUICE_CHECK(check_vectors(vectors));
    SLUICE_CHECK(check_lattice(basis, options));
    SLUICE_CHECK(crystal::check_memory(crystal::lattice_bytes(vectors.patterns()),
                                       fmt::format("lattices of {} patterns", vectors.patterns())));
    FitRules rules{.basis = basis,
                   .tolerance = options.tolerance,
                   .cut = options.cut,
                   .least_disks = options.least_disks};
    if (rules.tolerance == 0)
        rules.tolerance = std::min(crystal::length_of(basis.a), crystal::length_of(basis.b)) / 5;
    int const threads = run.device.host().threads();
    index const unknown = without_covariance(vectors);
    rules.equal = unknown > 0 && unknown == vectors.size();
    if (rules.equal || options.model_variance)
        rules.variance = crystal::model_variance(vectors, rules, threads);
    // Equal weights need one above 0, even where the disks lie exactly on a lattice.
    if (rules.equal) rules.variance = std::max(rules.variance, 1e-12);
    LatticeFit out = empty_fit(vectors);
    out.sigma_sys = std::sqrt(rules.variance);
    index const n = vectors.patterns(), pieces = (n + patterns_a_piece - 1) / patterns_a_piece;
    Run work(run.progress, n, "no lattice was kept");
    share_out(pieces, threads, &work, [&](index piece, int) {
        PatternFit fit(rules);
        index const from = piece * patterns_a_piece, to = std::min(n, from + patterns_a_piece);
        for (index p = from; p < to; ++p) put(fit(vectors, p), p, out);
        work.done(to - from);
    });
    SLUICE_CHECK(work.check());
    out.notes.push_back(reasons_of(out));
    add_variance_notes(unknown, vectors.size(), rules, out);
    return out;
}

}  // namespace sluice::stem4d
