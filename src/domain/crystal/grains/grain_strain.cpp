// grain_strain: the strain of each grain from the median of its own patterns.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <limits>

#include "domain/crystal/grains/turn.h"

namespace sluice::stem4d {
namespace {

// The lattices of one grain alone.
LatticeFit only(GrainFit const& grains, index grain) {
    LatticeFit out = grains.fit;
    for (std::size_t p = 0; p < out.reason.size(); ++p)
        if (grains.grain[p] != grain && out.reason[p] == LatticeReason::fitted)
            out.reason[p] = LatticeReason::other_lattice;
    return out;
}

void put(StrainMaps const& from, std::size_t p, StrainMaps& to) {
    ScanMap* const into[] = {&to.e_xx, &to.e_yy, &to.e_xy, &to.omega};
    for (std::size_t i = 0; i < 4; ++i) {
        ScanMap const& map = *from.maps()[i];
        into[i]->values[p] = map.values[p], into[i]->error[p] = map.error[p];
        into[i]->reason[p] = map.reason[p];
    }
    for (std::size_t i = 16 * p; i < 16 * p + 16; ++i)
        to.covariance.values[i] = from.covariance.values[i];
}

std::string line_of(Grain const& grain, std::size_t number) {
    std::string text = fmt::format(
        "grain {}: {} patterns, a ({:.3f}, {:.3f}) and b ({:.3f}, {:.3f}) px", number,
        grain.patterns, grain.basis.a.row, grain.basis.a.col, grain.basis.b.row, grain.basis.b.col);
    if (number > 1 && std::isnan(grain.disorientation))
        text += ", another lattice than the first one";
    else if (number > 1)
        text += fmt::format(", turned by {:.2f} degrees from the first one", grain.disorientation);
    return text;
}

}  // namespace

Result<GrainMaps> grain_strain(GrainFit const& fit, StrainOptions const& options) {
    if (options.reference || !options.region.empty())
        return Error{Code::invalid_argument,
                     "a reference or a region is given (each grain is measured from the median of "
                     "its own patterns) leave it out"};
    if (fit.grains.empty() || fit.grain.size() != fit.fit.reason.size())
        return Error{Code::invalid_argument,
                     "no pattern belongs to a grain (strain is measured from their medians) look "
                     "at the notes of fit_grains()"};
    GrainMaps out;
    std::vector<double> numbers(fit.grain.size(), std::numeric_limits<double>::quiet_NaN()),
        turns = numbers;
    for (std::size_t g = 0; g < fit.grains.size(); ++g) {
        SLUICE_TRY(StrainMaps const own, strain(only(fit, static_cast<index>(g)), options));
        if (g == 0) out.strain = own;
        for (std::size_t p = 0; p < fit.grain.size(); ++p) {
            if (fit.grain[p] != static_cast<index>(g)) continue;
            put(own, p, out.strain);
            numbers[p] = static_cast<double>(g + 1);
            turns[p] =
                crystal::disorientation(fit.grains.front().basis, crystal::lattice_of(fit.fit, p));
        }
        if (g < 20) out.strain.notes.push_back(line_of(fit.grains[g], g + 1));
    }
    out.strain.notes[2] = "the reference of each grain is the median over its own lattices";
    std::vector<index> const shape{fit.fit.scan_shape[0], fit.fit.scan_shape[1]};
    out.grain = make_map("grain", "", {shape, std::move(numbers)}, Missing::not_converged);
    out.disorientation =
        make_map("disorientation", "deg", {shape, std::move(turns)}, Missing::not_converged);
    return out;
}

}  // namespace sluice::stem4d
