// The grid out of the patterns and the options.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/grid.h"

#include <fmt/format.h>

#include <cmath>

namespace sluice::ptycho {

using stem4d::Patterns;
using stem4d::PtychographyGrid;
using stem4d::PtychographyOptions;

namespace {

Error no_grid(std::string message) {
    return {Code::invalid_argument, std::move(message)};
}

// From object to detector.
double distance_mm(Patterns const& patterns, PtychographyOptions const& options) {
    return options.distance_mm != 0 ? options.distance_mm : patterns.distance_mm;
}

// Of the object at the detector: a cone beam's is above 1.
double magnification(Patterns const& patterns, PtychographyOptions const& options) {
    if (options.propagation == Propagation::far || !(options.focus_distance_mm > 0)) return 1;
    return 1 + distance_mm(patterns, options) / options.focus_distance_mm;
}

// A parallel beam that spreads so far has the same patterns (D. Paganin, Coherent X-ray Optics,
// 2006, the Fresnel scaling theorem).
double effective_mm(Patterns const& patterns, PtychographyOptions const& options) {
    return distance_mm(patterns, options) / magnification(patterns, options);
}

void note_near_field(Patterns const& patterns, PtychographyOptions const& options,
                     std::vector<std::string>& notes) {
    PtychographyGrid const grid = grid_of(patterns, options);
    double const far_away = distance_mm(patterns, options),
                 long_mm = effective_mm(patterns, options);
    if (options.distance_mm == 0)
        notes.push_back(
            fmt::format("the near field's distance_mm comes from the file: {:.6g} mm", far_away));
    if (options.focus_distance_mm > 0)
        notes.push_back(fmt::format(
            "a cone beam, {1:.6g} mm from its focus to the object and {2:.6g} mm from there to the "
            "detector, magnifies {0:.6g} times: the wave spreads as over {3:.6g} mm, a detector "
            "pixel of {4:.6g} nm is {5:.6g} nm of the object, and positions, which are in detector "
            "pixels, are multiplied by {0:.6g}",
            magnification(patterns, options), options.focus_distance_mm, far_away, long_mm,
            patterns.pixel_nm, patterns.pixel_nm / magnification(patterns, options)));
    double const longest = static_cast<double>(grid.window) * grid.pixel_nm * grid.pixel_nm /
                           patterns.wavelength_nm * 1e-6;
    if (long_mm > longest)
        notes.push_back(
            fmt::format("the near field is {:.4g} mm long, and a window of {} pixels of {:.4g} nm "
                        "samples its propagator up to {:.4g} mm: a wave that leaves the window on "
                        "one side enters it on the other (a larger window helps)",
                        long_mm, grid.window, grid.pixel_nm, longest));
}

Status check_near_field(Patterns const& patterns, PtychographyOptions const& options,
                        std::vector<std::string>* notes) {
    double const distance = distance_mm(patterns, options);
    if (!(distance > 0 && std::isfinite(distance) && patterns.wavelength_nm > 0 &&
          patterns.pixel_nm > 0))
        return no_grid(
            "a near field needs its distance, the wavelength and the pixel's size (the wave "
            "spreads over the distance) give distance_mm, and both in nm");
    if (!(options.focus_distance_mm >= 0 && std::isfinite(options.focus_distance_mm)))
        return no_grid(
            "the distance from a cone beam's focus to the object must be above 0 (0 means a "
            "parallel beam) give focus_distance_mm");
    if (notes) note_near_field(patterns, options, *notes);
    return {};
}

// Patterns know what they were laid out for, unless they come from arrays.
Status check_propagation(Patterns const& patterns, PtychographyOptions const& options) {
    if (!patterns.propagation || *patterns.propagation == options.propagation) return {};
    bool const near = options.propagation == Propagation::near;
    return no_grid(
        fmt::format("the patterns are laid out for a {} field and the reconstruction is of a {} "
                    "field (one has zero frequency at [0][0], the other the image's first pixel) "
                    "read them with propagation {}{}",
                    near ? "far" : "near", near ? "near" : "far", near ? "near" : "far",
                    near ? "; in Python give arrays as Patterns(..., centred=False)" : ""));
}

}  // namespace

Status check_grid(Patterns const& patterns, PtychographyOptions const& options,
                  std::vector<std::string>* notes) {
    if (options.detector_bin < 1 || options.detector_bin > 64)
        return no_grid(
            fmt::format("detector_bin is {} (1 to 64 are possible)", options.detector_bin));
    if (!(options.detector_blur >= 0 && options.detector_blur <= 1000))
        return no_grid("the detector's blur must be 0 to 1000 pixels");
    index const least = options.detector_bin * patterns.size;
    index const window = grid_of(patterns, options).window;
    if (window < least || window > 4096)
        return no_grid(
            fmt::format("the window has {} pixels (it must hold the detector's {} times {}, and at "
                        "most 4096) give 0 or a size in between",
                        window, options.detector_bin, patterns.size));
    if (window % 2 != 0 && window != patterns.size)
        return no_grid(
            fmt::format("the window has {} pixels (the middle of an odd window lies between the "
                        "detector's pixels) give an even size",
                        window));
    if (!std::isfinite(options.tilt_row_mrad) || !std::isfinite(options.tilt_col_mrad) ||
        std::abs(options.tilt_row_mrad) > 500 || std::abs(options.tilt_col_mrad) > 500)
        return no_grid("a tilt must be -500 to 500 mrad");
    if ((options.tilt_row_mrad != 0 || options.tilt_col_mrad != 0) && options.slices < 2)
        return no_grid(
            "a tilt needs several slices (it shifts them against each other) give two or more, or "
            "no tilt");
    SLUICE_CHECK(check_propagation(patterns, options));
    if (options.propagation == Propagation::near) return check_near_field(patterns, options, notes);
    for (auto const& [value, name] : {std::pair(options.distance_mm, "distance_mm"),
                                      std::pair(options.focus_distance_mm, "focus_distance_mm")})
        if (value != 0)
            return no_grid(
                fmt::format("a {} belongs to the near field (the far field has none) give "
                            "propagation near, or no distance",
                            name));
    return {};
}

PtychographyGrid grid_of(Patterns const& patterns, PtychographyOptions const& options) {
    index const seen = options.detector_bin * patterns.size;
    PtychographyGrid grid{.window = options.window > 0 ? options.window : seen};
    // A far field's spectrum reaches window / seen times as far as the detector. In a near field
    // the bin cuts the detector's pixels, and a cone beam magnifies the object's.
    grid.position_scale =
        options.propagation == Propagation::near
            ? static_cast<double>(options.detector_bin) * magnification(patterns, options)
            : static_cast<double>(grid.window) / static_cast<double>(seen);
    grid.pixel_nm = patterns.pixel_nm / grid.position_scale;
    return grid;
}

std::vector<Position> positions_on_grid(Patterns const& patterns,
                                        PtychographyOptions const& options) {
    double const by = grid_of(patterns, options).position_scale;
    std::vector<Position> positions = patterns.positions;
    for (auto& p : positions) p = {p.row * by, p.col * by};
    return positions;
}

Model model_of(Patterns const& patterns, PtychographyOptions const& options) {
    PtychographyGrid const grid = grid_of(patterns, options);
    Model model{.window = grid.window, .detector = patterns.size, .bin = options.detector_bin};
    model.blur = options.detector_blur * static_cast<double>(options.detector_bin);
    model.propagation = options.propagation;
    model.distance_nm = effective_mm(patterns, options) * 1e6;
    model.sub_pixel = options.sub_pixel;
    model.slices = options.slices;
    model.slice_nm = options.slice_nm;
    model.wavelength_nm = patterns.wavelength_nm;
    model.pixel_nm = grid.pixel_nm;
    model.tilt_rad = {options.tilt_row_mrad * 1e-3, options.tilt_col_mrad * 1e-3};
    return model;
}

}  // namespace sluice::ptycho
