// Opening Zarr arrays as scans.
// SPDX-License-Identifier: Apache-2.0
#include "format/zarr/zarr.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "format/scan_shape.h"
#include "format/zarr/about.h"
#include "format/zarr/chunks.h"
#include "format/zarr/search.h"
#include "zarr/chunk_names.h"
#include "zarr/group.h"
#include "zarr/place.h"

namespace sluice::zarr_scan {
namespace {

std::string array_path(std::string const& folder, std::string const& name) {
    return name.empty() ? folder : folder + "/" + name;
}

// The only array of frames, unless the user names one.
Result<std::string> chosen_array(std::string const& folder, std::string wanted) {
    if (!wanted.empty()) {
        while (wanted.starts_with('/')) wanted.erase(0, 1);
        return wanted;
    }
    FoundArrays const found = find_arrays(folder);
    auto const n = std::ranges::count_if(found.arrays, &FoundArray::frames);
    if (n == 1) return std::ranges::find_if(found.arrays, &FoundArray::frames)->name;
    if (n > 1)
        return Error{Code::invalid_argument,
                     fmt::format("holds {} arrays that may be frames; choose one with --dataset "
                                 "PATH: {}",
                                 n, arrays_text(found.arrays, true)),
                     folder};
    if (!found.unreadable.empty()) return found.unreadable.front();
    return Error{Code::not_found,
                 fmt::format("has no array of frames (3 or 4 dimensions of numbers); it holds {}",
                             arrays_text(found.arrays, false)),
                 folder};
}

StoredType stored_type(zarr::Layout const& layout) {
    auto stored = stored_type_of(layout.dtype).value_or(StoredType{});
    stored.big_endian = layout.big_endian && stored.bytes > 1;
    return stored;
}

Status check_sides(zarr::Layout const& layout, boxes::FrameAxes const& axes,
                   std::string const& path) {
    auto const side = [&](std::size_t d) { return static_cast<std::uint64_t>(layout.shape[d]); };
    std::vector<std::uint64_t> const pixels{side(axes.row), side(axes.col)};
    std::vector<std::uint64_t> scan;
    for (std::size_t a : axes.scan) scan.push_back(side(a));
    auto const n = boxes::product_of(pixels, std::uint64_t{1} << 28);
    auto const frames = boxes::product_of(scan, std::uint64_t{1} << 40);
    if (n && *n > 0 && frames && *frames > 0) return {};
    return Error{Code::unsupported,
                 fmt::format("an array of {} elements with frames of {}x{} (frames have 1 to 2^28 "
                             "pixels, and an array has one at least)",
                             fmt::join(layout.shape, "x"), pixels[0], pixels[1]),
                 path};
}

Result<ScanShape> scan_of(zarr::Layout const& layout, boxes::FrameAxes const& axes,
                          OpenOptions const& options) {
    ScanQuery q{.user = options.scan_shape, .allow_incomplete = options.allow_incomplete};
    q.present = 1;
    for (std::size_t a : axes.scan) q.present *= layout.shape[a];
    q.expected = q.present;
    if (axes.scan.size() == 2) {
        q.attribute = ScanGrid{layout.shape[axes.scan[0]], layout.shape[axes.scan[1]]};
        q.attribute_from = shape_of_dataset;
    }
    return resolve_scan_shape(q);
}

// Chunks without a file read as the fill value, which a copy that lost files would, too.
Status note_files(std::string const& path, zarr::Layout const& l, std::uint64_t& bytes,
                  Dataset& d) {
    SLUICE_CHECK(zarr::has_chunks(path, l));
    SLUICE_TRY(auto const files, zarr::chunk_files(path, l));
    std::uint64_t all = 1;
    for (std::size_t i = 0; i < l.shape.size(); ++i) {
        auto const side = static_cast<std::uint64_t>(l.shard.empty() ? l.chunk[i] : l.shard[i]);
        all *= (static_cast<std::uint64_t>(l.shape[i]) + side - 1) / side;
    }
    if (auto const below = zarr::list_files(path))
        for (zarr::Below const& file : *below) bytes += file.bytes;
    if (files.size() >= all) return {};
    d.warnings.push_back(fmt::format(
        "{} of the {} files of chunks are not there: their values read as the fill value (writers "
        "leave out what is all fill value, and a copy may have lost files)",
        all - files.size(), all));
    d.notes.push_back(d.warnings.back());
    return {};
}

std::string steps_text(zarr::Layout const& l) {
    std::vector<std::string> names;
    constexpr char const* words[] = {"blosc", "zstd", "gzip", "lz4", "crc32c"};
    for (zarr::Step const s : l.steps) names.emplace_back(words[static_cast<int>(s)]);
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

std::string chunks_text(zarr::Layout const& l) {
    std::string text = fmt::format("{}", fmt::join(l.chunk, "x"));
    if (!l.shard.empty()) text += fmt::format(" in shards of {}", fmt::join(l.shard, "x"));
    return text;
}

Result<boxes::FrameAxes> axes_of(About const& about, std::size_t rank, std::string const& order,
                                 Dataset& d) {
    if (!order.empty()) {
        SLUICE_TRY(boxes::FrameAxes axes, boxes::parse_axes(order, rank));
        d.notes.push_back(
            fmt::format("the axes are read as {}, as the user says", boxes::axes_text(axes)));
        return axes;
    }
    SLUICE_TRY(auto const named, hdf5::axes_named(about.axes));
    if (!named) return boxes::usual_axes(rank);
    d.notes.push_back(
        fmt::format("the axes are read as {}, as the file names them", boxes::axes_text(*named)));
    return *named;
}

Result<Dataset> open_array(std::string const& folder, std::string const& name,
                           OpenOptions const& options) {
    std::string const path = array_path(folder, name);
    SLUICE_TRY(zarr::Reader reader, zarr::Reader::open(path));
    zarr::Layout const l = reader.layout();
    std::size_t const rank = l.shape.size();
    if (rank != 3 && rank != 4)
        return Error{Code::unsupported,
                     fmt::format("an array of {} dimensions ({}; 3 or 4 are read)", rank,
                                 fmt::join(l.shape, "x")),
                     path};
    SLUICE_TRY(About const its, about(folder, name, rank));
    Dataset d;
    SLUICE_TRY(boxes::FrameAxes const axes, axes_of(its, rank, options.axis_order, d));
    SLUICE_CHECK(check_sides(l, axes, path));
    SLUICE_TRY(ScanShape scan, scan_of(l, axes, options));
    StoredType const stored = stored_type(l);
    d.path = folder;
    d.format = "zarr";
    d.files = {folder};
    d.dtype = read_as(stored);
    d.rows = l.shape[axes.row], d.cols = l.shape[axes.col];
    d.frames = scan.frames, d.missing = scan.missing;
    d.missing_runs = std::move(scan.missing_runs);
    d.scan = scan.grid;
    d.scan_from = std::move(scan.from);
    for (std::string& n : scan.notes) d.notes.push_back(std::move(n));
    d.warnings = std::move(scan.warnings);
    if (std::string note = conversion_note(stored); !note.empty())
        d.notes.push_back(std::move(note));
    std::uint64_t bytes = 0;
    SLUICE_CHECK(note_files(path, l, bytes, d));
    take_about(its, axes, d);
    d.metadata.push_back({"array", name.empty() ? "/" : name, ""});
    d.metadata.push_back({"stored as", fmt::format("Zarr {}, {}", l.version, name_of(stored)), ""});
    d.metadata.push_back({"codecs", steps_text(l), ""});
    d.metadata.push_back({"chunks", chunks_text(l), ""});
    boxes::FrameArray array{{l.shape.begin(), l.shape.end()}, axes, stored, path};
    index const held = array.frames();
    SLUICE_TRY(d.source, frames_of(std::move(reader), std::move(array), held, bytes));
    return d;
}

}  // namespace

bool recognises(std::string_view path, Bytes) {
    std::string const folder(path);
    if (!zarr::is_node(folder)) return false;
    FoundArrays const found = find_arrays(folder);
    return !found.slide && std::ranges::any_of(found.arrays, &FoundArray::frames);
}

bool recognises_zip(std::string_view path, Bytes head) {
    bool const named = path.ends_with(".zip") || path.ends_with(".zarr") || path.ends_with(".zspy");
    std::string_view const text(reinterpret_cast<char const*>(head.data()), head.size());
    if (!named || !text.starts_with("PK")) return false;
    if (recognises(path, head)) return true;
    // One that is cut off cannot show what is in it; its name says it.
    bool const plain = path.ends_with(".zip") && !path.ends_with(".zarr.zip");
    return !plain && !zarr::list_folder(std::string(path));
}

Result<Dataset> open(std::string const& path, OpenOptions const& options) {
    std::string folder = path;
    while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
    std::error_code none;
    if (!std::filesystem::is_directory(folder, none))
        SLUICE_CHECK(zarr::list_folder(folder));  // of a zip: what is wrong with it
    SLUICE_TRY(std::string const name,
               chosen_array(folder, options.format.of<Hdf5Options>().dataset));
    auto d = open_array(folder, name, options);
    if (!d && d.error().file.empty()) d.error().file = path;
    if (d) d->path = path;
    return d;
}

}  // namespace sluice::zarr_scan
