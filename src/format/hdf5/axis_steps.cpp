// Steps of axes as py4DSTEM, EMD and HyperSpy have them, in nm, mrad and 1/nm.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/axis_steps.h"

#include <fmt/format.h>

#include <cmath>

#include "format/calibration.h"
#include "format/hdf5/axis_units.h"
#include "format/hdf5/object/raw.h"
#include "format/hdf5/object/value.h"

namespace sluice::hdf5 {
namespace {

using object::Object;

/// A number with its unit, and where it stands.
struct Step {
    double value = 0;
    std::string unit = {}, from = {};
};

/// Pixels, or nothing at all (HyperSpy's words for it too): nobody measured the step.
bool is_pixels(std::string const& unit) {
    return unit.empty() || unit == "px" || unit.starts_with("pixel") || unit == "<undefined>" ||
           unit == "none";
}

std::string unknown_unit(Step const& step, char const* of, char const* option) {
    return fmt::format(
        "{} gives the step of the {} in \"{}\", which is not one of its units: give {}", step.from,
        of, step.unit, option);
}

void take_scan(Step const& step, AxisSteps& into) {
    std::string const unit = plain_word(step.unit);
    if (is_pixels(unit)) return;
    auto const known = nm_of(unit);
    if (!known) return into.notes.push_back(unknown_unit(step, "scan", "--scan-step-nm"));
    into.scan_nm = step.value * *known;
}

void take_detector(Step const& step, AxisSteps& into) {
    std::string const unit = plain_word(step.unit);
    if (is_pixels(unit)) return;
    auto const angle = mrad_of(unit), frequency = per_nm_of(unit);
    if (angle)
        into.detector_mrad = step.value * *angle;
    else if (frequency)
        into.detector_per_nm = ten_digits(step.value * *frequency);
    else
        into.notes.push_back(unknown_unit(step, "detector", "--detector-step-mrad"));
}

bool good(double step) {
    return std::isfinite(step) && step > 0;
}

/// R_pixel_size and R_pixel_units, or those of Q, in a group.
Result<std::optional<Step>> calibrated(Object const& root, std::string const& group,
                                       std::string const& side, AxisSteps& into) {
    std::string const at = group + "/" + side + "_pixel_";
    SLUICE_TRY(auto const value, object::read_number(root, at + "size"));
    SLUICE_TRY(auto const unit, object::read_text(root, at + "units"));
    if (!value || !unit || positive_or_noted(*value, "step", at + "size", into.notes) == 0)
        return std::optional<Step>{};
    return std::optional(Step{*value, *unit, at + "size"});
}

/// Between the first two values, if the last one is as far away as that makes it.
double step_of(object::Elements const& e) {
    index const count = e.type.check_number() ? static_cast<index>(e.count()) : 0;
    if (count < 2) return 0;
    auto const at = [&](index i) {
        return object::number_of(e.type, e.bytes.data() + i * static_cast<index>(e.type.size));
    };
    double const step = at(1) - at(0);
    double const mean = (at(count - 1) - at(0)) / static_cast<double>(count - 1);
    return std::abs(mean - step) <= 1e-3 * std::abs(step) ? std::abs(step) : 0;
}

Result<std::optional<Step>> step_of_axis(Object const& root, std::string const& path) {
    constexpr std::uint64_t most_bytes = 1 << 20;
    SLUICE_TRY(auto const dim, root.find(path));
    if (!dim || !dim->is_dataset()) return std::optional<Step>{};
    SLUICE_TRY(auto const unit, object::attribute_text(*dim, "units"));
    auto const elements = object::read_elements(*dim, most_bytes);
    if (!unit || !elements) return std::optional<Step>{};
    double const step = step_of(*elements);
    if (!good(step)) return std::optional<Step>{};
    return std::optional(Step{step, *unit, path});
}

/// `scale` of a group axis-0, axis-1, ... of HyperSpy.
Result<std::optional<Step>> step_of_group(Object const& root, std::string const& path,
                                          AxisSteps& into) {
    SLUICE_TRY(auto const axis, root.find(path));
    if (!axis) return std::optional<Step>{};
    SLUICE_TRY(auto const scale, object::attribute_number(*axis, "scale"));
    SLUICE_TRY(auto const unit, object::attribute_text(*axis, "units"));
    if (!scale || !unit || is_pixels(plain_word(*unit))) return std::optional<Step>{};
    std::string const at = path + "/scale";
    double const step = positive_or_noted(std::abs(*scale), "step", at, into.notes);
    return step > 0 ? std::optional(Step{step, *unit, at}) : std::optional<Step>{};
}

/// The step of two axes that belong to each other; empty where they do not agree.
Result<std::optional<Step>> common_step(Home const& home, std::vector<std::size_t> const& axes,
                                        AxisSteps& into) {
    std::string const group = home.group() == "/" ? "" : home.group();
    SLUICE_TRY(auto const from_zero, home.root.find_link(group + "/dim0"));
    std::optional<Step> common;
    for (std::size_t const axis : axes) {
        SLUICE_TRY(auto step, step_of_axis(home.root, fmt::format("{}/dim{}", group,
                                                                  axis + (from_zero ? 0 : 1))));
        if (!step) {
            SLUICE_TRY(step,
                       step_of_group(home.root, fmt::format("{}/axis-{}", group, axis), into));
        }
        if (!step) return step;
        if (!common) common = step;
        if (plain_word(step->unit) != plain_word(common->unit) ||
            std::abs(step->value - common->value) > 1e-3 * common->value) {
            into.notes.push_back(fmt::format(
                "{} and {} differ in their steps ({:g} {} and {:g} {}), which are left out",
                common->from, step->from, common->value, common->unit, step->value, step->unit));
            return std::optional<Step>{};
        }
    }
    return common;
}

/// The groups above a path: "/a/b" of "/a/b/c", then "/a", then "".
std::vector<std::string> groups_above(std::string path) {
    std::vector<std::string> groups;
    while (!path.empty()) {
        path.resize(path.find_last_of('/') == path.npos ? 0 : path.find_last_of('/'));
        groups.push_back(path);
    }
    return groups;
}

Result<std::optional<Step>> find_calibrated(Home const& home, std::string const& side,
                                            AxisSteps& into) {
    for (std::string const& group : groups_above(home.path)) {
        SLUICE_TRY(auto step,
                   calibrated(home.root, group + "/metadatabundle/calibration", side, into));
        if (step) return step;
    }
    return std::optional<Step>{};
}

/// QR_rotation in rad, or QR_rotation_degrees, and QR_flip, in a group. py4DSTEM turns the centre
/// of mass from axis 0 towards axis 1, after it has exchanged its components, as stem4d::Rotation
/// does.
Result<std::optional<DetectorTurn>> turned(Object const& root, std::string const& group,
                                           AxisSteps& into) {
    SLUICE_TRY(auto const radians, object::read_number(root, group + "/QR_rotation"));
    SLUICE_TRY(auto const degrees, object::read_number(root, group + "/QR_rotation_degrees"));
    SLUICE_TRY(auto const flip, object::read_number(root, group + "/QR_flip"));
    if (!radians && !degrees && !flip) return std::optional<DetectorTurn>{};
    double const by_radians = radians.value_or(0) * 180 / std::numbers::pi;
    DetectorTurn const turn{.degrees = ten_digits(degrees.value_or(by_radians)),
                            .transpose = flip.value_or(0) != 0};
    if (radians && degrees && std::abs(*degrees - by_radians) > 0.01) {
        into.notes.push_back(fmt::format(
            "{} gives QR_rotation as {:g} degrees and QR_rotation_degrees as {:g}: how the "
            "detector lies against the scan is left out",
            group, by_radians, *degrees));
        return std::optional<DetectorTurn>{};
    }
    if (std::isfinite(turn.degrees)) return std::optional(turn);
    into.notes.push_back(group + " has a QR_rotation that is not a number and is left out");
    return std::optional<DetectorTurn>{};
}

Status find_turn(Home const& home, AxisSteps& into) {
    for (std::string const& group : groups_above(home.path)) {
        if (into.turn) break;
        SLUICE_TRY(into.turn, turned(home.root, group + "/metadatabundle/calibration", into));
    }
    return {};
}

/// The microscope, as HyperSpy has it beside the data.
Status find_microscope(Home const& home, AxisSteps& into) {
    std::string const group = home.group() == "/" ? "" : home.group();
    std::string const at = group + "/metadata/Acquisition_instrument/TEM";
    SLUICE_TRY(auto const microscope, home.root.find(at));
    if (!microscope) return {};
    SLUICE_TRY(auto const kv, object::attribute_number(*microscope, "beam_energy"));
    SLUICE_TRY(auto const mrad, object::attribute_number(*microscope, "convergence_angle"));
    SLUICE_TRY(auto const mm, object::attribute_number(*microscope, "camera_length"));
    auto const positive = [&](std::optional<double> const& value, char const* name,
                              char const* what) {
        return value ? positive_or_noted(*value, what, at + "/" + name, into.notes) : 0;
    };
    into.energy_kv = positive(kv, "beam_energy", "energy");
    into.semiangle_mrad = positive(mrad, "convergence_angle", "angle");
    into.camera_length_mm = positive(mm, "camera_length", "length");
    return {};
}

}  // namespace

Result<AxisSteps> axis_steps(Object const& file, StoredDataset const& d,
                             boxes::FrameAxes const& axes) {
    AxisSteps steps;
    SLUICE_TRY(auto const homes, homes_of(file, d));
    for (Home const& home : homes) {
        if (!steps.turn) SLUICE_CHECK(find_turn(home, steps));
        if (!(steps.energy_kv > 0)) SLUICE_CHECK(find_microscope(home, steps));
    }
    for (Home const& home : homes) {
        SLUICE_TRY(auto scan, find_calibrated(home, "R", steps));
        SLUICE_TRY(auto detector, find_calibrated(home, "Q", steps));
        if (!scan) {
            SLUICE_TRY(scan, common_step(home, axes.scan, steps));
        }
        if (!detector) {
            SLUICE_TRY(detector, common_step(home, {axes.row, axes.col}, steps));
        }
        if (scan) take_scan(*scan, steps);
        if (detector) take_detector(*detector, steps);
        if (scan || detector) break;
    }
    return steps;
}

}  // namespace sluice::hdf5
