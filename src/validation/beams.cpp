// Checks of proton beams: marches through bone and water, and the dose of spots.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/proton.h"
#include "sluice/proton_dense.h"
#include "sluice/proton_dose.h"
#include "validation/check.h"

namespace sluice::validation {
namespace {

using namespace proton;

Physics const& physics() {
    static Physics const all(WaterTable::icru90);
    return all;
}

// Bone behind water on one side: protons drift by columns and fall by rows.
Result<Phantom> half_bone(index planes, index columns, double cell) {
    SLUICE_TRY(Material const water, material("water"));
    SLUICE_TRY(Material const bone, material("cortical_bone"));
    Phantom p{.materials = {water, bone},
              .planes = planes,
              .columns = columns,
              .dz = cell,
              .dx = cell,
              .x0 = -cell * static_cast<double>(columns) / 2};
    for (index k = 0; k < planes; ++k)
        for (index x = 0; x < columns; ++x)
            p.map.push_back(k > planes / 8 && k < planes / 3 && x > columns / 2);
    return p;
}

Result<Numbers> marched(Precision precision, Device const& device) {
    SLUICE_TRY(Phantom const p, half_bone(66, 37, 0.5));
    MarchOptions o{.angle_window = 9 * 0.0174533, .precision = precision, .device = device};
    Beam const beam{.energy = 62,
                    .energy_spread = 0.4,
                    .sigma_x = 1.5,
                    .angle = 0.06,
                    .divergence = 0.01,
                    .covariance = 0.004,
                    .weight = 2};
    SLUICE_TRY(auto const found, march(physics(), p, beam, o));
    return found.deposit;
}

// Kernels march on all threads; the dose is of all instruction sets alike.
Result<Numbers> dosed(Device const& device) {
    Patient p;
    p.shape = {20, 30, 20};
    p.spacing = {2, 2, 2};
    p.origin = {-19, 1, -19};
    SLUICE_TRY(Material const water, material("water"));
    SLUICE_TRY(Material const bone, material("cortical_bone"));
    p.materials = {water, bone};
    for (Material const& m : p.materials) {
        p.stopping.push_back(static_cast<float>(physics().relative_stopping_power(m, 100)));
        p.scattering.push_back(static_cast<float>(m.scattering));
        p.density.push_back(static_cast<float>(m.density));
    }
    for (index z = 0; z < 20; ++z)
        for (index y = 0; y < 30; ++y)
            for (index x = 0; x < 20; ++x) p.tissue.push_back(y >= 4 && y < 8 && x >= 10 ? 1 : 0);
    IonPlan plan;
    plan.patient_position = "HFS";
    plan.unit = MetersetUnit::protons;
    IonBeam beam;
    beam.source = {2000, 1800};
    PlanLayer layer;
    layer.energy = 70;
    layer.fwhm = {8, 8};
    layer.spots = {{-4, 0, 1e8}, {4, 3, 2e8}};
    beam.layers = {layer};
    plan.beams = {beam};
    DoseOptions o;
    o.energy_spread = 0.6;
    o.device = device;
    SLUICE_TRY(auto const found, dose(plan, p, nullptr, o));
    Numbers all(found.dose.image.values.begin(), found.dose.image.values.end());
    all.insert(all.end(), found.let.image.values.begin(), found.let.image.values.end());
    return all;
}

}  // namespace

void add_proton(std::vector<Check>& to) {
    std::string const what = "a beam of 62 MeV through water and bone";
    to.push_back({"proton", "march in float64", what, 1e-10,
                  "sums of doubles in another order; each cell by its own energy, down to a "
                  "millionth of the largest",
                  [](Device const& d) { return marched(Precision::f64, d); }, true, 1, 1e-6});
    to.push_back({"proton", "march in float32", what, 1e-5,
                  "sums of floats in another order; each cell by its own energy, down to a "
                  "thousandth of the largest",
                  [](Device const& d) { return marched(Precision::f32, d); }, true, 1, 1e-3});
    to.push_back({"proton", "dose and LET of spots", "two spots of 70 MeV on water and bone", 0,
                  "one order of sums everywhere", dosed, false});
}

}  // namespace sluice::validation
