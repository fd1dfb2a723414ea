// From a raw binary file and what the user says of it to a dataset.
// SPDX-License-Identifier: Apache-2.0
#include "format/raw/raw.h"

#include <fmt/format.h>

#include "format/raw/geometry.h"
#include "format/scan_shape.h"

namespace sluice::raw {
namespace {

Result<Dataset> open_file(File file, OpenOptions const& options) {
    SLUICE_TRY(Geometry const g, find_geometry(file.size(), options));
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
    d.notes.push_back(fmt::format("frames of {}x{} {} from byte {} on, as the user says", g.rows,
                                  g.cols, options.raw_dtype, options.raw_offset));
    if (g.left_over != 0)
        d.notes.push_back(fmt::format("{} bytes at the end fill no frame", g.left_over));
    d.files = {file.path()};
    d.path = file.path();
    d.source = std::make_shared<FlatSource>(std::move(file), g.layout);
    return d;
}

}  // namespace

bool recognises(std::string_view path, Bytes) {
    return path.ends_with(".raw") || path.ends_with(".bin") || path.ends_with(".dat");
}

Result<Dataset> open(std::string const& path, OpenOptions const& options) {
    SLUICE_TRY(File file, File::open(path));
    Result<Dataset> d = open_file(std::move(file), options);
    if (!d && d.error().file.empty()) d.error().file = path;
    return d;
}

}  // namespace sluice::raw
