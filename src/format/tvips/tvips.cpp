// From the files of a recording to a dataset.
// SPDX-License-Identifier: Apache-2.0
#include "format/tvips/tvips.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/plural.h"
#include "format/raw/flat_scan.h"
#include "format/tvips/header.h"

namespace sluice::tvips {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".tvips";
constexpr int most_files = 1000;  // three digits

/// "scan_" of "scan_012.tvips", and 12; the number is -1 where there is none.
struct Name {
    std::string prefix;
    int number = -1;
};

Name name_of(std::string const& path) {
    std::string const stem = path.substr(0, path.size() - ending.size());
    std::size_t const at = stem.size() < 3 ? 0 : stem.size() - 3;
    bool const digits = stem.size() >= 4 && stem[at - 1] == '_' &&
                        std::all_of(stem.begin() + static_cast<std::ptrdiff_t>(at), stem.end(),
                                    [](char c) { return c >= '0' && c <= '9'; });
    if (!digits) return {stem, -1};
    return {stem.substr(0, at), std::stoi(stem.substr(at))};
}

std::string file_of(Name const& name, int number) {
    return fmt::format("{}{:03}{}", name.prefix, number, ending);
}

bool is_there(std::string const& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

/// All frames of a recording, in their files.
struct Recording {
    SeriesHeader header;
    std::vector<FlatPiece> pieces = {};
    index frames = 0;
    std::vector<std::string> notes = {};
};

// Version 1 has 12 bytes before each frame, unless only what the header states fits the file.
void choose_frame_header(SeriesHeader& h, std::uint64_t held) {
    SeriesHeader other = h;
    other.frame_header_bytes = h.stated_header_bytes;
    bool const asked = h.version == 1 && h.stated_header_bytes != 0 && held % h.stride() != 0;
    if (asked && held % other.stride() == 0) h = other;
}

Status add_file(Recording& r, std::string const& path, bool first, bool allow_incomplete) {
    SLUICE_TRY(File file, File::open(path));
    if (first) {
        std::vector<std::byte> head(std::min<std::uint64_t>(file.size(), series_header_bytes));
        SLUICE_CHECK(file.read(0, head));
        auto header = parse_series_header(head);
        if (!header) {
            header.error().file = path;
            return header.error();
        }
        r.header = *header;
        SLUICE_CHECK(check_frame(r.header.rows, r.header.cols));
        choose_frame_header(r.header, file.size() - series_header_bytes);
    }
    std::uint64_t const begin = first ? series_header_bytes : 0, stride = r.header.stride();
    std::uint64_t const held = file.size() - begin, rest = held % stride;
    if (rest != 0 && !allow_incomplete)
        return Error{
            Code::truncated,
            fmt::format("{} at the end fill no frame of {}; copy the file again, or open it with "
                        "--allow-incomplete",
                        plural(rest, "byte"), stride),
            path, file.size() - rest};
    if (rest != 0)
        r.notes.push_back(
            fmt::format("{}: {} at the end fill no frame", path, plural(rest, "byte")));
    auto const count = static_cast<index>(held / stride);
    r.pieces.push_back({std::make_shared<File const>(std::move(file)),
                        begin + r.header.frame_header_bytes, count});
    r.frames += count;
    return {};
}

Result<Recording> find_recording(std::string const& path, bool allow_incomplete) {
    Name const name = name_of(path);
    std::string const first = name.number > 0 ? file_of(name, 0) : path;
    if (!is_there(first))
        return Error{Code::not_found,
                     fmt::format("the recording's first file, {}, is not beside it; copy it there",
                                 fs::path(first).filename().string()),
                     path};
    Recording r;
    SLUICE_CHECK(add_file(r, first, true, allow_incomplete));
    for (int i = 1; name.number >= 0 && i < most_files; ++i) {
        if (!is_there(file_of(name, i))) break;
        SLUICE_CHECK(add_file(r, file_of(name, i), false, allow_incomplete));
    }
    if (static_cast<int>(r.pieces.size()) <= name.number)
        return Error{
            Code::incomplete,
            fmt::format(
                "{} is missing between the recording's files; copy it there",
                fs::path(file_of(name, static_cast<int>(r.pieces.size()))).filename().string()),
            path};
    return r;
}

// Keeps frames first .. first + count - 1 of all.
void cut(std::vector<FlatPiece>& pieces, index first, index count, std::uint64_t stride) {
    for (FlatPiece& p : pieces) {
        index const before = std::min(first, p.count);
        first -= before;
        p.offset += static_cast<std::uint64_t>(before) * stride;
        p.count = std::min(p.count - before, count);
        count -= p.count;
    }
    std::erase_if(pieces, [](FlatPiece const& p) { return p.count == 0; });
}

// A camera records before and after the scan, too.
Status keep_scan(Recording& r, FlatScan& s, OpenOptions const& options) {
    std::uint64_t const asked = options.format.of<TvipsOptions>().tvips_start;
    SLUICE_TRY(auto found, find_scan(*r.pieces.front().file, r.header, r.pieces.front().count));
    if (asked > static_cast<std::uint64_t>(r.frames))
        return Error{
            Code::invalid_argument,
            fmt::format("--tvips-start {} (the recording has {}) give a frame before its end",
                        asked, plural(r.frames, "frame"))};
    if (asked == 0 && !found) return {};
    index const start = asked > 0 ? static_cast<index>(asked) - 1 : found->start;
    index count = r.frames - start;
    if (found && found->cols > 0 && count >= found->cols) {
        s.scan = ScanGrid{count / found->cols, found->cols};
        s.scan_from = "the places in the frames' headers";
    }
    std::optional<ScanGrid> const grid = options.scan_shape ? options.scan_shape : s.scan;
    if (grid && (*grid)[0] > 0 && (*grid)[1] > 0 && (*grid)[0] <= count / (*grid)[1])
        count = (*grid)[0] * (*grid)[1];
    if (index const after = r.frames - start - count; start > 0 || after > 0)
        r.notes.push_back(
            fmt::format("of {} the first {} and the last {} are no part of the scan and left "
                        "out (from: {})",
                        plural(r.frames, "frame"), start, after,
                        asked > 0 ? "the user" : "the frames' headers"));
    cut(r.pieces, start, count, r.header.stride());
    return {};
}

void describe(SeriesHeader const& h, Dataset& d) {
    if (h.energy_kv > 0) d.energy_kv = static_cast<double>(h.energy_kv);
    if (h.pixel_nm > 0) d.metadata.push_back({"camera pixel", fmt::format("{}", h.pixel_nm), "nm"});
    if (h.magnification > 0)
        d.metadata.push_back({"magnification", fmt::format("{}", h.magnification), ""});
    if (h.binning_x > 0 && h.binning_y > 0)
        d.metadata.push_back(
            {"camera binning", fmt::format("{}x{}", h.binning_y, h.binning_x), ""});
    d.metadata.push_back({"file version", fmt::format("{}", h.version), ""});
}

}  // namespace

bool recognises(std::string_view path, Bytes) {
    return path.ends_with(ending);
}

bool is_part(std::string const& path) {
    if (!path.ends_with(ending)) return false;
    Name const name = name_of(path);
    return name.number > 0 && is_there(file_of(name, 0));
}

Result<Dataset> open(std::string const& path, OpenOptions const& options) {
    SLUICE_TRY(Recording r, find_recording(path, options.allow_incomplete));
    FlatScan s{.format = "tvips", .rows = r.header.rows, .cols = r.header.cols};
    s.layout.stored.bytes = r.header.bytes;
    s.layout.pixels = s.rows * s.cols, s.layout.stride = r.header.stride();
    if (Status const kept = keep_scan(r, s, options); !kept) {
        Error e = kept.error();
        if (e.file.empty()) e.file = path;
        return e;
    }
    auto d = open_pieces(std::move(r.pieces), s, options);
    if (!d) {
        if (d.error().file.empty()) d.error().file = path;
        return d;
    }
    d->path = path;
    d->notes.insert(d->notes.end(), r.notes.begin(), r.notes.end());
    describe(r.header, *d);
    return d;
}

}  // namespace sluice::tvips
