// From lists of hits to a dataset.
// SPDX-License-Identifier: Apache-2.0
#include "format/stempy/stempy.h"

#include <fmt/format.h>

#include "format/hdf5/hdf5.h"
#include "format/stempy/events.h"

namespace sluice::stempy {
namespace {

using hdf5::object::Object;

Result<ScanShape> shape_of(Events const& e, OpenOptions const& options) {
    index const points = e.scan[0] * e.scan[1];
    ScanQuery q{.present = points, .expected = points, .user = options.scan_shape};
    q.attribute = e.scan, q.attribute_from = "Nx and Ny of electron_events/scan_positions";
    q.allow_incomplete = options.allow_incomplete;
    q.holes = e.empty;
    if (!q.holes.empty() && q.holes.back().first + q.holes.back().count == points) {
        q.present = q.holes.back().first;
        q.holes.pop_back();
    }
    return resolve_scan_shape(q);
}

Result<Dataset> open_events(std::string const& path, OpenOptions const& options) {
    SLUICE_TRY(Object const root, Object::open_file(path));
    SLUICE_TRY(Events e, read_events(root));
    SLUICE_TRY(ScanShape shape, shape_of(e, options));
    Dataset d;
    d.path = path;
    d.format = "stempy";
    d.files = {path};
    d.dtype = DType::u16;
    d.rows = e.rows, d.cols = e.cols;
    d.frames = shape.frames;
    d.missing = shape.missing;
    d.missing_runs = std::move(shape.missing_runs);
    d.scan = shape.grid;
    d.scan_from = shape.from;
    d.notes = std::move(shape.notes);
    d.warnings = std::move(shape.warnings);
    d.notes.emplace_back(
        "the file lists the pixels that electrons hit; a pixel's value is how "
        "often it is listed");
    if (e.most_together > 1)
        d.notes.push_back(
            fmt::format("the file has up to {} lists for a point of the scan; a frame is their sum",
                        e.most_together));
    d.metadata.push_back({"lists of hits", fmt::format("{}", e.lists.size()), ""});
    d.source = frames_of(root, std::move(e));
    return d;
}

}  // namespace

bool recognises(std::string_view path, Bytes head) {
    if (!hdf5::recognises(path, head)) return false;
    auto const root = Object::open_file(std::string(path));
    if (!root) return false;
    auto const frames = root->find_link("/electron_events/frames");
    return frames && frames->has_value();
}

Result<Dataset> open(std::string const& path, OpenOptions const& options) {
    auto d = open_events(path, options);
    if (!d && d.error().file.empty()) d.error().file = path;
    return d;
}

}  // namespace sluice::stempy
