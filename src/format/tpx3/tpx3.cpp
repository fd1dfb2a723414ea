// From a file of hits to a dataset.
// SPDX-License-Identifier: Apache-2.0
#include "format/tpx3/tpx3.h"

#include <fmt/format.h>

#include <cmath>

#include "format/scan_shape.h"
#include "format/tpx3/event_frames.h"
#include "format/while_written.h"

namespace sluice::tpx3 {
namespace {

constexpr std::string_view ending = ".tpx3";
constexpr index largest_side = 1 << 20, most_scan_images = index{1} << 31;
constexpr std::string_view edge_names[] = {"tdc1-rise", "tdc1-fall", "tdc2-rise", "tdc2-fall"};

Error wrong(std::string what) {
    return {Code::invalid_argument, std::move(what)};
}

// The scan as the user says it; the file does not.
Result<ScanPlan> plan_of(ScanGrid const& scan, Tpx3Options const& how, ChipLayout const& layout) {
    auto const flyback =
        static_cast<index>(std::min<std::uint64_t>(how.tpx3_flyback, largest_side));
    if (how.one_edge && !(how.point_s > 0))
        return wrong(
            "one signal begins the scan (--one-edge), so give the seconds of a point "
            "(--point-s)");
    if (how.point_s > 0 && how.point_s * steps_per_s < 16)
        return wrong("points are at least 25 ns long; give another --point-s");
    if (scan[0] < 1 || scan[1] < 1 || scan[0] > largest_side || scan[1] > largest_side ||
        scan[0] > most_scan_images / (scan[1] + flyback))
        return wrong(
            fmt::format("a scan of {}x{} points with {} images between lines (at most {} "
                        "in all); give another --scan",
                        scan[0], scan[1], flyback, most_scan_images));
    index const per_line = scan[1] + flyback;
    return ScanPlan{.images = scan[0] * per_line,
                    .per_line = how.one_edge ? 0 : per_line,
                    .dwell = how.point_s * steps_per_s,
                    .window = std::llround(how.window_s * steps_per_s),
                    .wide = layout.rows() * layout.cols() > index{1} << 16};
}

std::string signals_text(EventIndex const& i) {
    std::string text;
    for (std::size_t e = 0; e < i.edges.size(); ++e)
        if (i.edges[e] > 0)
            text += fmt::format("{}{} of {}", text.empty() ? "" : ", ", i.edges[e], edge_names[e]);
    return text.empty() ? "none" : text;
}

// Without a scan one line says how many lines the file has.
Error no_scan(Source const& file, ChipLayout const& layout, Tpx3Options const& how) {
    ScanPlan const one{.images = 1, .per_line = 1};
    auto const found = index_events(file, layout, how.line_edge, one);
    if (!found) return found.error();
    index const lines = found->edges[static_cast<std::size_t>(how.line_edge)];
    return wrong(fmt::format(
        "the hits lie at points by their times, and the file does not say the scan (its signals: "
        "{}) give --scan ROWSxCOLS{}",
        signals_text(*found), lines > 1 ? fmt::format(", as {}xCOLS", lines) : ""));
}

// Frames that are not there, of images that are not made.
std::vector<FrameRun> missing_frames(EventIndex const& i, ScanGrid const& scan, LinePath path) {
    std::vector<FrameRun> missing;
    auto made = i.made.begin();
    for (index row = 0; row < scan[0]; ++row) {
        index col = 0;
        while (col < scan[1]) {
            index const image = row * path.per_line + col;
            while (made != i.made.end() && made->first + made->count <= image) ++made;
            bool const here = made != i.made.end() && made->first <= image;
            index const next = made == i.made.end() ? scan[1]
                               : here ? made->first + made->count - row * path.per_line
                                      : made->first - row * path.per_line;
            index const end = std::min(next, scan[1]);
            if (!here) add_run(missing, {row * scan[1] + col, end - col});
            col = end;
        }
    }
    return missing;
}

void tell(EventIndex const& i, Dataset& d) {
    auto const count = [&](std::string_view what, index n) {
        if (n > 0) d.warnings.push_back(fmt::format("{}: {}", what, n));
    };
    for (auto const& [what, n] : i.problems) count(what, n);
    count("points beside damaged bytes", i.counts.hurt);
    count("line starts that are not in the file, and were placed by time", i.counts.lost_starts);
    count("line starts that come too early", i.counts.early_starts);
    count("lines with a pause behind them", i.counts.longer);
    count("line counters that jump without a line", i.counts.jumped);
    count("lines that ended before their points", i.counts.shorter);
    for (auto const& w : d.warnings) d.notes.push_back(w);
    if (i.more_lines > 0)
        d.notes.push_back(fmt::format(
            "{} line starts behind the scan begin others, which are left out", i.more_lines));
    d.notes.emplace_back("images are made of hits by their times; each counts 1");
    d.metadata.push_back({"hits in the file", fmt::format("{}", i.hits), ""});
    d.metadata.push_back({"signals", signals_text(i), ""});
    if (i.line > 0)
        d.metadata.push_back({"time of a line", fmt::format("{:.6g}", i.line / steps_per_s), "s"});
}

Result<Dataset> open_file(std::string const& path, OpenOptions const& options) {
    auto const how = options.format.of<Tpx3Options>();
    SLUICE_TRY(ChipLayout const layout, ChipLayout::parse(how.chip_layout));
    SLUICE_TRY(auto const file, open_source(path));
    if (!options.scan_shape) return no_scan(*file, layout, how);
    ScanGrid const scan = *options.scan_shape;
    SLUICE_TRY(ScanPlan const plan, plan_of(scan, how, layout));
    SLUICE_TRY(EventIndex found, index_events(*file, layout, how.line_edge, plan));
    if (found.runs.empty())
        return Error{
            Code::incomplete,
            fmt::format("no line of the scan has begun and ended by {} (the file's "
                        "signals: {}) give another --line-edge, or --point-s",
                        edge_names[static_cast<std::size_t>(how.line_edge)], signals_text(found))};
    LinePath const by{.cols = scan[1], .per_line = plan.images / scan[0]};
    ScanQuery q{.present = scan[0] * scan[1], .expected = scan[0] * scan[1], .user = scan};
    q.allow_incomplete = options.allow_incomplete;
    q.holes = missing_frames(found, scan, by);
    if (!q.holes.empty() && q.holes.back().first + q.holes.back().count == q.present) {
        q.present = q.holes.back().first;
        q.holes.pop_back();
    }
    SLUICE_TRY(ScanShape shape, resolve_scan_shape(q));
    Dataset d;
    d.format = "tpx3";
    d.files = {path};
    d.dtype = DType::u16;
    d.rows = layout.rows(), d.cols = layout.cols();
    d.pixel_mask = layout.gaps();
    d.frames = shape.frames;
    d.missing = shape.missing;
    d.missing_runs = std::move(shape.missing_runs);
    d.scan = shape.grid;
    d.scan_from = shape.from;
    d.dwell_s = found.runs.front().length / steps_per_s;
    d.notes = std::move(shape.notes);
    d.warnings = std::move(shape.warnings);
    tell(found, d);
    d.source = event_frames(file, layout, by, scan[0], std::move(found));
    return d;
}

}  // namespace

bool recognises(std::string_view path, Bytes head) {
    std::string_view const text(reinterpret_cast<char const*>(head.data()), head.size());
    return text.starts_with("TPX3") || (path.ends_with(ending) && !head.empty());
}

Result<Dataset> open(std::string const& path, OpenOptions const& options) {
    if (WhileWritten::now())
        return Error{Code::unsupported,
                     "files of hits are read when they are whole; wait until the file is written, "
                     "or receive the readout's stream (--protocol timepix3)",
                     path};
    auto d = open_file(path, options);
    if (!d && d.error().file.empty()) d.error().file = path;
    return d;
}

}  // namespace sluice::tpx3
