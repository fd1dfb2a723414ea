// patterns_of(): frames of a scan as patterns: cut or padded to a square, zero frequency first.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/memory.h"
#include "base/run.h"
#include "domain/ptychography/input/given_optics.h"
#include "domain/ptychography/input/turn_of.h"
#include "optics/window.h"
#include "sluice/ptychography_file.h"
#include "sluice/scan_values.h"
#include "store/plan.h"

namespace sluice::stem4d {

namespace {

Error wrong(std::string message) {
    return {Code::invalid_argument, std::move(message)};
}

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
        "the object, of {:.5f} nm?): R cannot tell",
        by, pixel_nm);
}

// The frames that were measured.
std::vector<index> measured_frames(Scan const& scan) {
    store::Plan const& plan = scan.plan();
    std::vector<index> frames;
    for (index f = 0; f < plan.frames(); ++f)
        if (plan.lost.empty() || !plan.lost[static_cast<std::size_t>(f)]) frames.push_back(f);
    return frames;
}

// What the reading of frames is told.
struct Reading {
    Scan const& scan;
    std::vector<index> frames;  // all that were measured
    std::vector<index> from;    // the detector's pixel of each of a pattern, or -1
    PatternsOptions const& options;
    std::vector<std::string>* notes;

    // The first one of the part that is read, and the one after its last.
    std::array<index, 2> part() const {
        index const all = std::ssize(frames);
        return {options.part * all / options.parts, (options.part + 1) * all / options.parts};
    }
};

// Reads the frames, some at a time; T is what the scan holds, U what the patterns keep.
template <class T, class U>
Status read(Reading const& reading, std::vector<U>& counts) {
    auto const& [scan, frames, from, options, notes] = reading;
    auto const detector = scan.detector_shape();
    index const pixels = detector[0] * detector[1];
    index const some = std::max<index>(16, (8 << 20) / pixels);
    auto const [begin, end] = reading.part();
    std::vector<T> values;
    for (index first = begin; first < end; first += some) {
        index const last = std::min(first + some, end);
        std::vector<index> const numbers(frames.begin() + first, frames.begin() + last);
        values.resize(numbers.size() * static_cast<std::size_t>(pixels));
        SLUICE_CHECK(read_frames(scan, numbers, {0, 0, detector[0], detector[1]},
                                 std::as_writable_bytes(std::span(values)), {}, notes));
        for (std::size_t f = 0; f < numbers.size(); ++f) {
            T const* const frame = values.data() + static_cast<index>(f) * pixels;
            for (index at : from) {
                auto const value = at < 0 ? T{} : frame[at];
                if constexpr (std::is_same_v<T, std::uint32_t> && std::is_same_v<U, std::uint16_t>)
                    if (value > 65535)
                        return Error{
                            Code::unsupported,
                            fmt::format("frame {} holds {} counts in a pixel (is it hot? leave it "
                                        "out with a mask): counts are kept as float32",
                                        numbers[f], value)};
                counts.push_back(static_cast<U>(value));
            }
        }
        SLUICE_CHECK(tell_progress(options.progress, static_cast<std::uint64_t>(last - begin),
                                   static_cast<std::uint64_t>(end - begin)));
    }
    return {};
}

template <class T, class U>
Status read_into(Reading const& reading, Patterns& patterns) {
    std::vector<U> counts;
    auto const [begin, end] = reading.part();
    counts.reserve(reading.from.size() * static_cast<std::size_t>(end - begin));
    patterns.first = begin;
    SLUICE_CHECK((read<T, U>(reading, counts)));
    patterns.counts = std::move(counts);
    return {};
}

// Most scans of u32 fit into half of that.
Status read_u32(Reading const& reading, Patterns& patterns) {
    auto half = read_into<std::uint32_t, std::uint16_t>(reading, patterns);
    if (half || half.error().code != Code::unsupported) return half;
    SLUICE_CHECK((read_into<std::uint32_t, float>(reading, patterns)));
    if (reading.notes) reading.notes->push_back(half.error().message);
    return {};
}

Status read_counts(Reading const& reading, Patterns& patterns) {
    switch (DType const dtype = reading.scan.dtype(); dtype) {
        case DType::u8:
            return read_into<std::uint8_t, std::uint8_t>(reading, patterns);
        case DType::u16:
            return read_into<std::uint16_t, std::uint16_t>(reading, patterns);
        case DType::u32:
            return read_u32(reading, patterns);
        case DType::f32:
            return read_into<float, float>(reading, patterns);
        default:
            return Error{Code::unsupported,
                         fmt::format("patterns of {} (counts of u8, u16, u32 and f32 can be "
                                     "reconstructed) convert the file",
                                     name_of(dtype))};
    }
}

