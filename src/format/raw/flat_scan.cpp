// From frames at equal steps to a dataset.
// SPDX-License-Identifier: Apache-2.0
#include "format/raw/flat_scan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/plural.h"

namespace sluice {
namespace {

constexpr index largest_side = 1 << 16;
constexpr index most_pixels = 1 << 28;

// Whole frames from `offset` on; the last one needs no header after it.
index frames_within(std::uint64_t size, FlatLayout const& l) {
    if (size < l.offset || size - l.offset < l.frame_bytes()) return 0;
    std::uint64_t const steps = (size - l.offset - l.frame_bytes()) / l.step();
    return static_cast<index>(std::min(steps, std::uint64_t{1} << 48)) + 1;
}

Error ends_early(std::string const& path, std::uint64_t size, FlatScan const& s) {
    return {
        Code::truncated,
        fmt::format("the file ends within its {} frames of {}x{} ({} are whole); copy it again, "
                    "or open it with --allow-incomplete",
                    s.announced, s.rows, s.cols, s.layout.present),
        path, size};
}

std::string left_over(std::uint64_t bytes) {
    return plural(bytes, "byte at the end fills", "bytes at the end fill") + " no frame";
}

}  // namespace

Status check_frame(index rows, index cols) {
    if (rows >= 1 && cols >= 1 && rows <= largest_side && cols <= largest_side &&
        rows <= most_pixels / cols)
        return {};
    return Error{Code::corrupt,
                 fmt::format("a frame of {}x{} pixels (a side is 1 to {}); the header is damaged",
                             rows, cols, largest_side)};
}

Result<Dataset> open_frames(std::shared_ptr<FrameSource const> source, index present,
                            std::vector<std::string> files, FlatScan const& s,
                            OpenOptions const& options) {
    SLUICE_TRY(ScanShape shape, resolve_scan_shape({.present = present,
                                                    .expected = s.announced,
                                                    .user = options.scan_shape,
                                                    .attribute = s.scan,
                                                    .attribute_from = s.scan_from,
                                                    .allow_incomplete = options.allow_incomplete}));
    Dataset d;
    d.format = s.format;
    d.files = std::move(files);
    d.dtype = read_as(s.layout.stored);
    d.frames = shape.frames;
    d.missing = shape.missing;
    d.missing_runs = std::move(shape.missing_runs);
    d.rows = s.rows, d.cols = s.cols;
    d.scan = shape.grid;
    d.scan_from = shape.from;
    d.notes = std::move(shape.notes);
    d.warnings = std::move(shape.warnings);
    if (std::string note = conversion_note(s.layout.stored); !note.empty()) d.notes.push_back(note);
    d.source = std::move(source);
    return d;
}

Result<Dataset> open_pieces(std::vector<FlatPiece> pieces, FlatScan const& s,
                            OpenOptions const& options) {
    index present = 0;
    std::vector<std::string> files;
    for (FlatPiece const& p : pieces) {
        present += p.count;
        if (std::ranges::find(files, p.file->path()) == files.end())
            files.push_back(p.file->path());
    }
    return open_frames(std::make_shared<FlatSource>(std::move(pieces), s.layout), present,
                       std::move(files), s, options);
}

Result<Dataset> open_flat(File file, FlatScan s, OpenOptions const& options) {
    SLUICE_CHECK(check_frame(s.rows, s.cols));
    s.layout.pixels = s.rows * s.cols;
    expects(s.layout.step() >= s.layout.frame_bytes());
    std::uint64_t const size = file.size();
    index const within = frames_within(size, s.layout);
    s.layout.present = s.announced > 0 ? std::min(within, s.announced) : within;
    if (s.layout.present == 0 || (s.layout.present < s.announced && !options.allow_incomplete))
        return ends_early(file.path(), size, s);
    std::string const path = file.path();
    std::uint64_t const end =
        s.layout.offset + static_cast<std::uint64_t>(within) * s.layout.step();
    std::uint64_t const rest = s.announced == 0 && size > end ? size - end : 0;
    if (rest > 0 && !options.allow_incomplete)
        return Error{Code::truncated,
                     left_over(rest) + "; copy the file again, or open it with --allow-incomplete",
                     path, end};
    auto const shared = std::make_shared<File const>(std::move(file));
    SLUICE_TRY(Dataset d, open_pieces({{shared, s.layout.offset, s.layout.present}}, s, options));
    d.path = path;
    if (rest > 0) d.notes.push_back(left_over(rest));
    return d;
}

}  // namespace sluice
