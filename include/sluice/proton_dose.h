// The dose of a plan on a CT: beams of scanned protons, their LET, and where not to trust them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sluice/device.h"
#include "sluice/progress.h"
#include "sluice/proton_guards.h"
#include "sluice/proton_machine.h"
#include "sluice/proton_plan.h"
#include "sluice/result.h"
#include "sluice/structures.h"
#include "sluice/volume.h"

// Lengths are mm, energies MeV. Places in the patient are those of DICOM.
namespace sluice::proton {

/// A structure whose voxels are taken as something else than the image says.
struct TissueOverride {
    std::string structure;
    double hu = 0;

    bool operator==(TissueOverride const&) const = default;
};

/// What an image's values are.
enum class ImageQuantity : std::uint8_t {
    hu,        ///< CT numbers
    density,   ///< g/cm3
    stopping,  ///< stopping power relative to water
};

struct PatientOptions {
    std::string table = {};          ///< a file: HU and relative stopping power; empty: matRad's
    std::string density_table = {};  ///< a file: HU and g/cm3; empty: MCsquare's
    /// What the image holds; none: HU, unless its values say otherwise.
    std::optional<ImageQuantity> quantity = {};
    /// The structure outside of which there is air; empty: one of the type EXTERNAL, if any.
    std::string external = {};
    bool whole_image = false;  ///< no structure cuts the image
    /// Later ones win where two overlap.
    std::vector<TissueOverride> overrides = {};
    WaterTable water = WaterTable::icru90;
};

/// What protons meet: a tissue for each voxel.
struct Patient {
    std::vector<index> shape;  ///< [z][y][x]
    std::vector<double> spacing, origin;
    AxisDirections direction = straight_axes;
    std::vector<std::uint16_t> tissue = {};  ///< [z][y][x]: a number of the tables
    /// Relative stopping power, scattering power relative to water, g/cm3.
    std::vector<float> stopping = {}, scattering = {}, density = {};
    std::vector<Material> materials = {};  ///< the same for the march
    /// The tissue of what lies outside of the structure that cuts the image: it gets no dose.
    std::optional<std::uint16_t> outside = {};
    WaterTable water = WaterTable::icru90;
    std::vector<std::string> notes = {};  ///< what was assumed: sentences
    std::vector<Guard> guards = {};
};
/// Fails where the values cannot be what the options say, and where a structure is missing.
Result<Patient> patient_of(Volume const& ct, PatientOptions const& options = {},
                           StructureSet const* structures = nullptr);

enum class DoseEngine : std::uint8_t {
    pencils,  ///< a layer's fluence on rays with columns of their own: seconds
    march,    ///< the march in slices, exact across them in one direction only: a judge, minutes
};

enum class DoseTo : std::uint8_t {
    water,   ///< what a small volume of water in the voxel's place would get
    medium,  ///< what the voxel's own tissue gets
};

struct DoseOptions {
    DoseEngine engine = DoseEngine::pencils;
    DoseTo to = DoseTo::water;
    bool let = true;                   ///< dose-averaged LET, too
    bool error = true;                 ///< the map of the predicted error, too
    bool each_beam = false;            ///< the dose of each beam alone, too
    std::vector<double> spacing = {};  ///< of the dose's voxels, or one for all; empty: the CT's
    double pixel = 1;  ///< of the fluence at the isocentre; narrow spots make it smaller
    double step = 1;   ///< of depth
    /// Of the highest dose, %: where more is predicted, there is a warning.
    double accuracy = 5;
    double protons_per_mu = 0;                 ///< 0: the machine's
    std::optional<double> energy_spread = {};  ///< standard deviation; none: the machine's
    bool single_fraction = false;              ///< the dose of one fraction instead of all
    std::string kernels = {};  ///< a folder for depth kernels; empty: that of the user's caches
    bool keep_kernels = true;  ///< read and write that folder
    Device device = Device::cpu();
    int threads = 0;
    /// Called with steps done and all; returning false cancels.
    Progress progress = {};
};

/// What one beam was.
struct BeamDose {
    int number = 0;
    std::string name;
    index layers = 0, spots = 0;
    double protons = 0;       ///< of all fractions that the dose is of
    double energy = 0;        ///< what they brought, J
    double deposited = 0;     ///< of it in the cube of the beam, J
    double highest = 0;       ///< Gy
    double water_before = 0;  ///< of range shifters, mm of water; the most of its layers
    Volume dose = {};         ///< Gy, where it was asked for
};

struct PlanDose {
    Volume dose;   ///< Gy
    Volume let;    ///< keV/um in water of unit density, of all protons; NaN without dose
    Volume error;  ///< predicted, % of the highest dose; the march in slices predicts none
    std::vector<BeamDose> beams = {};
    int fractions = 1;                    ///< that the dose is of
    std::vector<std::string> notes = {};  ///< what was assumed, interpolated or left out
    std::vector<Guard> guards = {};
};
/// Fails where the coordinates of a plan and those of a CT or of structures are told, and differ.
Status same_coordinates(IonPlan const& plan, std::string const& frame_of_reference);

/// The dose of all beams. Without a machine the plan has to tell spot sizes, and the options the
/// protons per MU. Errors name the beam, the layer, and what is missing.
Result<PlanDose> dose(IonPlan const& plan, Patient const& patient, Machine const* machine,
                      DoseOptions const& options = {});

/// What dose() takes, before it is computed.
struct DoseCost {
    std::uint64_t grid_bytes = 0;    ///< of dose, LET and error
    std::uint64_t beam_bytes = 0;    ///< of the largest beam's own grid
    double steps = 0;                ///< pixels times planes times sheets of spots, of all beams
    index marched = 0;               ///< depth kernels that are not kept yet
    std::uint64_t kernel_bytes = 0;  ///< to march them, before any beam has its grid
};
/// Errors: those of dose() that show before it begins.
Result<DoseCost> dose_cost(IonPlan const& plan, Patient const& patient, Machine const* machine,
                           DoseOptions const& options = {});

}  // namespace sluice::proton
