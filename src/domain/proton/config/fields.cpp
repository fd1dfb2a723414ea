// The tables of a march's options.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/config/fields.h"

#include "domain/proton/words.h"

namespace sluice::proton {

namespace {

using config::Dimension;
using config::field;
using config::quantity_field;

constexpr config::Field<Phantom> of_cells[] = {
    quantity_field<&Phantom::dz, Dimension::length>("dz", "depth from plane to plane"),
    quantity_field<&Phantom::dx, Dimension::length>("dx", "distance from column to column"),
};

constexpr config::Field<MarchOptions> of_steps[] = {
    quantity_field<&MarchOptions::range_step, Dimension::length>(
        "range_step", "range from row to row, of water; 0: that of the planes along the beam"),
    quantity_field<&MarchOptions::angle_step, Dimension::angle>(
        "angle_step", "angle from direction to direction"),
    quantity_field<&MarchOptions::angle_window, Dimension::angle>(
        "angle_window", "directions to each side of the beam"),
};

constexpr config::Field<MarchOptions> of_physics[] = {
    field<&MarchOptions::splitting>(
        "scheme", "how the operators of a step follow each other; strang is of second order"),
    field<&MarchOptions::scattering>("scattering", "protons change their direction"),
    field<&MarchOptions::straggling>("straggling", "energies spread as protons slow down"),
    field<&MarchOptions::nuclear>("nuclear", "protons are lost to nuclear reactions"),
    field<&MarchOptions::out_of_plane>(
        "out_of_plane", "paths are longer by the angle that the two dimensions leave out"),
};

constexpr config::Field<Config> of_water[] = {
    field<&Config::water>("water", "stopping powers: icru90 (I = 78 eV) or pstar (75 eV)"),
};

constexpr config::Field<DenseOptions> of_dense[] = {
    field<&DenseOptions::energies>(
        "energies",
        "number of energies on the grid; 0: a step apart, where they are spaced by range",
        config::between(0, 1e6)),
    quantity_field<&DenseOptions::energy_min, Dimension::energy>("energy_min",
                                                                 "the lowest energy of the grid"),
    quantity_field<&DenseOptions::energy_max, Dimension::energy>(
        "energy_max", "the highest energy of the grid; 0 MeV: a little above the beam's"),
    field<&DenseOptions::spacing>("spacing", "spacing of the energies"),
    field<&DenseOptions::angles>("angles", "number of angles on the grid", config::between(1, 1e6)),
    quantity_field<&DenseOptions::angle_window, Dimension::angle>(
        "angle_window", "directions to each side of the z axis"),
    quantity_field<&DenseOptions::step, Dimension::length>(
        "step", "path of a step; 0 mm: that of the planes"),
    field<&DenseOptions::backward>("backward", "what happens to protons that turn back"),
    quantity_field<&DenseOptions::angle_cap, Dimension::angle>(
        "angle_cap", "for backward = cap: protons at larger angles are taken out"),
    field<&DenseOptions::least_cosine>(
        "least_cosine", "for backward = allow: protons with a smaller cosine are taken out"),
    field<&DenseOptions::threshold>(
        "threshold", "planes of an energy and an angle with less of the weight are left out"),
};

constexpr config::Field<BaseDataOptions> of_base_data[] = {
    quantity_field<&BaseDataOptions::energy_spread, Dimension::energy>(
        "energy_spread", "standard deviation of each energy"),
    quantity_field<&BaseDataOptions::step, Dimension::length>("step", "of depth"),
};

constexpr config::Field<BatchOptions> of_batch[] = {
    field<&BatchOptions::dose>("dose",
                               "also write each beam's dose, [plane][column], Gy mm a proton"),
    field<&BatchOptions::anyway>("anyway",
                                 "march beams that are refused because their dose would be wrong"),
    field<&BatchOptions::force>("force", "begin anew, whatever the folder has"),
    field<&BatchOptions::precision>("precision", "of the state"),
};

constexpr config::Field<RbeOptions> of_rbe[] = {
    field<&RbeOptions::model>("model", "how RBE depends on LET, dose and tissue; constant is 1.1"),
    field<&RbeOptions::alpha_beta>("alpha_beta", "of photons in the tissue, Gy", config::positive),
    field<&RbeOptions::fractions>("fractions", "how many equal fractions the dose is of",
                                  config::between(1, 1e6)),
};

constexpr config::Field<StructureDvhOptions> of_structure_dvh[] = {
    field<&StructureDvhOptions::samples>(
        "samples",
        "of contours: points along each axis of an element, where the dose is interpolated; 0: as "
        "many as small structures need",
        config::between(0, 32)),
};

}  // namespace

config::Fields<Phantom> cell_fields() {
    return of_cells;
}
config::Fields<MarchOptions> step_fields() {
    return of_steps;
}
config::Fields<MarchOptions> physics_fields() {
    return of_physics;
}
config::Fields<Config> water_fields() {
    return of_water;
}
config::Fields<DenseOptions> dense_fields() {
    return of_dense;
}
config::Fields<BaseDataOptions> base_data_fields() {
    return of_base_data;
}
config::Fields<BatchOptions> batch_fields() {
    return of_batch;
}
config::Fields<RbeOptions> rbe_fields() {
    return of_rbe;
}
config::Fields<StructureDvhOptions> structure_dvh_fields() {
    return of_structure_dvh;
}

}  // namespace sluice::proton
