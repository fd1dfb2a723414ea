// The tables of LatticeOptions and StrainOptions.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/strain/fields.h"

#include "domain/crystal/strain/words.h"

namespace sluice::stem4d {
namespace {

using config::field;

constexpr config::Field<LatticeOptions> of_lattices[] = {
    field<&LatticeOptions::tolerance>(
        "tolerance", "px from a lattice point in the first round; 0: a fifth of the shorter vector",
        config::not_negative),
    field<&LatticeOptions::cut>(
        "cut", "standard deviations beyond which disks are left out of later rounds",
        config::positive),
    field<&LatticeOptions::least_disks>("least_disks", "fewer near the lattice make no fit",
                                        {.least = 3}),
    field<&LatticeOptions::model_variance>(
        "model_variance", "do not add what disks miss their lattices by to their errors"),
};

constexpr config::Field<StrainOptions> of_strain[] = {
    field<&StrainOptions::axis_degrees>(
        "axis_degrees", "turns the axes of the strain, from the row axis to the column axis")
        .called("--axis"),
    field<&StrainOptions::scan_rotation_degrees>(
        "scan_rotation_degrees",
        "turns vectors of the detector onto the scan, as `center-of-mass --rotation` finds it")
        .called("--scan-rotation"),
    field<&StrainOptions::transpose>(
        "transpose", "exchange rows and columns of the detector's vectors before they are turned"),
    field<&StrainOptions::convention>("convention", "signs and axes of the output"),
};

}  // namespace

config::Fields<LatticeOptions> lattice_fields() {
    return of_lattices;
}
config::Fields<StrainOptions> strain_fields() {
    return of_strain;
}

}  // namespace sluice::stem4d
