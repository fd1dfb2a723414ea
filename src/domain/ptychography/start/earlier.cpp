// start_with(): an earlier result on the canvas of these patterns.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/ptychography/grid.h"
#include "domain/ptychography/output/misfit.h"
#include "domain/ptychography/start/start.h"

namespace sluice::ptycho {

namespace {

using stem4d::Propagation;
using stem4d::PtychographyGrid;
using stem4d::PtychographyOptions;
using stem4d::PtychographyResult;

using ComplexFloat = std::complex<float>;

Error does_not_fit(std::string message) {
    return {Code::invalid_argument, std::move(message)};
}

Status check_grids(PtychographyResult const& earlier, PtychographyGrid const& grid,
                   PtychographyOptions const& options) {
    if (earlier.propagation != options.propagation) {
        bool const near = earlier.propagation == Propagation::near;
        return does_not_fit(
            fmt::format("the earlier result is of a {} field and this reconstruction of a {} field "
                        "(their probes are not alike) give propagation {}, or begin without it",
                        near ? "near" : "far", near ? "far" : "near", near ? "near" : "far"));
    }
    double const before = earlier.pixel_nm, now = grid.pixel_nm;
    if (before > 0 && now > 0 && std::abs(before / now - 1) > 1e-4)
        return does_not_fit(fmt::format(
            "the earlier result has pixels of {:.6g} nm and these patterns make {:.6g} nm (object "
            "and probe must lie on one grid) take the same energy, detector step, size and "
            "window, or begin without it",
            before, now));
    if (earlier.probe.shape[1] != grid.window)
        return does_not_fit(fmt::format(
            "the earlier probe is {} pixels wide and a window is {} now (both must have one grid) "
            "take the same size of patterns, detector_bin and window, or begin without it",
            earlier.probe.shape[1], grid.window));
    if (earlier.object.shape[0] != options.slices)
        return does_not_fit(
            fmt::format("the earlier object has slices = {} and now slices = {} (slices cannot be "
                        "divided or joined) give as many, or begin without it",
                        earlier.object.shape[0], options.slices));
    return {};
}

// Pixels of the canvas that lie before the earlier one's first: what the margin grew by.
Result<std::array<index, 2>> moved_by(PtychographyResult const& earlier, Canvas const& canvas) {
    auto const& before = earlier.started.empty() ? earlier.positions : earlier.started;
    if (before.size() != canvas.corners.size())
        return does_not_fit(fmt::format(
            "the earlier result is of {} patterns and there are {} now (its positions belong to "
            "its patterns) give the patterns that it was made from, or begin without it",
            before.size(), canvas.corners.size()));
    double const row = std::round(canvas.corners[0].row - before[0].row);
    double const col = std::round(canvas.corners[0].col - before[0].col);
    double most = 0;
    std::size_t worst = 0;
    for (std::size_t j = 0; j < before.size(); ++j) {
        double const apart = std::hypot(canvas.corners[j].row - before[j].row - row,
                                        canvas.corners[j].col - before[j].col - col);
        if (apart > most) worst = j;
        most = std::max(most, apart);
    }
    if (most > 0.01 || std::abs(row) > 1e4 || std::abs(col) > 1e4)
        return does_not_fit(fmt::format(
            "the earlier result is of other positions (pattern {} lies {:.3g} pixels from its "
            "earlier place) give those that it was made from, or begin without it",
            worst, most));
    return std::array{static_cast<index>(row), static_cast<index>(col)};
}

std::vector<stem4d::Position> const& first_places(PtychographyResult const& earlier) {
    return earlier.started.empty() ? earlier.positions : earlier.started;
}

// Those of the earlier one are as far from where they began as it found them.
Result<std::vector<stem4d::Position>> grown_positions(PtychographyResult const& earlier,
                                                      std::span<index const> numbers,
                                                      Canvas const& canvas) {
    auto const& before = first_places(earlier);
    std::vector<stem4d::Position> all = canvas.corners;
    if (numbers.size() != before.size() || numbers.empty())
        return does_not_fit(
            fmt::format("{} numbers say where the {} patterns of the earlier result are now (each "
                        "has one) give as many",
                        numbers.size(), before.size()));
    for (std::size_t j = 0; j < numbers.size(); ++j) {
        if (numbers[j] < 0 || numbers[j] >= std::ssize(all))
            return does_not_fit(
                fmt::format("pattern {} of the earlier result is number {} of {} now (there is no "
                            "such pattern) give its number",
                            j, numbers[j], all.size()));
        stem4d::Position& its = all[static_cast<std::size_t>(numbers[j])];
        its.row += earlier.positions[j].row - before[j].row;
        its.col += earlier.positions[j].col - before[j].col;
    }
    return all;
}

// Whole pixels: a raster that is turned grows by parts of them, which the next iterations mend.
std::array<index, 2> grown_by(PtychographyResult const& earlier, std::span<index const> numbers,
                              Canvas const& canvas) {
    auto const& now = canvas.corners[static_cast<std::size_t>(numbers.front())];
    auto const& before = first_places(earlier).front();
    return {std::lround(now.row - before.row), std::lround(now.col - before.col)};
}

// Where the earlier one has no pixels it is 1.
std::vector<ComplexFloat> on_canvas(Array<ComplexFloat> const& object, Canvas const& canvas,
                                    std::array<index, 2> by) {
    index const slices = object.shape[0], rows = object.shape[1], cols = object.shape[2];
    std::vector<ComplexFloat> found(static_cast<std::size_t>(slices * canvas.rows * canvas.cols),
                                    1);
    for (index s = 0; s < slices; ++s)
        for (index r = std::max<index>(0, by[0]); r < std::min(canvas.rows, rows + by[0]); ++r)
            for (index c = std::max<index>(0, by[1]); c < std::min(canvas.cols, cols + by[1]); ++c)
                found[static_cast<std::size_t>((s * canvas.rows + r) * canvas.cols + c)] =
                    object.values[static_cast<std::size_t>((s * rows + r - by[0]) * cols + c -
                                                           by[1])];
    return found;
}

double power_of(std::span<ComplexFloat const> wave) {
    double sum = 0;
    for (auto const& z : wave) sum += static_cast<double>(std::norm(z));
    return sum;
}

// The strongest modes, which come first, with the power of all.
std::vector<ComplexFloat> strongest(Array<ComplexFloat> const& probe, index modes) {
    index const some = std::min(modes, probe.shape[0]);
    std::vector<ComplexFloat> found(probe.values.begin(),
                                    probe.values.begin() + some * probe.shape[1] * probe.shape[2]);
    double const kept = power_of(found);
    if (some == probe.shape[0] || !(kept > 0)) return found;
    auto const by = static_cast<float>(std::sqrt(power_of(probe.values) / kept));
    for (auto& z : found) z *= by;
    return found;
}

void note(PtychographyResult const& earlier, PtychographyOptions const& options,
          std::vector<std::string>& notes) {
    index const before = earlier.probe.shape[0], now = options.modes;
    std::string modes = fmt::format("{} modes", before);
    if (before == 1) modes = "one mode";
    if (before > now) modes = fmt::format("the strongest {} of {} modes", now, before);
    notes.push_back(
        fmt::format("it begins with the object, the positions and {} of the probe of "
                    "an earlier result, of R {:.4f}",
                    modes, earlier.rounds.empty() ? 0 : earlier.rounds.back().r));
    std::string anew;
    for (auto const& [there, name] :
         {std::pair(!earlier.opr_weights.values.empty(), "the probe's variations"),
          std::pair(!earlier.descan.empty(), "descan"),
          std::pair(!earlier.background.values.empty(), "the background")})
        if (there) anew += (anew.empty() ? "" : ", ") + std::string(name);
    if (!anew.empty()) notes.push_back("these parts of the earlier result are not used: " + anew);
    if (options.slices > 1 && earlier.slice_nm != options.slice_nm)
        notes.push_back(
            fmt::format("slices of the earlier result are {:.4g} nm apart, and now "
                        "they begin {:.4g} nm apart",
                        earlier.slice_nm, options.slice_nm));
}

}  // namespace

}  // namespace sluice::ptycho

