// ContentKind: what a file or a folder is. kinds.cpp has the only list of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "format/kinds/look.h"

namespace sluice {

struct ContentKind {
    std::string_view name;     ///< a word or two: "slide"
    std::string_view title;    ///< what messages call it behind "a": "microscope slide"
    std::string_view formats;  ///< "CZI, OME-Zarr"; of scans the table of formats says them
    std::string_view readers;  ///< the commands that read it, as a message has them
    bool (*recognises)(Look const& look);
};

namespace kinds {
extern ContentKind const slide, reconstruction, checkpoint, patterns, vectors, orientations,
    crystal_calibration, dose, plan_dose, plan, machine, structures, volume, model, song, scan;
}  // namespace kinds

/// All kinds, in the order in which they are asked: the first one that says yes is what the file
/// is. An HDF5 file that says what it is stands before scans, which any HDF5 file may be. An NPY
/// file is a scan; load_volume() reads it as a volume where the caller says so.
std::span<ContentKind const* const> all_kinds();

/// Nothing where no kind recognises the file.
ContentKind const* kind_of(Look const& look);
ContentKind const* kind_of(std::string const& path);

/// The files in a folder that a kind recognises, by their names, without those that are still being
/// written. Empty where the folder cannot be listed.
std::vector<std::string> files_of(ContentKind const& kind, std::string const& folder);

/// Why a path is not opened as `wanted`: it cannot be read, it is of another kind and which command
/// reads that, it is a file of another program, or it begins like nothing that is known.
Error no_such_kind(Look const& look, ContentKind const& wanted);
Error no_such_kind(std::string const& path, ContentKind const& wanted);

}  // namespace sluice
