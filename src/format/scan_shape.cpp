// Scan shape resolution.
// SPDX-License-Identifier: Apache-2.0
#include "format/scan_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/plural.h"
#include "format/while_written.h"

namespace sluice {
namespace {

std::string text(ScanGrid g) {
    return fmt::format("{}x{}", g[0], g[1]);
}

/// The number of frames of a grid, or nothing if it has none or does not fit.
std::optional<index> frames_of(ScanGrid g) {
    if (g[0] <= 0 || g[1] <= 0) return {};
    if (g[0] > std::numeric_limits<index>::max() / g[1]) return {};
    return g[0] * g[1];
}

index root_of(index n) {
    auto r = static_cast<index>(std::sqrt(static_cast<double>(n)));
    while (r > 0 && r > n / r) --r;
    while (r + 1 <= n / (r + 1)) ++r;
    return r;
}

/// How missing frames read.
std::string missing_value(ScanQuery const& q) {
    return q.fill_is_no_count ? "NaN (floats) or zero (counts): the file's fill value is NaN, "
                                "infinite or its mark for no data"
                              : "the file's fill value, or zero";
}

ScanShape accept(ScanQuery const& q, ScanGrid grid, std::string from) {
    ScanShape s{grid, std::move(from), grid[0] * grid[1], 0};
    s.missing_runs = q.holes;
    add_run(s.missing_runs, {q.present, s.frames - q.present});
    s.missing = frames_in(s.missing_runs);
    if (s.missing == 0) return s;
    std::string const where = q.holes.empty() ? fmt::format("the {} at the end read", s.missing)
                                              : fmt::format("the {} missing ones (number {}) read",
                                                            s.missing, runs_text(s.missing_runs));
    s.notes.push_back(fmt::format("incomplete acquisition: {} of {} frames are present; {} as {}",
                                  s.frames - s.missing, s.frames, where, missing_value(q)));
    return s;
}

Error too_few(ScanQuery const& q, std::string const& who, index wanted) {
    return {Code::incomplete,
            fmt::format("only {} of {} frames are in the files ({}); copy the missing files, or "
                        "open it with --allow-incomplete to read the rest as {}",
                        q.present, wanted, who, missing_value(q))};
}

Result<ScanShape> from_user(ScanQuery const& q) {
    ScanGrid const g = *q.user;
    auto const frames = frames_of(g);
    if (!frames)
        return Error{
            Code::invalid_argument,
            fmt::format("the scan shape {} is not positive; give --scan ROWSxCOLS with two "
                        "positive numbers",
                        text(g))};
    bool const more = *frames > q.present;
    if (*frames < q.present || (more && !q.allow_incomplete))
        return Error{
            more ? Code::incomplete : Code::invalid_argument,
            fmt::format("the scan shape {} has {} points but the files hold {} frames "
                        "(one frame per scan point is needed); {}possible shapes are {}",
                        text(g), *frames, q.present,
                        more
                            ? fmt::format("use --allow-incomplete to read the missing ones as {}; ",
                                          missing_value(q))
                            : "",
                        possible_shapes(q.present))};
    ScanShape s = accept(q, g, "user");
    if (q.expected > 0 && q.expected != s.frames)
        s.notes.push_back(
            fmt::format("the detector announced {}; the scan shape {} of the "
                        "user has {}",
                        plural(q.expected, "frame"), text(g), s.frames));
    return s;
}

ScanShape guess(ScanQuery const& q, index side) {
    std::string const from = "the square root of the number of frames";
    ScanShape s = accept(q, {side, side}, from);
    // One frame has one shape.
    if (s.frames == 1) return s;
    s.warnings.push_back(fmt::format(
        "scan shape {} is a guess ({}); give it as --scan ROWSxCOLUMNS", text(s.grid), from));
    s.notes.push_back(s.warnings.back());
    return s;
}

/// A shape that a file names: taken if it fits, or if it is larger and the user allows that.
std::optional<ScanShape> from_file(ScanQuery const& q, ScanGrid grid, std::string const& from) {
    auto const frames = frames_of(grid);
    if (!frames) return {};
    bool const complete = q.expected <= q.present;
    if (*frames == q.present && complete) return accept(q, grid, from);
    if (q.allow_incomplete && *frames >= q.present) return accept(q, grid, from);
    return {};
}

Result<std::optional<ScanShape>> from_companion(ScanQuery const& q,
                                                std::vector<std::string>& notes) {
    CompanionScan const& c = *q.companion;
    std::string const who = "STEM Metadata";
    bool const flyback = c.prescan > 0 && c.prescan < std::numeric_limits<index>::max() - c.grid[1];
    ScanGrid const wide{c.grid[0], flyback ? c.grid[1] + c.prescan : c.grid[1]};
    // The wider shape first only when it fits exactly: otherwise the plain one is meant.
    if (flyback && frames_of(wide) == std::max(q.present, q.expected)) {
        if (auto s = from_file(q, wide, who)) {
            s->notes.push_back(
                fmt::format("each scan row holds {} prescan (flyback) columns: the "
                            "shape is {} and not {}",
                            c.prescan, text(wide), text(c.grid)));
            return s;
        }
    }
    if (auto s = from_file(q, c.grid, who)) return s;
    auto const frames = frames_of(c.grid);
    if (frames && *frames > q.present && q.expected == 0)
        return too_few(q, fmt::format("the companion file says {}", text(c.grid)), *frames);
    notes.push_back(
        fmt::format("the companion file's scan shape {} does not fit {} frames and is "
                    "ignored",
                    text(c.grid), q.present));
    return std::optional<ScanShape>{};
}

// A row of images: what they make is decided by who hears the whole series.
ScanShape as_images(ScanQuery const& q, WhileWritten& written) {
    index const expected = written.shape_grows ? 0 : q.expected;
    index const images = std::max<index>({q.present, expected, 1});
    ScanShape s{{1, images}, "the files, which grow", images, 0};
    s.missing_runs = q.holes;
    add_run(s.missing_runs, {q.present, images - q.present});
    s.missing = frames_in(s.missing_runs);
    written.announced = {.images = expected};
    auto const say = [&](ScanGrid grid, std::string const& from) {
        if (!frames_of(grid)) return;
        written.announced.scan = grid;
        written.announced.scan_from = from;
    };
    bool const of_shape = q.attribute_from == shape_of_dataset;
    if (q.attribute && !(of_shape && written.shape_grows)) say(*q.attribute, q.attribute_from);
    if (q.companion) {
        auto [rows, cols] = q.companion->grid;
        auto const wide = frames_of({rows, cols + std::max<index>(q.companion->prescan, 0)});
        if (wide && rows > 0 && expected == *wide) cols = *wide / rows;
        say({rows, cols}, "STEM Metadata");
    }
    return s;
}

}  // namespace

std::string possible_shapes(index frames, int most) {
    std::string list;
    // 2^22 steps find every pair up to 1.7e13 frames and bound the time beyond.
    index const root = root_of(std::max<index>(frames, 0));
    for (index a = root, steps = 0; a >= 1 && most > 0 && steps < (index{1} << 22); --a, ++steps) {
        if (frames % a != 0) continue;
        list += fmt::format("{}{}x{}", list.empty() ? "" : ", ", a, frames / a);
        --most;
    }
    return list.empty() ? "none" : list;
}

std::string runs_text(std::vector<FrameRun> const& runs, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < std::min(runs.size(), most); ++i) {
        FrameRun const& r = runs[i];
        text += i == 0 ? "" : ", ";
        text += r.count == 1 ? fmt::format("{}", r.first)
                             : fmt::format("{} to {}", r.first, r.first + r.count - 1);
    }
    if (runs.size() > most) text += fmt::format(" and {}", plural(runs.size() - most, "more run"));
    return text;
}

