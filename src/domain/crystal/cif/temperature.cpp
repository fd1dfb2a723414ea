// Reads B and U of atoms, isotropic or not.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/cif/temperature.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "domain/crystal/cif/metric.h"

namespace sluice::crystal::cif {
namespace {

constexpr double b_of_u = 8 * std::numbers::pi * std::numbers::pi;

std::optional<double> value_at(std::vector<std::string_view> const* column, std::size_t i) {
    if (!column || i >= column->size()) return {};
    return number_of((*column)[i]);
}

}  // namespace

std::optional<double> Temperatures::anisotropic(std::string_view label) const {
    auto const* const labels = block_.find("_atom_site_aniso_label");
    if (!labels || label.empty()) return {};
    auto const at = std::ranges::find(*labels, label);
    if (at == labels->end()) return {};
    auto const i = static_cast<std::size_t>(at - labels->begin());
    Metric const star = reciprocal_metric(cell_);
    Axes3 const g = direct_metric(cell_);
    double const length[3] = {std::sqrt(star.aa), std::sqrt(star.bb), std::sqrt(star.cc)};
    for (bool const is_u : {true, false}) {
        double sum = 0;
        bool whole = true;
        for (std::size_t r = 0; r < 3; ++r)
            for (std::size_t c = 0; c < 3; ++c) {
                std::string key = is_u ? "_atom_site_aniso_u_" : "_atom_site_aniso_b_";
                key += static_cast<char>('1' + std::min(r, c));
                key += static_cast<char>('1' + std::max(r, c));
                auto const value = value_at(block_.find(key), i);
                whole = whole && value;
                // International Tables D 1.9.2.2: U belongs to axes a* a and the like.
                sum += value.value_or(0) * length[r] * length[c] * g[r][c];
            }
        if (whole) return (is_u ? b_of_u : 1) * sum / 3;
    }
    return {};
}

std::optional<double> Temperatures::of(std::size_t atom) const {
    auto b = value_at(block_.find("_atom_site_b_iso_or_equiv"), atom);
    if (!b) {
        auto const u = value_at(block_.find("_atom_site_u_iso_or_equiv"), atom);
        if (u) b = b_of_u * *u;
    }
    if (!b) {
        auto const* const labels = block_.find("_atom_site_label");
        if (labels && atom < labels->size()) b = anisotropic((*labels)[atom]);
    }
    // A negative one would make atoms scatter more at high angles, without bound.
    return b && *b >= 0 && *b <= 200 ? b : std::nullopt;
}

}  // namespace sluice::crystal::cif
