// Parts of patterns, and how well a reconstruction meets patterns that it did not see.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "domain/ptychography/compare/check_waves.h"
#include "domain/ptychography/judge/look.h"
#include "domain/ptychography/search/alone.h"
#include "domain/ptychography/start/start.h"
#include "domain/ptychography/step/step.h"
#include "sluice/communicator.h"
#include "sluice/ptychography_check.h"
#include "sluice/ptychography_search.h"

namespace sluice::ptycho {

namespace {

std::vector<Planar<double>> planes_of(Array<std::complex<float>> const& from) {
    index const rows = from.shape[1], cols = from.shape[2];
    std::vector<Planar<double>> planes;
    auto z = from.values.begin();
    for (index k = 0; k < from.shape[0]; ++k) {
        auto& plane = planes.emplace_back(rows, cols);
        for (index r = 0; r < rows; ++r)
            for (index c = 0; c < cols; ++c) plane.set(r, c, std::complex<double>(*z++));
    }
    return planes;
}

}  // namespace

Status on_patterns_grid(stem4d::PtychographyOptions const& options) {
    if (options.window == 0 && options.detector_bin == 1 && !(options.detector_blur > 0) &&
        options.propagation == stem4d::Propagation::far)
        return {};
    return Error{Code::unsupported,
                 "halves and held-out patterns need the patterns' own grid (their pixels are those "
                 "of the object) leave window, detector_bin, detector_blur and propagation out"};
}

Status begins_anew(stem4d::PtychographyOptions const& options) {
    if (options.object.empty() && options.positions.empty()) return {};
    return Error{Code::unsupported,
                 "halves, orientations and held-out patterns begin anew (an object made from all "
                 "patterns would favour itself) leave the earlier result out"};
}

Status alone(stem4d::PtychographyOptions const& options) {
    if (!options.checkpoint.empty() || !options.resume.empty())
        return Error{Code::unsupported,
                     "halves, orientations and sweeps keep no checkpoint (a checkpoint belongs to "
                     "one reconstruction, and these are several) leave it out"};
    if (!options.communicator || options.communicator->ranks() == 1) return {};
    return Error{Code::unsupported,
                 "halves, orientations and sweeps run on one rank (ranks hold parts of the "
                 "patterns) start them without mpirun"};
}

}  // namespace sluice::ptycho

namespace sluice::stem4d {

Result<Array<float>> lit_phase(PtychographyResult const& result) {
    SLUICE_TRY(auto part, lit_part(result));
    SLUICE_TRY(auto const look, ptycho::look_at(result, std::move(part)));
    return Array<float>{{look.part.rows, look.part.cols}, {look.phase.begin(), look.phase.end()}};
}

Result<Patterns> part_of(Patterns const& patterns, std::vector<index> const& numbers) {
    SLUICE_CHECK(check_patterns(patterns));
    for (index j : numbers)
        if (j < 0 || j >= patterns.count())
            return Error{Code::invalid_argument,
                         fmt::format("there is no pattern {} ({} patterns are counted from 0) name "
                                     "one of them",
                                     j, patterns.count())};
    Patterns part;
    part.size = patterns.size;
    part.bad = patterns.bad;
    part.wavelength_nm = patterns.wavelength_nm;
    part.pixel_nm = patterns.pixel_nm;
    part.propagation = patterns.propagation;
    part.distance_mm = patterns.distance_mm;
    for (index j : numbers)
        part.positions.push_back(patterns.positions[static_cast<std::size_t>(j)]);
    index const area = patterns.size * patterns.size;
    std::visit(
        [&](auto const& counts) {
            std::remove_cvref_t<decltype(counts)> some;
            some.reserve(numbers.size() * static_cast<std::size_t>(area));
            for (index j : numbers)
                some.insert(some.end(), counts.begin() + j * area, counts.begin() + (j + 1) * area);
            part.counts = std::move(some);
        },
        patterns.counts);
    return part;
}

Result<double> held_out_r(Patterns const& patterns, PtychographyResult const& result,
                          PtychographyOptions const& options) {
    SLUICE_CHECK(check_patterns(patterns));
    SLUICE_CHECK(ptycho::check_waves(result));
    if (result.probe.shape[2] != patterns.size)
        return Error{
            Code::invalid_argument,
            fmt::format("the result has windows of {} pixels and the patterns have {} (held-out "
                        "patterns come from the same scan) give patterns of that size",
                        result.probe.shape[2], patterns.size)};
    if (result.object.shape[0] != options.slices)
        return Error{Code::invalid_argument,
                     fmt::format("the result has {} slices and the options {} (waves pass all of "
                                 "them) give the options that it was made with",
                                 result.object.shape[0], options.slices)};
    std::vector<index> inside;
    std::vector<Position> corners;
    for (index j = 0; j < patterns.count(); ++j) {
        Position const p = patterns.positions[static_cast<std::size_t>(j)];
        Position const at{p.row + result.shift.row, p.col + result.shift.col};
        if (at.row < 0 || at.col < 0 ||
            std::round(at.row) + static_cast<double>(patterns.size) >
                static_cast<double>(result.object.shape[1]) ||
            std::round(at.col) + static_cast<double>(patterns.size) >
                static_cast<double>(result.object.shape[2]))
            continue;
        inside.push_back(j);
        corners.push_back(at);
    }
    if (inside.empty())
        return Error{
            Code::invalid_argument,
            "no held-out pattern lies on the object (all windows leave it) hold out others"};
    SLUICE_CHECK(ptycho::on_patterns_grid(options));
    SLUICE_TRY(auto part, part_of(patterns, inside));
    ptycho::Measured measured{.patterns = std::move(part)};
    ptycho::Model const model{.window = patterns.size,
                              .detector = patterns.size,
                              .sub_pixel = options.sub_pixel,
                              .slices = options.slices,
                              .slice_nm = options.slice_nm,
                              .wavelength_nm = patterns.wavelength_nm,
                              .pixel_nm = patterns.pixel_nm};
    SLUICE_TRY(auto const step, ptycho::make_plain_step<double>(model, measured));
    ptycho::State<double> const state{.object = ptycho::planes_of(result.object),
                                      .probe = ptycho::planes_of(result.probe),
                                      .positions = corners};
    auto out = ptycho::reserve(model, state, 1);
    ptycho::Errors sum;
    for (index j = 0; j < std::ssize(inside); ++j) {
        step->gradients(state, {&j, 1}, {}, out, 1);
        sum += out.front().errors;
    }
    return sum.r();
}

}  // namespace sluice::stem4d