// The pixel of the object: that of the detector, as loaded.
Result<double> near_pixel_nm(Scan const& scan, PatternsOptions const& options,
                             std::vector<std::string>* notes) {
    double um = options.detector_pixel_um;
    if (!(um > 0)) {
        um = scan.dataset().detector_pixel_um * static_cast<double>(scan.plan().det_bin);
        if (um > 0 && notes)
            notes->push_back(
                fmt::format("a pixel of the near field is the file's detector pixel, {:g} um", um));
    }
    if (um > 0 && std::isfinite(um)) return um * 1e3;
    return wrong(
        "the size of a detector pixel is not known (that of the object is the same in a near "
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

// Where the pixels of the patterns come from.
std::vector<index> find_pixels(std::array<index, 2> detector, PatternsOptions const& options,
                               index size, index& cut) {
    if (options.propagation == Propagation::near)
        return optics::pixels_of_image(detector, size, cut);
    index const half[] = {detector[0] / 2, detector[1] / 2};
    Position const center = options.center.value_or(
        Position{static_cast<double>(half[0]), static_cast<double>(half[1])});
    return optics::pixels_from(detector, {center.row, center.col}, size, cut);
}

}  // namespace

Result<Patterns> patterns_of(Scan const& scan, PatternsOptions const& options,
                             std::vector<std::string>* notes) {
    double const given_step = options.detector_step_mrad != 0 ? options.detector_step_mrad
                                                              : scan.options().detector_step_mrad;
    SLUICE_CHECK(ptycho::check_optics({.propagation = options.propagation,
                                       .center = options.center.has_value(),
                                       .kilovolts = options.kilovolts,
                                       .wavelength_nm = options.wavelength_nm,
                                       .detector_step_mrad = given_step,
                                       .detector_pixel_um = options.detector_pixel_um}));
    double const step = options.scan_step_nm > 0 ? options.scan_step_nm : scan.scan_step_nm();
    auto const detector = scan.detector_shape(), shape = scan.scan_shape();
    index const frames = shape[0] * shape[1];
    SLUICE_TRY(double const wavelength_nm, ptycho::wavelength_of(scan, options, notes));
    if (!(wavelength_nm > 0))
        return wrong(
            "the electrons' energy is not known (it sets the pixel's size) give it in kV, or a "
            "wavelength in nm");
    if (options.positions.empty() && !(step > 0))
        return wrong(
            "the distance of two scan points is not known (it sets the positions) give "
            "the scan step in nm");
    if (!options.positions.empty() && std::ssize(options.positions) != frames)
        return wrong(fmt::format(
            "there are {} positions for {} frames (each frame has one, row by row of the "
            "scan as loaded) give as many",
            options.positions.size(), frames));
    Patterns patterns;
    patterns.size = optics::size_of_window(options.size, detector);
    if (patterns.size < 8 || patterns.size > 4096)
        return wrong(
            fmt::format("patterns of {} pixels a side (8 to 4096 can be had)", patterns.size));
    patterns.wavelength_nm = wavelength_nm;
    patterns.propagation = options.propagation;
    if (options.propagation == Propagation::near) {
        SLUICE_TRY(patterns.pixel_nm, near_pixel_nm(scan, options, notes));
    } else {
        SLUICE_TRY(patterns.pixel_nm, far_pixel_nm(scan, options, patterns.size, wavelength_nm));
    }
    if (options.parts < 1 || options.part < 0 || options.part >= options.parts)
        return wrong(fmt::format("part {} of {} parts of the frames (0 to parts - 1 can be had)",
                                 options.part, options.parts));
    auto const bytes =
        static_cast<std::uint64_t>((frames + options.parts - 1) / options.parts * patterns.size *
                                   patterns.size * std::min<index>(size_of(scan.dtype()), 4));
    if (bytes > memory_available())
        return Error{Code::out_of_memory,
                     fmt::format("the patterns take {:.2f} GB and there are {:.2f} GB (a "
                                 "reconstruction meets each many times) take a region of the scan, "
                                 "or bin the detector",
                                 static_cast<double>(bytes) * 1e-9,
                                 static_cast<double>(memory_available()) * 1e-9)};
    index cut = 0;
    auto const from = find_pixels(detector, options, patterns.size, cut);
    auto const said = [&](std::string text) {
        if (notes) notes->push_back(std::move(text));
    };
    if (notes) {
        auto const of_scan = scan.notes();
        notes->insert(notes->end(), of_scan.begin(), of_scan.end());
    }
    if (cut > 0)
        said(fmt::format("{} of {} detector pixels lie outside of the patterns and are left out",
                         cut, detector[0] * detector[1]));
    auto bad = scan.bad_pixels();
    // A sum over a part of a bin would pass for a darker place.
    auto const& valid = scan.plan().valid;
    if (scan.options().bin_mode == BinMode::sum && valid.size() == bad.size() && !valid.empty()) {
        std::uint32_t const whole = *std::max_element(valid.begin(), valid.end());
        for (std::size_t i = 0; i < bad.size(); ++i)
            if (valid[i] < whole) bad[i] = 1;
    }
    index missing = 0;
    patterns.bad.assign(from.size(), 0);
    for (std::size_t q = 0; q < from.size(); ++q)
        if (from[q] < 0 || (!bad.empty() && bad[static_cast<std::size_t>(from[q])])) {
            patterns.bad[q] = 1;
            ++missing;
        }
    if (missing == 0) patterns.bad.clear();
    if (missing == std::ssize(from)) return wrong("no pixel of the patterns was measured");
    if (missing > 0)
        said(fmt::format("{} of {} pixels of a pattern were not measured", missing, from.size()));
    DetectorTurn const turn = ptycho::turn_of(scan, options);
    if (!std::isfinite(turn.degrees)) return wrong("the rotation of the detector is no number");
    if (auto note = ptycho::note_of_turn(scan, options); !note.empty()) said(std::move(note));
    patterns.positions = raster(shape, step / patterns.pixel_nm, turn.degrees, turn.transpose);
    if (!options.positions.empty()) {
        if (auto note = doubt_of_unit(options.positions, patterns.positions, patterns.pixel_nm);
            !note.empty() && step > 0)
            said(std::move(note));
        patterns.positions = options.positions;
    }
    Reading const reading{scan, measured_frames(scan), from, options, notes};
    for (std::size_t i = 0; i < reading.frames.size(); ++i)
        patterns.positions[i] = patterns.positions[static_cast<std::size_t>(reading.frames[i])];
    patterns.positions.resize(reading.frames.size());
    {
        Step const step_read(options.trace, Phase::read, 0);
        SLUICE_CHECK(read_counts(reading, patterns));
    }
    SLUICE_CHECK(keep_measured(patterns, notes));
    return patterns;
}

}  // namespace sluice::stem4d
