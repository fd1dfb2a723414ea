// Plans of scanned proton beams: out of RT ion plans of DICOM, or out of lists of spots.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

// Lengths are mm, energies MeV, angles degrees as IEC 61217 counts them. Places in the patient are
// those of DICOM: to the left, the back and the head.
namespace sluice::proton {

struct PlanSpot {
    double x = 0, y = 0;  ///< in the plane of the isocentre, IEC gantry coordinates
    double meterset = 0;  ///< of all paintings, in the unit of the plan

    bool operator==(PlanSpot const&) const = default;
};

/// A range shifter that is in the beam.
struct RangeShifter {
    std::string name;
    double water = 0;     ///< as much water stops as much
    double distance = 0;  ///< from the isocentre to its downstream side

    bool operator==(RangeShifter const&) const = default;
};

struct PlanLayer {
    double energy = 0;             ///< nominal
    std::array<double, 2> fwhm{};  ///< of a spot in air at the isocentre, x and y; 0: not told
    int paintings = 1;
    std::vector<RangeShifter> shifters = {};
    std::vector<PlanSpot> spots = {};

    bool operator==(PlanLayer const&) const = default;
};

struct IonBeam {
    int number = 1;
    std::string name = {};
    double gantry = 0, couch = 0;
    std::array<double, 3> isocentre{};
    std::array<double, 2> source{};  ///< from the virtual sources of x and y to the isocentre
    std::optional<double> snout = {};
    std::vector<PlanLayer> layers = {};

    bool operator==(IonBeam const&) const = default;
};

/// What a meterset counts.
enum class MetersetUnit : std::uint8_t {
    mu,       ///< monitor units: how many protons one is, only the machine knows
    protons,  ///< NP
};

struct IonPlan {
    std::string label = {}, uid = {}, frame_of_reference = {};
    std::string patient_position = {};  ///< HFS, HFP, FFS or FFP
    MetersetUnit unit = MetersetUnit::mu;
    int fractions = 1;  ///< planned; metersets are of one
    std::vector<IonBeam> beams = {};
    std::vector<std::string> notes = {};  ///< what was missing, assumed or left out: sentences

    index spots() const;
    double meterset() const;
};

/// What a plan may lack, given by who reads it. What it has counts.
struct PlanDefaults {
    std::vector<double> source = {};  ///< distances of the virtual sources, x and y; or one of both
    std::vector<double> fwhm = {};    ///< of spots, x and y; or one of both
    std::optional<double> shifter_water = {}, shifter_distance = {};
    std::string patient_position = {};
    /// What neither has becomes a note, and 0 or empty: to look at a plan, not to compute with it.
    bool incomplete = false;
};

/// An RT ion plan, or a list of spots (below). Refuses what is not protons, not scanned, moves
/// within a beam, or lacks what neither it nor `defaults` has.
Result<IonPlan> read_plan(std::string const& path, PlanDefaults const& defaults = {});

/// Lines of comma-separated values behind a header: energy_MeV, x_mm, y_mm and mu or protons of
/// each spot; gantry_deg, iso_x_mm, iso_y_mm, iso_z_mm, and sad_x_mm, sad_y_mm unless `defaults`
/// has them. May have: beam, name, couch_deg, snout_mm, layer, fwhm_x_mm, fwhm_y_mm, paintings,
/// shifters, patient_position, fractions, label. Spots of one layer follow each other.
Result<IonPlan> parse_plan_list(std::string_view text, std::string const& name,
                                PlanDefaults const& defaults = {});
/// The plan as such a list; parse_plan_list() makes the same beams of it.
std::string plan_list(IonPlan const& plan);
Status save_plan_list(std::string const& path, IonPlan const& plan);

}  // namespace sluice::proton
