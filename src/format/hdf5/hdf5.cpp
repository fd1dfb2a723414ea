// Opening plain HDF5.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/hdf5.h"

#include <fmt/format.h>

#include "format/described.h"
#include "format/hdf5/axis_steps.h"
#include "format/hdf5/axis_words.h"
#include "format/hdf5/frames.h"
#include "format/hdf5/object/value.h"
#include "format/hdf5/search.h"
#include "format/kinds/kinds.h"
#include "format/kinds/ptychography.h"
#include "format/scan_shape.h"
#include "format/while_written.h"

namespace sluice::hdf5 {
namespace {

/// The attribute of the dataset, of its group or of the file.
Result<std::optional<ScanGrid>> scan_attribute(object::Object const& file, StoredDataset const& d) {
    SLUICE_TRY(auto const homes, homes_of(file, d));
    for (Home const& home : homes)
        for (std::string const& at : {home.path, home.group(), std::string("/")}) {
            SLUICE_TRY(auto const o, home.root.find(at));
            if (!o) continue;
            SLUICE_TRY(auto const v, object::attribute_numbers(*o, "scan_shape"));
            if (auto const grid = grid_of(v)) return grid;
        }
    return std::optional<ScanGrid>{};
}

Result<ScanShape> scan_of(StoredDataset const& d, boxes::FrameAxes const& axes,
                          object::Object const& file, FrameParts const& parts,
                          OpenOptions const& options) {
    ScanQuery q;
    q.present = parts.present();
    q.expected = parts.count;
    q.holes = parts.holes();
    q.user = options.scan_shape;
    q.allow_incomplete = options.allow_incomplete;
    q.fill_is_no_count = parts.fill_is_no_count(d.dtype, false);
    SLUICE_TRY(q.attribute, scan_attribute(file, d));
    if (axes.scan.size() == 2) {
        q.attribute = ScanGrid{static_cast<index>(d.extent[axes.scan[0]]),
                               static_cast<index>(d.extent[axes.scan[1]])};
        q.attribute_from = shape_of_dataset;
    }
    return resolve_scan_shape(q);
}

Result<Dataset> open_dataset(object::Object const& file, std::string const& path,
                             OpenOptions const& options) {
    std::string name = options.format.of<Hdf5Options>().dataset;
    if (name.empty()) {
        SLUICE_TRY(name, only_frames(file, path));
    }
    SLUICE_TRY(StoredDataset const stored, describe(file, name));
    if (stored.rank() > 4)
        return Error{Code::unsupported,
                     fmt::format("the dataset {} has the shape {} (3 or 4 dimensions are read)",
                                 name, shape_text(stored.extent))};
    SLUICE_TRY(ChosenAxes const chosen, choose_axes(file, stored, options.axis_order));
    bool const usual = chosen.axes == boxes::usual_axes(stored.rank());
    Opening opening;
    opening.allow_incomplete = options.allow_incomplete;
    note_growth(stored);
    if (WhileWritten::now() && !usual) return not_frame_by_frame(stored);
    SLUICE_TRY(FrameParts parts, usual ? frames_of(stored, {0, 1, stored.frames()}, opening)
                                       : frames_in_order(stored, chosen.axes, opening));
    SLUICE_TRY(ScanShape scan, scan_of(stored, chosen.axes, file, parts, options));
    Dataset d;
    d.path = path;
    d.format = "hdf5";
    d.files = {path};
    for (std::string const& f : opening.files) add_note(d.files, f);
    d.dtype = stored.dtype;
    d.rows = static_cast<index>(stored.extent[chosen.axes.row]);
    d.cols = static_cast<index>(stored.extent[chosen.axes.col]);
    d.frames = scan.frames;
    d.missing = scan.missing;
    d.missing_runs = std::move(scan.missing_runs);
    d.scan = scan.grid;
    d.scan_from = std::move(scan.from);
    d.notes = std::move(opening.notes);
    for (std::string& n : scan.notes) add_note(d.notes, std::move(n));
    d.warnings = std::move(scan.warnings);
    if (!chosen.from.empty())
        add_note(d.notes, fmt::format("the axes of {} are read as {}, {}", name,
                                      boxes::axes_text(chosen.axes), chosen.from));
    d.metadata = {{"dataset", name, ""},
                  {"stored as", stored.stored_type, ""},
                  {"filters", filter_names(stored), ""}};
    SLUICE_TRY(AxisSteps steps, axis_steps(file, stored, chosen.axes));
    d.scan_step_nm = steps.scan_nm;
    d.detector_step_mrad = steps.detector_mrad;
    d.detector_step_per_nm = steps.detector_per_nm;
    d.energy_kv = steps.energy_kv;
    d.semiangle_mrad = steps.semiangle_mrad;
    d.camera_length_mm = steps.camera_length_mm;
    if (steps.turn && !usual)
        steps.notes.emplace_back(
            "QR_rotation and QR_flip of py4DSTEM's calibration are left out, since the axes are "
            "read in another order");
    else
        d.detector_turn = steps.turn;
    for (std::string& n : steps.notes) add_note(d.notes, std::move(n));
    SLUICE_TRY(auto const spectra, file.find_link("/Data/SpectrumStream"));
    if (spectra && name.starts_with("/Data/Image/"))
        add_note(d.notes,
                 "the spectrum streams of Velox in the file are left alone: they are no frames");
    // Of scans that Sluice converted: what HDF5's formats have no places for.
    SLUICE_TRY(auto const more, object::read_text(file, "/sluice_scan/description"));
    if (more && usual) take_description(*more, d);
    d.source = std::make_shared<PartSource>(std::move(parts.parts), std::move(parts.fill));
    return d;
}

}  // namespace

bool recognises(std::string_view path, Bytes head) {
    if (has_signature(ReadMemory(head))) return true;
    // A user block may be longer than the head.
    auto const file = File::open(std::string(path));
    return file && has_signature(ReadFile(*file));
}

Result<Dataset> open(std::string const& path, OpenOptions const& options) {
    SLUICE_TRY(auto const file, object::Object::open_file(path));
    // Arrays of a result are not frames, unless the caller names one of them.
    if (options.format.of<Hdf5Options>().dataset.empty()) {
        auto const kind = ptychography_file(file);
        if (kind && *kind != PtychographyFile::other) return no_such_kind(path, kinds::scan);
    }
    auto d = open_dataset(file, path, options);
    if (!d && d.error().file.empty()) d.error().file = path;
    return d;
}

}  // namespace sluice::hdf5
