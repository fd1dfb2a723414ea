// Opening plain HDF5.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/hdf5.h"

#include <fmt/format.h>

#include "format/hdf5/frames.h"
#include "format/hdf5/search.h"
#include "format/scan_shape.h"

namespace sluice::hdf5 {
namespace {

/// The attribute of the dataset, of its group or of the file.
std::optional<ScanGrid> scan_attribute(hid_t file, std::string const& path) {
    std::string const group = path.substr(0, path.find_last_of('/'));
    for (std::string const& at : {path, group, std::string("/")}) {
        Handle const object = open_object(file, at.empty() ? "/" : at);
        if (!object) continue;
        auto const v = attribute_numbers(object.id(), "scan_shape");
        if (v.size() == 2 && v[0] >= 1 && v[1] >= 1 && v[0] < 1e15 && v[1] < 1e15)
            return ScanGrid{static_cast<index>(v[0]), static_cast<index>(v[1])};
    }
    return {};
}

Result<ScanShape> scan_of(StoredDataset const& d, hid_t file, index present,
                          OpenOptions const& options) {
    ScanQuery q;
    q.present = present;
    q.expected = d.frames();
    q.user = options.scan_shape;
    q.allow_incomplete = options.allow_incomplete;
    q.attribute = scan_attribute(file, d.path);
    if (d.rank() == 4) {
        q.attribute = ScanGrid{static_cast<index>(d.extent[0]), static_cast<index>(d.extent[1])};
        q.attribute_from = "shape of the dataset";
    }
    return resolve_scan_shape(q);
}

}  // namespace

bool recognises(std::string_view, Bytes head) {
    return bool(read_superblock(ReadMemory(head)));
}

Result<Dataset> open(std::string const& path, OpenOptions const& options) {
    LibraryLock lock;
    SLUICE_TRY(Handle const file, open_file(path));
    std::string name = options.dataset;
    if (name.empty()) {
        SLUICE_TRY(name, only_frames(file.id(), path));
    }
    SLUICE_TRY(StoredDataset const stored, describe(file.id(), name));
    if (stored.rank() > 4)
        return Error{Code::unsupported,
                     fmt::format("the dataset {} has the shape {} (3 or 4 dimensions are read)",
                                 name, shape_text(stored.extent)),
                     path};
    Opening opening;
    opening.allow_incomplete = options.allow_incomplete;
    SLUICE_TRY(FrameParts parts, frames_of(stored, {0, 1, stored.frames()}, opening));
    auto scan = scan_of(stored, file.id(), parts.present, options);
    if (!scan) {
        if (scan.error().file.empty()) scan.error().file = path;
        return std::move(scan).error();
    }
    Dataset d;
    d.path = path;
    d.format = "hdf5";
    d.files = {path};
    for (std::string const& f : opening.files) add_note(d.files, f);
    d.dtype = stored.dtype;
    d.rows = stored.rows();
    d.cols = stored.cols();
    d.frames = scan->frames;
    d.missing = scan->missing;
    d.scan = scan->grid;
    d.scan_from = scan->from;
    d.notes = std::move(opening.notes);
    for (std::string& n : scan->notes) add_note(d.notes, std::move(n));
    d.metadata = {{"dataset", name, ""},
                  {"stored as", stored.stored_type, ""},
                  {"filters", filter_names(stored), ""}};
    d.source = std::make_shared<PartSource>(std::move(parts.parts));
    return d;
}

}  // namespace sluice::hdf5
