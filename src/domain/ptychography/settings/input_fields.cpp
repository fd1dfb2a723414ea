// Fields: the tables of what a reconstruction begins with, and of sweeps.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/settings/input_fields.h"

namespace sluice::ptycho {

namespace {

using config::custom_field;
using config::field;
using config::positive;
using config::Shown;
using Scan = stem4d::PatternsOptions;
using File = stem4d::PatternFileOptions;
using Probe = optics::ProbeOptics;
using Sweep = stem4d::SweepOptions;
using Aberrations = std::vector<optics::Aberration>;
using Axes = std::vector<stem4d::SweepAxis>;

// What scans and files have both.
template <class T>
constexpr auto kilovolts = field<&T::kilovolts>("kilovolts", "of the electrons, in kV [the file's]",
                                                positive)
                               .called("--energy");
template <class T>
constexpr auto wavelength = field<&T::wavelength_nm>(
    "wavelength_nm", "instead of --energy, as of X-rays [the file's]", positive);
template <class T>
constexpr auto detector_pixel = field<&T::detector_pixel_um>(
    "detector_pixel_um",
    "of near fields (--set propagation=near), instead of the angle: the side of a detector pixel "
    "as loaded, in um [the file's]",
    positive);
template <class T>
constexpr auto transpose = field<&T::transpose>(
    "transpose", "the detector's rows and columns are exchanged before the rotation");
template <class T>
constexpr auto side = field<&T::size>("size",
                                      "side of the patterns [the smallest of 64, 128, 192 and 256 "
                                      "that holds the detector, else its own]",
                                      config::between(8, 4096));

constexpr config::Field<Scan> of_scan[] = {
    kilovolts<Scan>,
    wavelength<Scan>,
    detector_pixel<Scan>,
    field<&Scan::scan_step_nm>(
        "scan_step_nm", "distance of two scan points as loaded, in nm [the file's]", positive),
    field<&Scan::rotation_degrees>(
        "rotation_degrees",
        "of the detector against the scan, in degrees, as `center-of-mass --rotation auto` finds "
        "it [the file's, else 0]")
        .called("--rotation"),
    transpose<Scan>,
    side<Scan>,
};

constexpr config::Field<File> of_file[] = {
    kilovolts<File>,
    wavelength<File>,
    detector_pixel<File>,
    transpose<File>,
    side<File>,
    field<&File::flip_rows>("flip_rows",
                            "of a file of patterns: positions go the other way along rows"),
    field<&File::flip_cols>("flip_cols", "the same along columns"),
};

Status read_aberrations(Shown const& /*shown*/, std::string_view text, Aberrations& out) {
    return config::read_list(text, out,
                             [](std::string_view one, optics::Aberration& aberration) -> Status {
                                 SLUICE_TRY(aberration, optics::parse_aberration(std::string(one)));
                                 return {};
                             });
}
std::string aberrations_text(Aberrations const& aberrations) {
    return config::list_text(aberrations, [](optics::Aberration const& a) {
        return fmt::format("C{}{}={}@{}", a.n, a.m, a.nm, a.degrees);
    });
}

constexpr config::Field<Probe> of_probe[] = {
    field<&Probe::semiangle_mrad>(
        "semiangle_mrad", "of the probe's aperture, in mrad [the probe begins as the mean pattern]",
        positive)
        .called("--semiangle"),
    field<&Probe::defocus_nm>("defocus_nm", "of the probe, in nm; positive: under focus")
        .called("--defocus"),
    field<&Probe::spherical_mm>("spherical_mm", "C30 of the probe, in mm").called("--spherical"),
    custom_field<&Probe::aberrations, read_aberrations, aberrations_text>(
        "aberrations",
        "another one, as in C12=3 or C23=400@30: its length in nm, its angle in degrees")
        .called("--aberration")
        .listed(),
};

Status read_axis(Shown const& shown, std::string_view text, stem4d::SweepAxis& out) {
    auto const equals = text.find('=');
    if (equals == std::string_view::npos || equals + 1 == text.size())
        return Error{
            Code::invalid_argument,
            fmt::format("{0} {1} gives no values; write {0} NAME=A,B,C", shown.name, text)};
    out.name = text.substr(0, equals);
    return config::read_value(shown, text.substr(equals + 1), out.values);
}

// The values of an axis have commas between them.
constexpr char between_axes = ';';
Status read_axes(Shown const& shown, std::string_view text, Axes& out) {
    return config::read_list(
        text, out,
        [&](std::string_view one, stem4d::SweepAxis& axis) { return read_axis(shown, one, axis); },
        between_axes);
}
std::string axes_text(Axes const& axes) {
    return config::list_text(
        axes,
        [](stem4d::SweepAxis const& axis) {
            return axis.name + "=" + config::value_text(axis.values);
        },
        between_axes);
}

constexpr config::Field<Sweep> of_sweep[] = {
    custom_field<&Sweep::axes, read_axes, axes_text>(
        "sweep",
        "NAME=A,B,C: run a setting's values instead of one; several give all combinations, ranked "
        "by R")
        .listed(between_axes),
    field<&Sweep::held_out>("held_out",
                            "part of the patterns that no run of a sweep sees, as in 0.05; runs "
                            "are ranked by their R",
                            config::between(0, 0.2)),
};

}  // namespace

config::Fields<Scan> pattern_fields() {
    return of_scan;
}
config::Fields<File> pattern_file_fields() {
    return of_file;
}
config::Fields<Probe> probe_fields() {
    return of_probe;
}
config::Fields<Sweep> sweep_fields() {
    return of_sweep;
}

}  // namespace sluice::ptycho
