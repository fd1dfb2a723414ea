// patterns_of(): frames of a scan as patterns: cut or padded to a square, zero frequency first.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/memory.h"
#include "domain/ptychography/input/cut_window.h"
#include "domain/ptychography/input/frames_in.h"
#include "domain/ptychography/input/given_optics.h"
#include "domain/ptychography/input/scan_counts.h"
#include "domain/ptychography/input/turn_of.h"
#include "domain/ptychography/wrong.h"
#include "optics/window.h"
#include "scan/describe.h"
#include "sluice/ptychography_file.h"
#include "store/plan.h"

namespace sluice::ptycho {

namespace {

using stem4d::Patterns;
using stem4d::PatternsOptions;
using stem4d::Position;

// The raster along the detector's axes: what Rotation does to vectors of the detector, undone.
std::vector<Position> raster(std::array<index, 2> shape, double step, double degrees,
                             bool transpose) {
    double const angle = -degrees * std::numbers::pi / 180;
    double const c = std::cos(angle), s = std::sin(angle);
    std::vector<Position> positions;
    for (index i = 0; i < shape[0]; ++i)
        for (index k = 0; k < shape[1]; ++k) {
            double const y = static_cast<double>(i) * step, x = static_cast<double>(k) * step;
            Position p{c * y - s * x, s * y + c * x};
            if (transpose) std::swap(p.row, p.col);
            positions.push_back(p);
        }
    return positions;
}

// The root of the mean square from the mean.
double reach(std::vector<Position> const& places) {
    double sums[2] = {}, squares = 0;
    auto const count = static_cast<double>(places.size());
    for (auto const& p : places) {
        sums[0] += p.row;
        sums[1] += p.col;
        squares += p.row * p.row + p.col * p.col;
    }
    return std::sqrt(
        std::max(0.0, squares / count - (sums[0] * sums[0] + sums[1] * sums[1]) / count / count));
}

// Positions that were given reach about as far as the raster, unless their unit is another.
std::string doubt_of_unit(std::vector<Position> const& given, std::vector<Position> const& raster,
                          double pixel_nm) {
    double const by = reach(given) / reach(raster);
    if (!std::isfinite(by) || (by > 0.8 && by < 1.25)) return {};
    return fmt::format(
        "the positions reach {:.3g} times as far as the scan's steps say (are they in pixels of "
        "the object, of {:.5f} nm?): R does not show such an error",
        by, pixel_nm);
}

// The pixel of the object: that of the detector, as loaded.
Result<double> near_pixel_nm(Scan const& scan, PatternsOptions const& options,
                             std::vector<std::string>& notes) {
    double um = options.detector_pixel_um;
    if (!(um > 0)) {
        um = scan.dataset().detector_pixel_um * static_cast<double>(scan.plan().det_bin);
        if (um > 0)
            notes.push_back(fmt::format(
                "the pixel of the near field comes from the file's detector pixel: {:g} um", um));
    }
    if (um > 0 && std::isfinite(um)) return um * 1e3;
    return wrong(
        "the size of a detector pixel is not known (the object has the same pixels in a near "
        "field) give the detector pixel in um");
}

Result<double> far_pixel_nm(Scan const& scan, PatternsOptions const& options, index size,
                            double wavelength_nm) {
    double const mrad = options.detector_step_mrad > 0 ? options.detector_step_mrad
                                                       : scan.detector_step_mrad(wavelength_nm);
    if (mrad > 0) return wavelength_nm / (static_cast<double>(size) * mrad * 1e-3);
    return wrong(
        "the angle of a detector pixel is not known (it sets the pixel's size) give "
        "the detector step in mrad");
}

// In nm, from one scan point to the next; 0: not known.
double step_of(Scan const& scan, PatternsOptions const& options) {
    return options.scan_step_nm > 0 ? options.scan_step_nm : scan.scan_step_nm();
}

index frames_of(Scan const& scan) {
    return scan.scan_shape()[0] * scan.scan_shape()[1];
}

Status check(Scan const& scan, PatternsOptions const& options) {
    GivenOptics given = given_optics(options);
    if (given.detector_step_mrad == 0) given.detector_step_mrad = scan.options().detector_step_mrad;
    SLUICE_CHECK(check_optics(given));
    SLUICE_TRY(double const wavelength_nm, wavelength_of(scan, options, nullptr));
    if (!(wavelength_nm > 0))
        return wrong(
            "the electrons' energy is not known (it sets the pixel's size) give it in kV, or a "
            "wavelength in nm");
    if (options.positions.empty() && !(step_of(scan, options) > 0))
        return wrong(
            "the distance between two scan points is not known (it sets the positions) give "
            "the scan step in nm");
    if (!options.positions.empty() && std::ssize(options.positions) != frames_of(scan))
        return wrong(fmt::format(
            "there are {} positions for {} frames (each frame has one, row by row of the "
            "scan as loaded) give as many",
            options.positions.size(), frames_of(scan)));
    SLUICE_CHECK(check_window(optics::size_of_window(options.size, scan.detector_shape()),
                              Code::invalid_argument));
    return {};
}

Status check_part(Scan const& scan, PatternsOptions const& options, index size) {
    if (options.parts < 1 || options.part < 0 || options.part >= options.parts)
        return wrong(
            fmt::format("the frames have no part {} of {} parts (0 to parts - 1 are possible)",
                        options.part, options.parts));
    auto const bytes =
        static_cast<std::uint64_t>((frames_of(scan) + options.parts - 1) / options.parts * size *
                                   size * std::min<index>(size_of(scan.dtype()), 4));
    if (bytes <= memory_available()) return {};
    return Error{Code::out_of_memory,
                 fmt::format("the patterns take {:.2f} GB and {:.2f} GB are free (a reconstruction "
                             "reads each pattern many times) take a region of the scan, "
                             "or bin the detector",
                             static_cast<double>(bytes) * 1e-9,
                             static_cast<double>(memory_available()) * 1e-9)};
}

Status find_geometry(Scan const& scan, PatternsOptions const& options, Patterns& patterns,
                     std::vector<std::string>& notes) {
    patterns.size = optics::size_of_window(options.size, scan.detector_shape());
    SLUICE_TRY(patterns.wavelength_nm, wavelength_of(scan, options, &notes));
    patterns.propagation = options.propagation;
    if (options.propagation == stem4d::Propagation::near) {
        SLUICE_TRY(patterns.pixel_nm, near_pixel_nm(scan, options, notes));
    } else {
        SLUICE_TRY(patterns.pixel_nm,
                   far_pixel_nm(scan, options, patterns.size, patterns.wavelength_nm));
    }
    return {};
}

Position beam_of(Scan const& scan, PatternsOptions const& options) {
    auto const [rows, cols] = scan.detector_shape();
    index const middle[] = {rows / 2, cols / 2};
    return options.center.value_or(
        Position{static_cast<double>(middle[0]), static_cast<double>(middle[1])});
}

// Of the detector. A sum over a part of a bin would pass for a darker place.
std::vector<std::uint8_t> bad_of(Scan const& scan) {
    auto bad = scan.bad_pixels();
    auto const& valid = scan.plan().valid;
    if (scan.options().bin_mode == BinMode::sum && valid.size() == bad.size() && !valid.empty()) {
        std::uint32_t const whole = *std::max_element(valid.begin(), valid.end());
        for (std::size_t i = 0; i < bad.size(); ++i)
            if (valid[i] < whole) bad[i] = 1;
    }
    return bad;
}

// Of all frames.
Result<std::vector<Position>> positions_of(Scan const& scan, PatternsOptions const& options,
                                           double pixel_nm, std::vector<std::string>& notes) {
    DetectorTurn const turn = turn_of(scan, options);
    if (!std::isfinite(turn.degrees))
        return wrong("the rotation of the detector is not a finite number");
    if (auto note = note_of_turn(scan, options); !note.empty()) notes.push_back(std::move(note));
    double const step = step_of(scan, options);
    auto of_raster = raster(scan.scan_shape(), step / pixel_nm, turn.degrees, turn.transpose);
    if (options.positions.empty()) return of_raster;
    if (auto note = doubt_of_unit(options.positions, of_raster, pixel_nm);
        !note.empty() && step > 0)
        notes.push_back(std::move(note));
    return options.positions;
}

// The patterns, and notes of them and of the scan.
Result<Patterns> patterns_of_scan(Scan const& scan, PatternsOptions const& options,
                                  std::vector<std::string>& notes) {
    SLUICE_CHECK(check(scan, options));
    Patterns patterns;
    SLUICE_CHECK(find_geometry(scan, options, patterns, notes));
    SLUICE_CHECK(check_part(scan, options, patterns.size));
    for (auto& note : scan.notes()) notes.push_back(std::move(note));
    auto from = cut_window(patterns, scan.detector_shape(), beam_of(scan, options), notes);
    if (!mark_bad(from, bad_of(scan), patterns, notes))
        return wrong("no pixel of the patterns was measured");
    SLUICE_TRY(auto const positions, positions_of(scan, options, patterns.pixel_nm, notes));
    FramesOfScan const reading{scan, measured_frames(scan), std::move(from), options, notes};
    for (index const frame : reading.frames)
        patterns.positions.push_back(positions[static_cast<std::size_t>(frame)]);
    {
        Step const step_read(options.trace, Phase::read, 0);
        SLUICE_CHECK(read_counts(reading, patterns));
    }
    std::vector<std::string> of_counts;
    SLUICE_TRY(auto const lacks, leave_out_unmeasured(patterns, &of_counts));
    // That note is about the patterns; the scan's note is about all values that it read.
    if (lacks > 0) std::erase_if(notes, fold::says_not_finite);
    notes.insert(notes.end(), of_counts.begin(), of_counts.end());
    give_memory_back();  // the reconstruction needs other pieces than the decoders had
    return patterns;
}

}  // namespace

}  // namespace sluice::ptycho

namespace sluice::stem4d {

Result<Patterns> patterns_of(Scan const& scan, PatternsOptions const& options,
                             std::vector<std::string>* notes) {
    std::vector<std::string> found;
    auto patterns = ptycho::patterns_of_scan(scan, options, found);
    if (notes) notes->insert(notes->end(), found.begin(), found.end());
    return patterns;
}

}  // namespace sluice::stem4d
