// Phantoms that are the same along one axis, for the cube and for the march.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sluice/proton_dose.h"

namespace sluice::proton::cube {

/// A phantom of materials by place: x across the beam, depth along it, mm.
struct TestPhantom {
    std::string name;
    std::vector<Material> materials;
    std::function<std::uint16_t(double x, double depth)> at;
};

std::vector<TestPhantom> test_phantoms();

/// An image of it whose beam comes from the front (gantry 0, HFS): x is x, y is depth, z alike.
inline Patient patient_of_phantom(TestPhantom const& phantom, double width, double depth,
                                  double thickness, double voxel) {
    Physics const physics(WaterTable::icru90);
    Patient p;
    auto const count = [voxel](double mm) { return static_cast<index>(mm / voxel + 0.5); };
    p.shape = {count(thickness), count(depth), count(width)};
    p.spacing = {voxel, voxel, voxel};
    p.origin = {-width / 2 + voxel / 2, voxel / 2, -thickness / 2 + voxel / 2};
    for (Material const& m : phantom.materials) {
        p.stopping.push_back(static_cast<float>(physics.relative_stopping_power(m, 100)));
        p.scattering.push_back(static_cast<float>(m.scattering));
        p.density.push_back(static_cast<float>(m.density));
        p.materials.push_back(m);
    }
    for (index z = 0; z < p.shape[0]; ++z)
        for (index y = 0; y < p.shape[1]; ++y)
            for (index x = 0; x < p.shape[2]; ++x)
                p.tissue.push_back(phantom.at(p.origin[0] + static_cast<double>(x) * voxel,
                                              (static_cast<double>(y) + 0.5) * voxel));
    return p;
}

inline Phantom march_phantom(TestPhantom const& phantom, double width, double depth, double cell) {
    Phantom p;
    p.materials = phantom.materials;
    p.dz = p.dx = cell;
    p.planes = static_cast<index>(depth / cell + 0.5);
    p.columns = static_cast<index>(width / cell + 0.5);
    p.x0 = -width / 2;
    for (index k = 0; k < p.planes; ++k)
        for (index i = 0; i < p.columns; ++i)
            p.map.push_back(phantom.at(p.x0 + (static_cast<double>(i) + 0.5) * cell,
                                       (static_cast<double>(k) + 0.5) * cell));
    return p;
}

/// Spots of protons from the front, beams that hardly diverge.
inline IonPlan plan_of_spots(double energy, double sigma, std::vector<PlanSpot> spots) {
    IonPlan plan;
    plan.patient_position = "HFS";
    plan.unit = MetersetUnit::protons;
    IonBeam beam;
    beam.source = {1e7, 1e7};
    PlanLayer layer;
    layer.energy = energy;
    layer.fwhm = {2.3548200450309493 * sigma, 2.3548200450309493 * sigma};
    layer.spots = std::move(spots);
    beam.layers = {layer};
    plan.beams = {beam};
    return plan;
}

}  // namespace sluice::proton::cube
