// Spots for a target: beams whose layers and weights cover a structure with a flat dose.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sluice/progress.h"
#include "sluice/proton_dose.h"
#include "sluice/proton_guards.h"
#include "sluice/proton_machine.h"
#include "sluice/proton_plan.h"
#include "sluice/result.h"
#include "sluice/structures.h"
#include "sluice/volume.h"

// Lengths are mm, energies MeV, angles degrees as IEC 61217 counts them.
namespace sluice::proton {

struct TargetOptions {
    std::vector<double> gantry = {0};    ///< a beam each
    std::vector<double> couch = {0};     ///< of each beam, or one of all
    std::vector<double> isocentre = {};  ///< x, y, z; empty: the target's centre of volume
    double dose = 2;                     ///< Gy of one fraction, by all beams together
    int fractions = 1;
    double margin = 10;        ///< by which the target is grown to all sides
    double spacing = 5;        ///< of spots, in the plane of the isocentre
    double layer_spacing = 3;  ///< of the layers' ranges, mm of water
    std::string patient_position = "HFS";
    std::string kernels = {};  ///< a folder for depth kernels; empty: that of the user's caches
    bool keep_kernels = true;  ///< read and write that folder
    int threads = 0;
    Progress progress = {};  ///< called with steps done and all; returning false cancels
};

/// What one beam has to reach.
struct TargetBeam {
    index layers = 0, spots = 0;
    double shallowest = 0, deepest = 0;  ///< of the grown target, mm of water
};
struct TargetPlan {
    IonPlan plan;  ///< metersets are protons of one fraction
    std::vector<TargetBeam> beams = {};
    std::vector<Guard> guards = {};
};
/// Spots lie on a grid of rays through the grown target (matRad's steering works so, too). A layer
/// has a spot on a ray where its range ends in the grown target; weights are those from 0 on with
/// which the depth doses of a wide field add up to the dose along each ray (least squares). No
/// optimiser: edges, organs and spots' widths do not count. Errors: those of structure_parts(), a
/// target deeper than the machine reaches, options out of bounds. `ct` says where the voxels are.
Result<TargetPlan> place_spots(Patient const& patient, Volume const& ct, Structure const& target,
                               Machine const& machine, TargetOptions const& options = {});

}  // namespace sluice::proton
