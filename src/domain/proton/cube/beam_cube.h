// The dose of one beam on its own grid.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/run.h"
#include "domain/proton/cube/fan.h"
#include "domain/proton/cube/spot_sheets.h"

namespace sluice::proton::cube {

/// Values at the middles of a grid's elements, zero beside it.
struct Cubes {
    double pixel = 1, u0 = 0, v0 = 0;
    index rows = 0, columns = 0;
    /// Of each channel and plane, [row][column]; a plane without any is empty.
    std::vector<std::vector<std::vector<float>>> values = {};
};

/// What a beam leaves: the sum of a fine and a coarse grid. Channels: dose (Gy), dose times LET
/// (Gy keV/um), and of the coarse grid what splitting of pencils
/// changed (Gy).
struct BeamCube {
    Fan fan;
    index planes = 0;  ///< that have any
    Cubes fine, coarse;
    double deposited = 0;  ///< by pencils, MeV
    double cut = 0;        ///< part of the dose whose pencils were wider than the grid's margin
};

struct CubeOptions {
    bool let = true, error = true;
    Device device = Device::cpu();
    int threads = 1;
};

/// The pixel that a beam's spots can have: narrow ones need a smaller one than was asked for.
double pixel_for(std::vector<Sheet> const& sheets, Fan const& fan, double wanted);
/// The smallest grid that holds all spots of the sheets up to 4.5 standard deviations; `fan` has
/// all but its rows and columns.
Fan fan_around(std::vector<Sheet> const& sheets, Fan fan);

/// `run` counts a step for each sheet and slab of planes; steps_of() says how many there are.
Result<BeamCube> beam_cube(Patient const& patient, Fan const& fan, std::vector<Sheet> const& sheets,
                           CubeOptions const& options, Run& run);
index steps_of(Fan const& fan, std::vector<Sheet> const& sheets);

/// The same by marches through slices of two rows. `run` counts a step for each slice of a sheet;
/// slices_of() says how many there are.
Result<BeamCube> march_cube(Patient const& patient, Fan const& fan,
                            std::vector<Sheet> const& sheets, CubeOptions const& options, Run& run);
index slices_of(Fan const& fan, std::vector<Sheet> const& sheets);

/// Pixels of pencils' margins: what scattering in light tissue makes of them.
index fine_margin(std::vector<Sheet> const& sheets, Fan const& fan);

}  // namespace sluice::proton::cube
