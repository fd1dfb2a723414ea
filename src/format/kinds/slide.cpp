// Slides: CZI files and folders of OME-Zarr.
// SPDX-License-Identifier: Apache-2.0
#include "format/kinds/kinds.h"
#include "format/zarr/zarr.h"
#include "zarr/group.h"

namespace sluice {
namespace {

// A file that is only called a CZI is one, too: its reader says what is wrong with it.
bool is_slide(Look const& look) {
    // A folder of Zarr that has frames, and says nothing of images, is a scan.
    if (look.is_folder())
        return zarr::is_node(look.path()) && !zarr_scan::recognises(look.path(), {});
    return look.begins("ZISRAWFILE") || look.ending() == ".czi";
}

}  // namespace

constinit ContentKind const kinds::slide{"slide", "microscope slide", "CZI, OME-Zarr",
                                         "`sluice info`, `sluice view` and `sluice slide` read it",
                                         is_slide};

}  // namespace sluice
