// The tables of the keys that beams, their lists, sweeps and spread-out peaks have.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/config/beam_fields.h"

#include "domain/proton/config/beams.h"

namespace sluice::proton {

namespace {

using config::between;
using config::Dimension;
using config::field;
using config::quantity_field;

constexpr config::Field<BeamKeys> of_beam[] = {
    quantity_field<&BeamKeys::energy, Dimension::energy>("energy", "the mean one").required(),
    quantity_field<&BeamKeys::energy_spread, Dimension::energy>("energy_spread",
                                                                "standard deviation of the energy"),
    quantity_field<&BeamKeys::x, Dimension::length>("x", "where the beam enters"),
    quantity_field<&BeamKeys::sigma_x, Dimension::length>("sigma_x", "standard deviation of x")
        .required(),
    quantity_field<&BeamKeys::angle, Dimension::angle>("angle", "from the z axis"),
    quantity_field<&BeamKeys::divergence, Dimension::angle>("divergence",
                                                            "standard deviation of the angle"),
    field<&BeamKeys::correlation>("correlation", "of x and angle, -1 to 1"),
    field<&BeamKeys::weight>("weight", "protons"),
};

constexpr config::Field<SobpPlan> of_sobp[] = {
    quantity_field<&SobpPlan::range, Dimension::length>(
        "range", "of water along the beam: the dose is 80 % of the plateau's there")
        .required(),
    quantity_field<&SobpPlan::modulation, Dimension::length>(
        "modulation", "the plateau begins so much before the range")
        .required(),
    quantity_field<&SobpPlan::spacing, Dimension::length>(
        "spacing", "of the layers' ranges; 0 mm: by the widths of their peaks"),
    field<&SobpPlan::layers>("layers", "energies; 0: by the spacing", between(2, 500)),
};

constexpr config::Field<BeamList> of_beam_list[] = {
    field<&BeamList::file>("file", "a list of beams, beside the configuration").required(),
};

constexpr config::Field<SweepSteps> of_sweep_steps[] = {
    field<&SweepSteps::from>("from", "the first value").required(),
    field<&SweepSteps::to>("to", "the last value").required(),
    field<&SweepSteps::count>("count", "of values", between(2, most_beams)).required(),
};

}  // namespace

config::Fields<BeamKeys> beam_fields() {
    return of_beam;
}
config::Fields<SobpPlan> sobp_fields() {
    return of_sobp;
}
config::Fields<BeamList> beam_list_fields() {
    return of_beam_list;
}
config::Fields<SweepSteps> sweep_step_fields() {
    return of_sweep_steps;
}

}  // namespace sluice::proton
