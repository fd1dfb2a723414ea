// Takes the calibration that there is: of a file, of the page or the scan's files, of the crystal.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/crystal/scale.h"

#include <fmt/format.h>

#include <cmath>

#include "sluice/optics.h"

namespace sluice::app {
namespace {

using stem4d::Calibration;
using stem4d::OriginFit;
using stem4d::OriginSurface;

Error unknown_size(std::size_t crystals) {
    std::string const ways =
        "enter the angle of a detector pixel under Calibration, or start the viewer with "
        "--calibration FILE of `sluice stem4d calibrate`";
    return {Code::invalid_argument,
            crystals > 1
                ? "the size of a detector pixel is not known (with several crystals the scan does "
                  "not tell which of them is the measure) " +
                      ways + ", or choose one crystal"
                : "the size of a detector pixel is not known (frequencies follow from it) " + ways};
}

// A surface over the scan where there are patterns enough, else one place for all.
OriginFit origins_of(stem4d::BraggVectors const& v, std::optional<stem4d::Point> const& guess,
                     std::vector<std::string>& notes) {
    if (auto const measured = stem4d::measure_origins(v, {.guess = guess})) {
        for (auto const surface : {OriginSurface::plane, OriginSurface::mean})
            if (auto const fit = stem4d::fit_origins(*measured, {.surface = surface})) {
                notes.insert(notes.end(), measured->notes.begin(), measured->notes.end());
                notes.insert(notes.end(), fit->notes.begin(), fit->notes.end());
                return *fit;
            }
    }
    stem4d::Point const middle{static_cast<double>(v.detector_shape[0] - 1) / 2,
                               static_cast<double>(v.detector_shape[1] - 1) / 2};
    stem4d::Point const at = guess.value_or(middle);
    notes.push_back(fmt::format(
        "the direct beam is not found among the disks: it is taken at row {:.2f}, column {:.2f} in "
        "all patterns{}",
        at.row, at.col, guess ? "" : ", the middle of the detector"));
    OriginFit fixed;
    fixed.scan_shape = v.scan_shape, fixed.surface = OriginSurface::mean;
    fixed.row = {at.row}, fixed.col = {at.col}, fixed.covariance = {0};
    return fixed;
}

}  // namespace

Result<double> kilovolts_of(OrientationRequest const& request, Scan const& scan) {
    if (request.library.kilovolts > 0) return request.library.kilovolts;
    if (scan.dataset().energy_kv > 0) return scan.dataset().energy_kv;
    return Error{Code::invalid_argument,
                 "the energy of the electrons is not known (it decides which reflections are "
                 "excited, and the files do not say it) enter it beside the crystals"};
}

Result<std::vector<stem4d::UnitCell>> cells_of(OrientationRequest const& request,
                                               KnownCrystals const& known) {
    if (known.cells.empty())
        return Error{Code::invalid_argument,
                     "no crystal is known (the viewer opens only files that its command names) "
                     "start it with --crystal FILE.cif, once for each phase"};
    if (request.crystals.empty()) return known.cells;
    std::vector<stem4d::UnitCell> cells;
    for (index const number : request.crystals) {
        if (number >= std::ssize(known.cells))
            return wrong_field("crystals", fmt::format("there is no crystal {} (the viewer has {}, "
                                                       "from 0 on)",
                                                       number, known.cells.size()));
        cells.push_back(known.cells[static_cast<std::size_t>(number)]);
    }
    return cells;
}

Result<FoundScale> scale_of(OrientationRequest const& request, KnownCrystals const& known,
                            Scan const& scan, stem4d::BraggVectors const& vectors,
                            stem4d::Options const& run) {
    ScaleWish const& wish = request.scale;
    auto const grid = stem4d::pixel_grid(scan);
    SLUICE_TRY(double const kilovolts, kilovolts_of(request, scan));
    SLUICE_TRY(auto const cells, cells_of(request, known));
    double const wavelength_nm = optics::electron_wavelength_nm(kilovolts);
    double const step_mrad =
        wish.step_mrad > 0 ? wish.step_mrad : scan.detector_step_mrad(wavelength_nm);
    ScaleBy by = wish.by;
    if (by == ScaleBy::automatic)
        by = known.calibration ? ScaleBy::file : step_mrad > 0 ? ScaleBy::step : ScaleBy::crystal;
    FoundScale found{{}, by};
    Calibration& c = found.calibration;
    std::optional<stem4d::Point> guess;
    if (wish.center) guess = grid.to_detector(*wish.center);
    if (by == ScaleBy::file) {
        if (!known.calibration)
            return Error{Code::invalid_argument,
                         "no calibration was named (a page opens no files) start the viewer with "
                         "--calibration FILE"};
        c = *known.calibration;
        if (!c.origins) c.origins = origins_of(vectors, guess, c.notes);
    } else if (by == ScaleBy::crystal) {
        if (cells.size() > 1) return unknown_size(cells.size());
        stem4d::CalibrateOptions options{.cell = cells.front()};
        options.origins.guess = guess;
        SLUICE_TRY(auto made, stem4d::calibrate(vectors, options, run));
        c = std::move(made.calibration);
        c.notes.push_back(fmt::format(
            "the size of a detector pixel is measured on this scan by the crystal itself: {:.5g} "
            "1/ångström",
            c.pixel_size));
    } else {
        if (!(step_mrad > 0)) return unknown_size(cells.size());
        c.scan_shape = vectors.scan_shape, c.detector_shape = vectors.detector_shape;
        c.pixel_size = step_mrad / grid.bin * 1e-3 / wavelength_nm / 10;
        c.origins = origins_of(vectors, guess, c.notes);
    }
    if (wish.rotation) c.rotation = wish.rotation;
    return found;
}

}  // namespace sluice::app
