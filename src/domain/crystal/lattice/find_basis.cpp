// find_basis: the two shortest vectors of the lattice that explains the differences of disks best.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <optional>

#include "domain/crystal/lattice/evidence.h"
#include "domain/crystal/lattice/find_origin.h"
#include "domain/crystal/lattice/reduce.h"

namespace sluice::stem4d {
namespace {

using crystal::Cell;
using crystal::cross;
using crystal::Differences;
using crystal::Evidence;
using crystal::length_of;
using crystal::MapPeak;

constexpr std::size_t most_peaks = 32;
constexpr double tolerance_of_spacing = 0.12;
constexpr double least_sine = 0.1;

struct Candidate {
    LatticeBasis basis;
    Evidence evidence = {};

    double information() const { return evidence.all.information(); }
};

// Whether each vector of one lattice is a vector of the other, but for a part of its length.
bool contains(LatticeBasis const& lattice, LatticeBasis const& other) {
    auto const to = crystal::columns_of(lattice).inverse();
    for (Point p : {other.a, other.b}) {
        Point const at = to * p;
        if (std::abs(at.row - crystal::nearest(at.row)) > 0.1 ||
            std::abs(at.col - crystal::nearest(at.col)) > 0.1)
            return false;
    }
    return true;
}

std::vector<Candidate> candidates_of(std::span<MapPeak const> peaks) {
    std::vector<Candidate> all;
    for (std::size_t i = 0; i < peaks.size(); ++i)
        for (std::size_t j = i + 1; j < peaks.size(); ++j) {
            Point const a = peaks[i].at, b = peaks[j].at;
            if (std::abs(cross(a, b)) < least_sine * length_of(a) * length_of(b)) continue;
            LatticeBasis const basis = crystal::reduced({{}, a, b});
            if (std::ranges::none_of(all, [&](Candidate const& c) {
                    return contains(c.basis, basis) && contains(basis, c.basis);
                }))
                all.push_back({basis});
        }
    return all;
}

std::string text_of(Point p) {
    return fmt::format("({:.3f}, {:.3f})", p.row, p.col);
}

Error no_places() {
    return {Code::invalid_argument,
            "the disks show fewer than three places (a lattice needs two directions, so three "
            "disks of a pattern that are not on a line) detect weaker disks, or give the basis"};
}
Error one_line(Point along) {
    return {Code::invalid_argument,
            fmt::format("all disks lie on lines along {} (a row of disks has one vector, and a "
                        "lattice has two) detect weaker disks, or give the basis",
                        text_of(along))};
}

void add_notes(Candidate const& best, int choices, std::vector<std::string>& notes) {
    LatticeBasis const& l = best.basis;
    double const a = length_of(l.a), b = length_of(l.b),
                 angle = std::acos(crystal::dot(l.a, l.b) / (a * b)) * 180 / std::numbers::pi;
    notes.push_back(fmt::format(
        "basis found: a {} and b {} px (row, col), {:.2f} and {:.2f} px long, {:.1f} degrees "
        "apart; "
        "{:.0f} % of the differences between disks lie on it, and {:.0f} % would by chance",
        text_of(l.a), text_of(l.b), a, b, angle, 100 * best.evidence.all.hits,
        100 * best.evidence.all.chance));
    if (choices > 2 || b < a * (1 + crystal::equally_long))
        notes.push_back(fmt::format(
            "the basis is one of several: {} of its vectors are equally short within "
            "{:g} %; a is the one nearest to the row axis, and b makes the smaller angle",
            choices, 100 * crystal::equally_long));
}

void add_rival(Candidate const& best, std::span<Candidate const> all,
               std::vector<std::string>& notes) {
    double const gain = best.evidence.all.hits - best.evidence.all.chance;
    for (Candidate const& c : all) {
        auto const& share = c.evidence.all;
        // Lattices that share points with the best one explain as much of what it explains.
        if (contains(best.basis, c.basis) || contains(c.basis, best.basis)) continue;
        if (share.hits - share.chance < gain / 2 || !share.credible()) continue;
        notes.push_back(fmt::format(
            "another lattice, a {} and b {} px, explains {:.0f} % of the differences: there may be "
            "several grains, and each needs its own basis",
            text_of(c.basis.a), text_of(c.basis.b), 100 * share.hits));
        return;
    }
}

}  // namespace

Result<LatticeBasis> find_basis(BraggVectors const& vectors, std::vector<std::string>* notes) {
    SLUICE_CHECK(check_vectors(vectors));
    Differences const differences = crystal::differences_of(vectors);
    std::vector<MapPeak> peaks = crystal::peaks_of(differences);
    if (peaks.size() < 2) return no_places();
    Point const along = peaks.front().at;
    peaks.resize(std::min(peaks.size(), most_peaks));
    std::vector<Candidate> all = candidates_of(peaks);
    if (all.empty()) return one_line(along);
    std::vector<Cell> const cells = crystal::cells_of(differences);
    double const tolerance = tolerance_of_spacing * differences.spacing;
    for (Candidate& c : all) c.evidence = crystal::evidence_of(cells, c.basis, tolerance);
    std::ranges::stable_sort(all, std::ranges::greater{}, &Candidate::information);
    Candidate best = all.front();
    if (!best.evidence.all.credible())
        return Error{
            Code::invalid_argument,
            fmt::format("no lattice explains where the disks lie (of their differences the "
                        "best one explains {:.0f} %, and chance {:.0f} %) give the basis",
                        100 * best.evidence.all.hits, 100 * best.evidence.all.chance)};
    if (!best.evidence.beside_a.credible()) return one_line(best.basis.a);
    if (!best.evidence.beside_b.credible()) return one_line(best.basis.b);
    int choices = 0;
    best.basis = crystal::refined(cells, best.basis, tolerance);
    best.basis = crystal::canonical(best.basis, &choices);
    best.evidence = crystal::evidence_of(cells, best.basis, tolerance);
    best.basis.origin = crystal::find_origin(vectors, best.basis);
    if (notes) {
        add_notes(best, choices, *notes);
        add_rival(best, all, *notes);
    }
    return best.basis;
}

}  // namespace sluice::stem4d
