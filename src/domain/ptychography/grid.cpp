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

Status check_near_field(Patterns const& patterns, PtychographyOptions const& options,
                        std::vector<std::string>* notes) {
    if (!(options.distance_mm > 0 && std::isfinite(options.distance_mm) &&
          patterns.wavelength_nm > 0 && patterns.pixel_nm > 0))
        return no_grid(
            "a near field needs its distance, the wavelength and the pixel's size (the wave "
            "spreads over the distance) give distance_mm, and both in nm");
    PtychographyGrid const grid = grid_of(patterns, options);
    double const longest = static_cast<double>(grid.window) * grid.pixel_nm * grid.pixel_nm /
                           patterns.wavelength_nm * 1e-6;
    if (options.distance_mm > longest && notes)
        notes->push_back(
            fmt::format("the near field is {:.4g} mm long, and a window of {} pixels of {:.4g} nm "
                        "samples its propagator up to {:.4g} mm: what leaves the window on one "
                        "side enters it on the other (a larger window helps)",
                        options.distance_mm, grid.window, grid.pixel_nm, longest));
    return {};
}

}  // namespace

Status check_grid(Patterns const& patterns, PtychographyOptions const& options,
                  std::vector<std::string>* notes) {
    if (options.detector_bin < 1 || options.detector_bin > 64)
        return no_grid(
            fmt::format("a detector_bin of {} (1 to 64 can be had)", options.detector_bin));
    if (!(options.detector_blur >= 0 && options.detector_blur <= 1000))
        return no_grid("the detector's blur is 0 to 1000 pixels");
    index const least = options.detector_bin * patterns.size;
    index const window = grid_of(patterns, options).window;
    if (window < least || window > 4096)
        return no_grid(
            fmt::format("a window of {} pixels (it holds the {} times {} of the detector, "
                        "and at most 4096) give 0 or one in between",
                        window, options.detector_bin, patterns.size));
    if (window % 2 != 0 && window != patterns.size)
        return no_grid(
            fmt::format("a window of {} pixels (the middle of an odd one is between "
                        "the detector's pixels) give an even one",
                        window));
    if (!std::isfinite(options.tilt_row_mrad) || !std::isfinite(options.tilt_col_mrad) ||
        std::abs(options.tilt_row_mrad) > 500 || std::abs(options.tilt_col_mrad) > 500)
        return no_grid("a tilt is -500 to 500 mrad");
    if ((options.tilt_row_mrad != 0 || options.tilt_col_mrad != 0) && options.slices < 2)
        return no_grid(
            "a tilt needs slices (it is how they shift against each other) give two or more, or "
            "no tilt");
    if (options.propagation == Propagation::near) return check_near_field(patterns, options, notes);
    if (options.distance_mm != 0)
        return no_grid(
            "a distance_mm belongs to the near field (the far one has none) give propagation "
            "near, or no distance");
    return {};
}

PtychographyGrid grid_of(Patterns const& patterns, PtychographyOptions const& options) {
    index const seen = options.detector_bin * patterns.size;
    PtychographyGrid grid{.window = options.window > 0 ? options.window : seen};
    // A far field's spectrum reaches window / seen times as far as the detector. In a near field
    // the bin cuts the detector's pixels.
    grid.position_scale = options.propagation == Propagation::near
                              ? static_cast<double>(options.detector_bin)
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
    model.distance_nm = options.distance_mm * 1e6;
    model.sub_pixel = options.sub_pixel;
    model.slices = options.slices;
    model.slice_nm = options.slice_nm;
    model.wavelength_nm = patterns.wavelength_nm;
    model.pixel_nm = grid.pixel_nm;
    model.tilt_rad = {options.tilt_row_mrad * 1e-3, options.tilt_col_mrad * 1e-3};
    return model;
}

}  // namespace sluice::ptycho
