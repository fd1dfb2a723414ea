// The checks of the input, the canvas and the first probe.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/start/start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/plural.h"
#include "domain/ptychography/counts.h"
#include "domain/ptychography/modes.h"
#include "domain/ptychography/nearest.h"
#include "domain/ptychography/step/optics.h"
#include "domain/ptychography/wrong.h"

namespace sluice::ptycho {

namespace {

Status enough(index patterns) {
    if (patterns >= 4) return {};
    return wrong(
        fmt::format("{} too few (one window does not separate object and probe) "
                    "give at least 4",
                    plural(patterns, "pattern is", "patterns are")));
}

// Sums of the patterns that are here.
Result<Totals> add_up(Measured& measured, Share const& share) {
    stem4d::Patterns const& patterns = measured.patterns;
    index const count = patterns.count(), n = patterns.size;
    SLUICE_CHECK(enough(count));
    if (n < 8 || n > 4096)
        return wrong(
            fmt::format("patterns of {} pixels a side cannot be reconstructed (8 to 4096 are "
                        "possible) cut or bin them",
                        n));
    index const have = std::visit([](auto const& c) { return std::ssize(c); }, patterns.counts);
    // For several ranks: for one, check_patterns() has compared them.
    if (have != share.count() * n * n)
        return wrong(
            fmt::format("there are {} counts for {} positions of {}x{} pixels (they need {}) give "
                        "a pattern for each position",
                        have, share.count(), n, n, share.count() * n * n));
    if (!patterns.bad.empty() && std::ssize(patterns.bad) != n * n)
        return wrong(
            "the mask of bad pixels is not as large as a pattern (it is [row][col] of "
            "one) cut it alike");
    Totals totals;
    totals.pattern.resize(static_cast<std::size_t>(n * n));
    for (index j = share.first(); j < share.first() + share.count(); ++j) {
        bool bad = false;
        double squares = 0;
        double const sum = with_pattern(patterns, j, [&](auto const* counts) {
            double all = 0;
            for (std::size_t q = 0; q < totals.pattern.size(); ++q) {
                if (!patterns.bad.empty() && patterns.bad[q]) continue;
                auto const value = static_cast<double>(counts[q]);
                bad = bad || !std::isfinite(value) || value < 0;
                all += value;
                squares += value * value;
                totals.pattern[q] += value / static_cast<double>(count);
            }
            return all;
        });
        if (bad)
            return wrong(
                fmt::format("pattern {} holds counts that are negative or not finite (roots are "
                            "taken of them) mark such pixels as bad or set them to 0",
                            j));
        measured.sums.push_back(sum);
        measured.squares.push_back(squares);
        totals.mean += sum / static_cast<double>(count);
        totals.largest = std::max(totals.largest, sum);
    }
    return totals;
}

}  // namespace

Result<Totals> check(Measured& measured, Share const& share) {
    auto found = add_up(measured, share);
    Totals totals = found ? std::move(*found) : Totals{};
    Errors none;
    SLUICE_CHECK(share.meet(found ? Status{} : found.error(), none, totals.largest));
    share.sum(std::span(totals.pattern));
    share.sum(std::span(&totals.mean, 1));
    if (totals.mean <= 0) return wrong("all patterns are empty (there is nothing to reconstruct)");
    return totals;
}

Result<Canvas> make_canvas(std::vector<stem4d::Position> const& positions, index window,
                           index margin) {
    SLUICE_CHECK(enough(std::ssize(positions)));
    if (margin < 0 || margin > 10000) return wrong("the margin must be 0 to 10000 pixels");
    Canvas canvas;
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (std::size_t j = 0; j < positions.size(); ++j) {
        auto const p = positions[j];
        if (!std::isfinite(p.row) || !std::isfinite(p.col))
            return wrong(fmt::format("position {} is not a finite number", j));
        low[0] = std::min(low[0], p.row);
        low[1] = std::min(low[1], p.col);
        high[0] = std::max(high[0], p.row);
        high[1] = std::max(high[1], p.col);
    }
    double const extent = std::max(high[0] - low[0], high[1] - low[1]);
    if (extent < 1)
        return wrong(
            fmt::format("all positions lie within {:.3g} pixels (they are in pixels of the "
                        "object: are these metres or nanometres?) divide them by the "
                        "pixel's size",
                        extent));
    if (extent > 60000)
        return wrong(fmt::format(
            "the positions span {:.3g} pixels (at most 60000 are possible) give them in "
            "pixels of the object",
            extent));
    canvas.shift = {static_cast<double>(margin) - low[0], static_cast<double>(margin) - low[1]};
    for (auto const p : positions)
        canvas.corners.push_back({p.row + canvas.shift.row, p.col + canvas.shift.col});
    canvas.rows = static_cast<index>(std::ceil(high[0] - low[0])) + window + 2 * margin;
    canvas.cols = static_cast<index>(std::ceil(high[1] - low[1])) + window + 2 * margin;
    // Of up to 500 patterns, so that it costs nothing beside an iteration.
    canvas.nearest = median_nearest(canvas.corners, canvas.corners.size() / 500 + 1);
    if (canvas.nearest >= static_cast<double>(window))
        return wrong(
            fmt::format("the windows do not overlap (the nearest positions are {:.1f} "
                        "pixels apart, and a window is {} wide) check the units of the "
                        "positions and the pixel's size",
                        canvas.nearest, window));
    return canvas;
}

Result<std::vector<stem4d::Position>> first_positions(std::vector<stem4d::Position> const& given,
                                                      Canvas const& canvas, index window) {
    if (given.empty()) return canvas.corners;
    if (given.size() != canvas.corners.size())
        return wrong(
            fmt::format("there are {} first positions and {} patterns (each pattern has one) give "
                        "those of the same patterns",
                        given.size(), canvas.corners.size()));
    auto const rows = static_cast<double>(canvas.rows - window);
    auto const cols = static_cast<double>(canvas.cols - window);
    for (std::size_t j = 0; j < given.size(); ++j)
        if (!(given[j].row >= 0 && given[j].row <= rows && given[j].col >= 0 &&
              given[j].col <= cols))
            return wrong(
                fmt::format("the first position of pattern {} is ({:.2f}, {:.2f}), beyond the "
                            "object (windows begin within {}x{} pixels) give a larger margin",
                            j, given[j].row, given[j].col, rows, cols));
    return given;
}

namespace {

// Of the mean pattern's moduli, with one phase.
Result<Wave<double>> wave_of_mean(Model const& model, Totals const& totals) {
    SLUICE_TRY(auto const optics, Optics<double>::make(model));
    Wave<double> wave(static_cast<std::size_t>(model.window * model.window));
    auto const& pixel_of = optics.detector_of();
    double const shared = 1 / static_cast<double>(model.bin * model.bin);
    for (std::size_t q = 0; q < wave.size(); ++q)
        if (pixel_of[q] >= 0)
            wave[q] = std::sqrt(totals.pattern[static_cast<std::size_t>(pixel_of[q])] * shared);
    index const half = model.window / 2;
    auto const middle = static_cast<double>(half);
    if (!model.near()) optics.move_spectrum(wave, middle, middle);
    optics.from_detector(wave);
    return wave;
}

}  // namespace

template <class Real>
Result<std::vector<Planar<Real>>> first_probe(Model const& model,
                                              stem4d::PtychographyOptions const& options,
                                              Totals const& totals,
                                              std::vector<std::string>& notes) {
    index const n = model.window, area = n * n;
    Wave<double> wave(options.probe.begin(), options.probe.end());
    if (options.probe.empty()) {
        SLUICE_TRY(wave, wave_of_mean(model, totals));
        notes.push_back("the probe begins as the mean pattern's moduli with one phase");
    } else if (std::ssize(wave) % area != 0 || std::ssize(wave) > options.modes * area) {
        return wrong(
            fmt::format("the probe has {} pixels and a window {}x{} (both must have one grid) give "
                        "its first modes, {} at most, on that grid",
                        wave.size(), n, n, options.modes));
    }
    double power = 0;
    for (auto const& z : wave) power += std::norm(z);
    if (!std::isfinite(power) || power <= 0) return wrong("the first probe is empty or not finite");
    // A fixed probe keeps its bits; the object takes the difference. Where both are given, their
    // product is that of the patterns.
    bool const fixed = std::ssize(wave) == options.modes * area &&
                       std::ranges::all_of(options.stages, &stem4d::PtychographyStage::fix_probe);
    bool const kept = !options.probe.empty() && (fixed || !options.object.empty());
    double const apart = totals.mean / power;
    if (!options.probe.empty() && (apart > 10 || apart < 0.1))
        notes.push_back(fmt::format("the given probe has {:.3g} counts and a pattern {:.3g}: {}",
                                    power, totals.mean,
                                    kept ? "the probe is kept, and the object takes the difference"
                                         : "the probe is scaled to the patterns"));
    double const by = kept ? 1 : std::sqrt(apart);
    std::vector<Planar<Real>> modes;
    for (auto z = wave.begin(); z != wave.end();) {
        modes.emplace_back(n, n);
        for (index r = 0; r < n; ++r)
            for (index c = 0; c < n; ++c)
                modes.back().set(r, c, static_cast<std::complex<Real>>(by * *z++));
    }
    add_modes(modes, options.modes);
    if (std::ssize(modes) < options.modes)
        return wrong(fmt::format(
            "the first probe is too small for {} modes (it holds {} orthogonal ones) take fewer",
            options.modes, modes.size()));
    return modes;
}

template <class Real>
index probe_width(Planar<Real> const& mode) {
    index const n = mode.rows();
    // Powers of the rings of squares about the middle, from the outermost inwards.
    double all = 0, outside = 0;
    std::vector<double> ring(static_cast<std::size_t>(n));
    for (index r = 0; r < n; ++r)
        for (index c = 0; c < n; ++c) {
            auto const power = static_cast<double>(std::norm(mode.at(r, c)));
            index const away = std::max(std::abs(2 * r + 1 - n), std::abs(2 * c + 1 - n));
            ring[static_cast<std::size_t>(away - (away == n))] += power;
            all += power;
        }
    for (index width = n; width > 1; --width) {
        outside += ring[static_cast<std::size_t>(width - 1)];
        if (outside > 0.01 * all) return width;
    }
    return 1;
}

template Result<std::vector<Planar<float>>> first_probe(Model const&,
                                                        stem4d::PtychographyOptions const&,
                                                        Totals const&, std::vector<std::string>&);
template Result<std::vector<Planar<double>>> first_probe(Model const&,
                                                         stem4d::PtychographyOptions const&,
                                                         Totals const&, std::vector<std::string>&);
template index probe_width(Planar<float> const&);
template index probe_width(Planar<double> const&);

}  // namespace sluice::ptycho
