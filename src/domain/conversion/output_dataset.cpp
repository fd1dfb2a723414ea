// Calibration after binning, masks after cutting, and what formats lose.
// SPDX-License-Identifier: Apache-2.0
#include "domain/conversion/output_dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/plural.h"
#include "format/scan_shape.h"
#include "store/plan.h"

namespace sluice::conversion {
namespace {

// Of the pixels as loaded. A bin of pixels of which only some are bad was summed without these.
std::vector<std::uint32_t> mask_of(Scan const& scan) {
    Dataset const& d = scan.dataset();
    store::Plan const& p = scan.plan();
    std::vector<std::uint32_t> out(static_cast<std::size_t>(p.pixels()));
    bool any = false;
    if (p.det_bin == 1 && !d.pixel_mask.empty())
        for (index r = 0; r < p.rows; ++r)
            for (index c = 0; c < p.cols; ++c) {
                index const from = (p.detector_region.row + r) * d.cols + p.detector_region.col + c;
                std::uint32_t const bits = d.pixel_mask[static_cast<std::size_t>(from)];
                out[static_cast<std::size_t>(r * p.cols + c)] = bits;
                any |= bits != 0;
            }
    auto const bad = scan.bad_pixels();
    for (std::size_t i = 0; i < bad.size(); ++i)
        if (bad[i] != 0 && out[i] == 0) out[i] = 1, any = true;
    return any ? out : std::vector<std::uint32_t>{};
}

std::vector<FrameRun> runs_of(std::vector<std::uint8_t> const& lost) {
    std::vector<FrameRun> runs;
    for (std::size_t i = 0; i < lost.size(); ++i)
        if (lost[i] != 0) add_run(runs, {static_cast<index>(i), 1});
    return runs;
}

struct Number {
    char const* name;
    double Dataset::*member;
    char const* unit;
};
constexpr Number numbers[] = {
    {"the energy", &Dataset::energy_kv, "kV"},
    {"the convergence semi-angle", &Dataset::semiangle_mrad, "mrad"},
    {"the scan step", &Dataset::scan_step_nm, "nm"},
    {"the angle of a detector pixel", &Dataset::detector_step_mrad, "mrad"},
    {"the frequency of a detector pixel", &Dataset::detector_step_per_nm, "1/nm"},
    {"the side of a detector pixel", &Dataset::detector_pixel_um, "um"},
    {"the camera length", &Dataset::camera_length_mm, "mm"},
    {"the dwell time", &Dataset::dwell_s, "s"},
};

}  // namespace

Dataset output_dataset(Scan const& scan) {
    Dataset d = scan.dataset();
    store::Plan const& p = scan.plan();
    d.source = {};
    d.feed = {};
    d.dtype = p.dtype;
    d.scan = p.scan;
    d.frames = p.frames();
    d.rows = p.rows, d.cols = p.cols;
    bool const binned = p.det_bin > 1 || p.scan_bin > 1;
    d.scan_step_nm = scan.scan_step_nm();
    auto const bin = static_cast<double>(p.det_bin);
    double const given = scan.options().detector_step_mrad;
    d.detector_step_mrad = given > 0 ? given : d.detector_step_mrad * bin;
    d.detector_step_per_nm = given > 0 ? 0 : d.detector_step_per_nm * bin;
    d.detector_pixel_um *= bin;
    if (p.scan_bin > 1) d.dwell_s = 0;
    d.pixel_mask = mask_of(scan);
    if (binned) d.saturation.reset();
    d.sentinel = d.sentinel && scan.options().as_stored && !binned;
    d.missing_runs = runs_of(p.lost);
    d.missing = frames_in(d.missing_runs);
    return d;
}

std::vector<std::string> not_carried(Dataset const& wanted, Dataset const& made) {
    std::vector<std::string> lost;
    for (Number const& n : numbers) {
        double const value = wanted.*n.member, its = made.*n.member;
        if (value > 0 && std::abs(its - value) > 1e-6 * value)
            lost.push_back(fmt::format("{}, {:.6g} {}{}", n.name, value, n.unit,
                                       its > 0 ? fmt::format(" (it says {:.6g})", its) : ""));
        if (value <= 0 && its > 0)
            lost.push_back(
                fmt::format("that {} is not known (it says {:.6g} {})", n.name, its, n.unit));
    }
    if (wanted.detector_turn && !made.detector_turn)
        lost.push_back("how the detector lies against the scan, " + text_of(*wanted.detector_turn));
    auto const bad = [](Dataset const& d) {
        return std::ranges::count_if(d.pixel_mask, [](std::uint32_t m) { return m != 0; });
    };
    if (wanted.pixel_mask != made.pixel_mask && bad(wanted) + bad(made) > 0)
        lost.push_back(fmt::format("the pixel mask of {}", plural(bad(wanted), "bad pixel")));
    if (wanted.saturation && wanted.saturation != made.saturation)
        lost.push_back(fmt::format("the saturation value, {}", *wanted.saturation));
    if (wanted.sentinel != made.sentinel)
        lost.push_back(wanted.sentinel
                           ? "that all ones in a pixel mark no data"
                           : "that all ones in a pixel are a count (it takes them as no data)");
    if (wanted.missing_runs != made.missing_runs)
        lost.push_back(
            fmt::format("which frames are missing ({}: number {}); they have the values "
                        "that missing frames read as",
                        wanted.missing, runs_text(wanted.missing_runs)));
    auto const held = [&](MetaField const& f) {
        return std::ranges::any_of(made.metadata, [&](MetaField const& m) {
            return m.name == f.name && m.value == f.value && m.unit == f.unit;
        });
    };
    // How the source was stored is no part of the scan.
    constexpr std::string_view of_file[] = {"stored as", "filters", "dataset", "array",
                                            "codecs",    "chunks",  "channel"};
    auto const gone = std::ranges::count_if(wanted.metadata, [&](MetaField const& f) {
        return !held(f) && std::ranges::find(of_file, f.name) == std::end(of_file);
    });
    if (gone > 0) lost.push_back(plural(gone, "field of metadata", "fields of metadata"));
    return lost;
}

Status same_form(Dataset const& wanted, Dataset const& made) {
    if (made.scan == wanted.scan && made.rows == wanted.rows && made.cols == wanted.cols &&
        made.dtype == wanted.dtype)
        return {};
    return Error{Code::corrupt,
                 fmt::format("the output reads as a scan of {}x{} with {}x{} {}, and not as {}x{} "
                             "with {}x{} {} (a fault of this program); nothing was kept",
                             made.scan[0], made.scan[1], made.rows, made.cols, name_of(made.dtype),
                             wanted.scan[0], wanted.scan[1], wanted.rows, wanted.cols,
                             name_of(wanted.dtype)),
                 made.path};
}

}  // namespace sluice::conversion