void add_run(std::vector<FrameRun>& runs, FrameRun run) {
    if (run.count <= 0) return;
    if (!runs.empty() && runs.back().first + runs.back().count == run.first)
        runs.back().count += run.count;
    else
        runs.push_back(run);
}

index frames_in(std::vector<FrameRun> const& runs) {
    index n = 0;
    for (FrameRun const& r : runs) n += r.count;
    return n;
}

std::optional<ScanGrid> grid_of(std::vector<double> const& v) {
    auto const side = [](double n) { return n >= 1 && n < 1e15 && n == std::floor(n); };
    if (v.size() != 2 || !side(v[0]) || !side(v[1])) return {};
    return ScanGrid{static_cast<index>(v[0]), static_cast<index>(v[1])};
}

Result<ScanShape> resolve_scan_shape(ScanQuery const& q) {
    if (WhileWritten* const written = WhileWritten::now()) return as_images(q, *written);
    bool const nothing_yet = q.present == 0 && q.expected > 0;
    if (!q.holes.empty() && !q.allow_incomplete)
        return Error{
            Code::incomplete,
            fmt::format("{} of {} frames lack data (number {}; they were never written, or their "
                        "file is missing); copy the missing files, or open it with "
                        "--allow-incomplete to read {} there",
                        frames_in(q.holes) + std::max<index>(q.expected - q.present, 0),
                        std::max(q.expected, q.present), runs_text(q.holes), missing_value(q))};
    if (nothing_yet && !q.allow_incomplete) return too_few(q, "not one is whole", q.expected);
    if (q.present <= 0 && !nothing_yet)
        return Error{Code::corrupt, "holds no frames; was the scan aborted?"};
    if (q.user) return from_user(q);
    if (q.expected > q.present && !q.allow_incomplete)
        return too_few(q, "the detector announced more", q.expected);
    std::vector<std::string> notes;
    auto with_notes = [&notes](ScanShape s) {
        s.notes.insert(s.notes.begin(), notes.begin(), notes.end());
        return s;
    };
    if (q.companion) {
        SLUICE_TRY(auto s, from_companion(q, notes));
        if (s) return with_notes(std::move(*s));
    }
    if (q.attribute) {
        if (auto s = from_file(q, *q.attribute, q.attribute_from)) return with_notes(*s);
        auto const frames = frames_of(*q.attribute);
        if (frames && *frames > q.present && q.expected == 0)
            return too_few(q, fmt::format("the {} is {}", q.attribute_from, text(*q.attribute)),
                           *frames);
        notes.push_back(fmt::format("the {} {} does not fit {} and is ignored", q.attribute_from,
                                    text(*q.attribute), plural(q.present, "frame")));
    }
    index const frames = std::max(q.present, q.expected);
    index const side = root_of(frames);
    if (side * side == frames) return with_notes(guess(q, side));
    return Error{
        Code::invalid_argument,
        fmt::format(
            "the scan shape of {} frames is not known (no companion file or "
            "attribute names it, and the number is not a square); give --scan ROWSxCOLS, for "
            "example one of {}{}{}",
            frames, possible_shapes(frames), notes.empty() ? "" : "; ",
            notes.empty() ? "" : notes.front())};
}

}  // namespace sluice
