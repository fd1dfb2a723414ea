// Calibration and metadata of images of DigitalMicrograph.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "format/calibration.h"
#include "format/dm/image.h"

namespace sluice::dm {
namespace {

struct Unit {
    std::string_view name;
    double factor;
};
// Letters beyond ASCII stand as UTF-8: micro (two kinds), and Angstrom (two kinds).
constexpr Unit lengths[] = {{"nm", 1},          {"pm", 1e-3},       {"um", 1e3},
                            {"\xC2\xB5m", 1e3}, {"\xCE\xBCm", 1e3}, {"mm", 1e6},
                            {"A", 0.1},         {"\xC3\x85", 0.1},  {"\xE2\x84\xAB", 0.1}};
constexpr Unit frequencies[] = {{"1/nm", 1},        {"1/pm", 1e3},          {"1/A", 10},
                                {"1/\xC3\x85", 10}, {"1/\xE2\x84\xAB", 10}, {"nm^-1", 1},
                                {"A^-1", 10}};
constexpr Unit angles[] = {{"mrad", 1}, {"rad", 1e3}, {"urad", 1e-3}, {"\xC2\xB5rad", 1e-3}};

// In the unit of the table; 0: it has another one.
template <std::size_t n>
double in(Unit const (&units)[n], Calibration const& c) {
    for (Unit const& u : units)
        if (c.units == u.name) return ten_digits(std::abs(c.scale) * u.factor);
    return 0;
}

template <class Convert>
double step_of(Calibration const& along_rows, Calibration const& along_cols, std::string_view what,
               Dataset& d, Convert convert) {
    double const step = convert(along_cols), other = convert(along_rows);
    if (step > 0 && other > 0 && std::abs(other - step) > 1e-6 * step)
        d.notes.push_back(fmt::format(
            "{} is {:g} along columns and {:g} along rows; the first is taken", what, step, other));
    return std::isfinite(step) ? step : 0;
}

// Name in the tags of the image, name here, unit.
constexpr std::string_view texts[][2] = {
    {"Microscope", "microscope"},
    {"Illumination Mode", "illumination mode"},
    {"Imaging Mode", "imaging mode"},
    {"Operation Mode", "operation mode"},
};

void add_microscope(Tree const& tree, std::string const& path, Dataset& d) {
    std::string const info = path + ".ImageTags.Microscope Info.";
    auto const positive = [&](std::string const& at) {
        double const v = tree.number(at).value_or(0);
        return std::isfinite(v) && v > 0 ? v : 0;
    };
    d.energy_kv = positive(info + "Voltage") / 1e3;
    d.camera_length_mm = positive(info + "STEM Camera Length");
    d.dwell_s = positive(path + ".ImageTags.SI.Acquisition.Pixel time (s)");
    for (auto const& [tag, name] : texts)
        if (auto const text = tree.text(info + std::string(tag)); text && !text->empty())
            d.metadata.push_back({std::string(name), text->substr(0, 200), ""});
    if (double const mag = positive(info + "Indicated Magnification"); mag > 0)
        d.metadata.push_back({"magnification", fmt::format("{:g}", mag), ""});
}

}  // namespace

void describe(Tree const& tree, Image const& image, boxes::FrameAxes const& axes, Dataset& d) {
    auto const& c = image.axes;
    if (axes.scan.size() == 2)
        d.scan_step_nm = step_of(c[axes.scan[0]], c[axes.scan[1]], "the scan step", d,
                                 [](Calibration const& x) { return in(lengths, x); });
    d.detector_step_per_nm = step_of(c[axes.row], c[axes.col], "the detector step", d,
                                     [](Calibration const& x) { return in(frequencies, x); });
    d.detector_step_mrad = step_of(c[axes.row], c[axes.col], "the angle of a detector pixel", d,
                                   [](Calibration const& x) { return in(angles, x); });
    bool const other = d.detector_step_per_nm == 0 && d.detector_step_mrad == 0;
    if (Calibration const& x = c[axes.col]; other && x.scale != 0 && !x.units.empty())
        d.metadata.push_back({"step along frames' columns", fmt::format("{:g}", x.scale), x.units});
    add_microscope(tree, image.path, d);
    if (auto const name = tree.text(image.path + ".Name"); name && !name->empty())
        d.metadata.push_back({"name", name->substr(0, 200), ""});
    if (!image.format.empty()) d.metadata.push_back({"image format", image.format, ""});
    d.metadata.push_back({"file version", fmt::format("DM{}", tree.version()), ""});
}

}  // namespace sluice::dm
