// Spacings and reflections of cells of any system, by the metric of their axes.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "domain/crystal/cif/metric.h"

namespace sluice::crystal {
namespace {

using stem4d::Indices;
using stem4d::UnitCell;

// Of |F| over the sum of all atoms: what is below is absent, since places are rounded in files.
constexpr double least_strength = 1e-3;
constexpr double most_reflections = 1e6, most_terms = 2e9;

bool is_whole(double x) {
    return std::abs(x - std::round(x)) < 1e-3;
}

// h R = h and h . t not whole: the phases of the images cancel.
bool is_forbidden(UnitCell const& cell, Indices const& h) {
    return std::ranges::any_of(cell.operations, [&](stem4d::SymmetryOperation const& o) {
        double shift = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            int turned = 0;
            for (std::size_t i = 0; i < 3; ++i) turned += h[i] * o.turn[i][j];
            if (turned != h[j]) return false;
            shift += h[j] * o.shift[j];
        }
        return !is_whole(shift);
    });
}

double strength_of(UnitCell const& cell, Indices const& h) {
    if (cell.atoms.empty()) return 1;
    std::complex<double> sum;
    double all = 0;
    for (stem4d::Atom const& atom : cell.atoms) {
        double const f = atom.number * atom.occupancy;
        double const phase = h[0] * atom.place[0] + h[1] * atom.place[1] + h[2] * atom.place[2];
        sum += std::polar(f, 2 * std::numbers::pi * phase);
        all += f;
    }
    return all > 0 ? std::abs(sum) / all : 0;
}

}  // namespace

Result<std::vector<std::pair<Indices, double>>> allowed_reflections(UnitCell const& cell,
                                                                    double most_frequency) {
    SLUICE_CHECK(stem4d::check_cell(cell));
    if (!(most_frequency > 0) || !std::isfinite(most_frequency))
        return Error{Code::invalid_argument,
                     fmt::format("reflections up to {:g} 1/Å (it is above 0); give a frequency",
                                 most_frequency)};
    // |h| <= g a: the projection of a vector on an axis is not longer than the vector.
    double const bound[3] = {most_frequency * cell.a, most_frequency * cell.b,
                             most_frequency * cell.c};
    double const n = (2 * bound[0] + 1) * (2 * bound[1] + 1) * (2 * bound[2] + 1);
    if (n > most_reflections ||
        n * static_cast<double>(cell.atoms.size() + cell.operations.size()) > most_terms)
        return Error{Code::invalid_argument,
                     fmt::format("a cell of {:g} x {:g} x {:g} Å has too many reflections up to "
                                 "{:g} 1/Å; give a lower frequency",
                                 cell.a, cell.b, cell.c, most_frequency)};
    Metric const metric = reciprocal_metric(cell);
    int const top[3] = {static_cast<int>(bound[0]), static_cast<int>(bound[1]),
                        static_cast<int>(bound[2])};
    std::vector<std::pair<Indices, double>> out;
    for (int h = -top[0]; h <= top[0]; ++h)
        for (int k = -top[1]; k <= top[1]; ++k)
            for (int l = -top[2]; l <= top[2]; ++l) {
                Indices const at{h, k, l};
                double const g2 = metric.dot(at, at);
                if (at == Indices{} || g2 > most_frequency * most_frequency) continue;
                if (!is_forbidden(cell, at)) out.emplace_back(at, std::sqrt(g2));
            }
    std::ranges::stable_sort(out, {}, &std::pair<Indices, double>::second);
    return out;
}

bool is_absent(UnitCell const& cell, Indices const& hkl) {
    return is_forbidden(cell, hkl) || strength_of(cell, hkl) < least_strength;
}

}  // namespace sluice::crystal

namespace sluice::stem4d {

Status check_cell(UnitCell const& c) {
    for (double x : {c.a, c.b, c.c})
        if (!(x >= 0.5 && x <= 1000))
            return Error{Code::invalid_argument,
                         fmt::format("an axis of {:g} Å is no axis of a cell (0.5 to 1000 can be); "
                                     "give ångström",
                                     x)};
    for (double x : {c.alpha, c.beta, c.gamma})
        if (!(x > 5 && x < 175))
            return Error{Code::invalid_argument,
                         fmt::format("an angle of {:g} degrees is none of a cell (5 to 175 can be)"
                                     "; give degrees",
                                     x)};
    if (!(crystal::volume_part(c) > 0.01))
        return Error{Code::invalid_argument,
                     fmt::format("axes with angles of {:g}, {:g} and {:g} degrees enclose no "
                                 "volume; mend them",
                                 c.alpha, c.beta, c.gamma)};
    return {};
}

double spacing(UnitCell const& cell, Indices const& hkl) {
    return 1 / std::sqrt(crystal::reciprocal_metric(cell).dot(hkl, hkl));
}

Result<std::vector<Reflection>> reflections(UnitCell const& cell, double most_frequency) {
    SLUICE_TRY(auto const allowed, crystal::allowed_reflections(cell, most_frequency));
    std::vector<Reflection> out;
    for (auto const& [hkl, frequency] : allowed) {
        double const strength = crystal::strength_of(cell, hkl);
        if (strength >= crystal::least_strength) out.push_back({hkl, frequency, strength});
    }
    return out;
}

}  // namespace sluice::stem4d
