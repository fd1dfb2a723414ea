// What follows from the errors of disks.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/refine/fit_rules.h"

#include "domain/orientation/refine/look_alikes.h"

namespace sluice::orient {
namespace {

// The envelope below which reflections are not looked at.
constexpr double least_envelope = 1e-4;

}  // namespace

FitRules::FitRules(stem4d::OrientationLibrary::State const& its, DiskReader const& disks,
                   double within, bool fits, ErrorModel const& model)
    : library(its),
      reader(disks),
      tolerance(within),
      refine(fits),
      ewald(its.options.kilovolts, model.excitation_sigma, its.options.precession_mrad) {
    for (auto const& phase : its.phases) alike.push_back(look_alikes(phase.cell, phase.symmetry));
    set_errors(model);
}

Ewald FitRules::ewald_of(double times) const {
    auto const& o = library.options;
    return {o.kilovolts, errors.excitation_sigma * times, o.precession_mrad,
            errors.wavelength_factor, errors.envelope};
}

void FitRules::set_errors(ErrorModel const& model) {
    errors = model;
    ewald = ewald_of(1);
    heights.clear();
    for (auto const& table : library.tables)
        heights.push_back(heights_of(table, ewald, least_envelope, margin));
}

}  // namespace sluice::orient
