// Lattices and strain as results.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/strain_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/shell/terminal.h"
#include "app/cli/stem4d/coordinates.h"
#include "app/cli/stem4d/strain_input.h"
#include "base/plural.h"
#include "domain/crystal/strain/fields.h"
#include "domain/crystal/strain/words.h"

namespace sluice::cli {
namespace {

using stem4d::LatticeFit;

// The numbers of the lattices as maps: where the origin wanders, and how well the lattice fits.
std::vector<ScanMap> lattice_maps(LatticeFit const& fit) {
    std::vector<ScanMap> maps;
    std::vector<index> const shape{fit.scan_shape[0], fit.scan_shape[1]};
    char const* const names[] = {"origin_row", "origin_col", "a_row", "a_col", "b_row", "b_col"};
    for (std::size_t i = 0; i < 6; ++i) {
        Array<double> values{shape, {}};
        std::vector<double> errors;
        for (std::size_t p = 0; p < fit.reason.size(); ++p) {
            values.values.push_back(fit.values.values[6 * p + i]);
            errors.push_back(std::sqrt(fit.covariance.values[36 * p + 7 * i]));
        }
        maps.push_back(make_map(names[i], "px", std::move(values), Missing::not_converged));
        maps.back().error = std::move(errors);
    }
    maps.push_back(
        make_map("lattice_chi2", "", Array<double>{shape, fit.chi2}, Missing::not_converged));
    return maps;
}

}  // namespace

void StrainWords::add(Verb const& app, std::string const& reference_what) {
    app.add_option("--basis", basis,
                   "vectors of the lattice, A_ROW:A_COL,B_ROW:B_COL in pixels [found]");
    app.add_option("--reference", reference, reference_what)->capture_default_str();
    app.add_fields(stem4d::strain_fields(), strain);
    app.add_fields(stem4d::lattice_fields(), lattice);
}

void StrainWords::add_search_all(Verb const& app) {
    app.add_flag("--search-all", search_all,
                 "search every pattern for disks, even where a sample shows that all have one "
                 "lattice");
}

DiskSearch::Lattice StrainWords::known() const {
    return {.known = !search_all, .basis = search_all ? std::nullopt : basis, .options = lattice};
}

Status fit_lattices(StrainWords const& words, stem4d::Options const& options, DisksRead& disks,
                    std::vector<std::string>& notes) {
    if (disks.fit) return {};
    if (words.basis) {
        SLUICE_TRY(disks.basis, parse_basis(*words.basis, disks.vectors.detector_shape));
    } else {
        SLUICE_TRY(disks.basis, stem4d::find_basis(disks.vectors, &notes));
    }
    SLUICE_TRY(disks.fit, stem4d::fit_lattice(disks.vectors, disks.basis, words.lattice, options));
    return {};
}

void add_strain_notes(LatticeFit const& fit, stem4d::StrainMaps const& strain, bool of_one_crystal,
                      std::vector<std::string>& notes) {
    // Patterns of other grains have no strain, and are easily overlooked.
    auto const others = std::ranges::count(fit.reason, stem4d::LatticeReason::other_lattice) +
                        std::ranges::count(fit.reason, stem4d::LatticeReason::two_lattices);
    if (of_one_crystal && others > 0)
        notes.push_back(fmt::format(
            "{} lie on other lattices and have no strain: `sluice stem4d strain --grains` measures "
            "each grain on its own",
            plural(others, "pattern")));
    notes.insert(notes.end(), fit.notes.begin(), fit.notes.end());
    notes.insert(notes.end(), strain.notes.begin(), strain.notes.end());
}

std::vector<ResultImage> strain_images(stem4d::StrainMaps const& strain, LatticeFit const& fit) {
    std::vector<ResultImage> images;
    for (ScanMap const* map : strain.maps()) images.push_back({.map = *map, .drawn = false});
    for (ScanMap& map : lattice_maps(fit))
        images.push_back({.map = std::move(map), .drawn = false});
    return images;
}

Json strain_json(StrainWords const& words, stem4d::BraggVectors const& v, LatticeFit const& fit) {
    auto const fitted = std::ranges::count(fit.reason, stem4d::LatticeReason::fitted);
    return {{"scan", v.scan_shape},       {"detector", v.detector_shape},
            {"disks", v.size()},          {"fitted", fitted},
            {"sigma_sys", fit.sigma_sys}, {"convention", config::word_of(words.strain.convention)},
            {"coordinates", coordinates}};
}

Status save_reference(stem4d::LatticeBasis const& l, std::string const& path) {
    return save_npy(
        path,
        Array<double>{{3, 2}, {l.origin.row, l.origin.col, l.a.row, l.a.col, l.b.row, l.b.col}});
}

}  // namespace sluice::cli
