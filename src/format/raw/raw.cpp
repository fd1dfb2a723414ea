// From a raw binary file and what the user says of it to a dataset.
// SPDX-License-Identifier: Apache-2.0
#include "format/raw/raw.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/plural.h"
#include "format/raw/geometry.h"
#include "format/raw/ordered_source.h"
#include "format/raw/side_car.h"
#include "format/scan_shape.h"

namespace sluice::raw {
namespace {

/// The array that the user describes: the frame and the scan in the order of axes given.
Result<OrderedArray> described_array(Geometry const& g, ScanShape const& scan,
                                     OpenOptions const& options) {
    std::size_t const rank =
        static_cast<std::size_t>(std::ranges::count(options.axis_order, ',')) + 1;
    if (rank != 3 && rank != 4)
        return Error{Code::invalid_argument,
                     fmt::format("--axis-order '{}' names {} axes (frames have 3 or 4); see "
                                 "--help",
                                 options.axis_order, rank)};
    OrderedArray a{std::vector<index>(rank), {}, g.layout.stored, g.layout.offset};
    SLUICE_TRY(a.axes, boxes::parse_axes(options.axis_order, rank));
    a.shape[a.axes.row] = g.rows;
    a.shape[a.axes.col] = g.cols;
    a.shape[a.axes.scan[0]] = rank == 4 ? scan.grid[0] : scan.frames;
    if (rank == 4) a.shape[a.axes.scan[1]] = scan.grid[1];
    return a;
}

Result<Dataset> open_file(File file, OpenOptions const& options) {
    auto const raw = options.format.of<RawOptions>();
    SLUICE_TRY(Geometry const g, find_geometry(file.size(), raw, options.allow_incomplete));
    SLUICE_TRY(ScanShape scan, resolve_scan_shape({.present = g.layout.present,
                                                   .user = options.scan_shape,
                                                   .allow_incomplete = options.allow_incomplete}));
    Dataset d;
    d.format = "raw";
    d.dtype = read_as(g.layout.stored);
    d.frames = scan.frames;
    d.missing = scan.missing;
    d.missing_runs = std::move(scan.missing_runs);
    d.rows = g.rows;
    d.cols = g.cols;
    d.scan = scan.grid;
    d.scan_from = scan.from;
    d.notes = std::move(scan.notes);
    d.warnings = std::move(scan.warnings);
    d.notes.push_back(fmt::format("frames of {}x{} {} from byte {} on, as the user says", g.rows,
                                  g.cols, raw.raw_dtype, raw.raw_offset));
    if (g.left_over != 0)
        d.notes.push_back(plural(g.left_over, "byte at the end fills", "bytes at the end fill") +
                          " no frame");
    d.files = {file.path()};
    d.path = file.path();
    if (!options.axis_order.empty()) {
        SLUICE_TRY(auto const array, described_array(g, scan, options));
        d.notes.push_back(
            fmt::format("the axes are read as {}, as the user says", boxes::axes_text(array.axes)));
        SLUICE_TRY(d.source, ordered_source(std::move(file), array));
        return d;
    }
    d.source = std::make_shared<FlatSource>(std::move(file), g.layout);
    return d;
}

}  // namespace

bool recognises(std::string_view path, Bytes) {
    return path.ends_with(".raw") || path.ends_with(".bin") || path.ends_with(".dat");
}

Result<Dataset> open(std::string const& path, OpenOptions const& options) {
    auto const raw = options.format.of<RawOptions>();
    bool const told = raw.raw_frame || !raw.raw_dtype.empty() || !options.axis_order.empty();
    std::error_code none;
    if (std::string const car = side_car_of(path); !told && std::filesystem::exists(car, none))
        return open_described(path, car, options);
    SLUICE_TRY(File file, File::open(path));
    Result<Dataset> d = open_file(std::move(file), options);
    if (!d && d.error().file.empty()) d.error().file = path;
    return d;
}

}  // namespace sluice::raw