namespace sluice::stem4d {

Status start_with(PtychographyResult const& earlier, Patterns const& patterns,
                  PtychographyOptions& options, std::vector<std::string>* notes) {
    if (auto const misfit = ptycho::misfit_of(earlier))
        return ptycho::does_not_fit(fmt::format(
            "the earlier result's {} {} (its parts belong together) give all of it as it was found",
            misfit->name, misfit->problem));
    SLUICE_TRY(auto const grid, ptychography_grid(patterns, options));
    SLUICE_CHECK(ptycho::check_grids(earlier, grid, options));
    SLUICE_TRY(auto const canvas, ptycho::make_canvas(ptycho::positions_on_grid(patterns, options),
                                                      grid.window, options.margin));
    SLUICE_TRY(auto const by, ptycho::moved_by(earlier, canvas));
    auto positions = earlier.positions;
    for (auto& p : positions)
        p = {p.row + static_cast<double>(by[0]), p.col + static_cast<double>(by[1])};
    SLUICE_TRY(options.positions, ptycho::first_positions(positions, canvas, grid.window));
    options.object = ptycho::on_canvas(earlier.object, canvas, by);
    options.probe = ptycho::strongest(earlier.probe, options.modes);
    if (notes) ptycho::note(earlier, options, *notes);
    return {};
}

Status grow_from(PtychographyResult const& earlier, std::span<index const> numbers,
                 Patterns const& patterns, PtychographyOptions& options) {
    if (auto const misfit = ptycho::misfit_of(earlier))
        return ptycho::does_not_fit(
            fmt::format("the earlier result's {} {} (its parts belong "
                        "together) give all of it as it was found",
                        misfit->name, misfit->problem));
    SLUICE_TRY(auto const grid, ptychography_grid(patterns, options));
    SLUICE_CHECK(ptycho::check_grids(earlier, grid, options));
    SLUICE_TRY(auto const canvas, ptycho::make_canvas(ptycho::positions_on_grid(patterns, options),
                                                      grid.window, options.margin));
    SLUICE_TRY(auto const positions, ptycho::grown_positions(earlier, numbers, canvas));
    std::array<index, 2> const by = ptycho::grown_by(earlier, numbers, canvas);
    SLUICE_TRY(options.positions, ptycho::first_positions(positions, canvas, grid.window));
    options.object = ptycho::on_canvas(earlier.object, canvas, by);
    options.probe = ptycho::strongest(earlier.probe, options.modes);
    return {};
}

}  // namespace sluice::stem4d
