// Orientation maps: HDF5 files that say so.
// SPDX-License-Identifier: Apache-2.0
#include "format/kinds/orientations.h"

#include "format/hdf5/object/value.h"
#include "format/kinds/kinds.h"

namespace sluice {

bool is_orientations(hdf5::object::Object const& root) {
    auto const kind = hdf5::object::attribute_text(root, "kind");
    return kind && *kind && **kind == orientations_kind;
}

namespace {

bool has_orientations(Look const& look) {
    auto const& root = look.hdf5();
    return root && is_orientations(*root);
}

}  // namespace

constinit ContentKind const kinds::orientations{
    "orientations", "map of orientations", "HDF5",
    "`sluice info` reads it, and load_orientations() in Python and C++", has_orientations};

}  // namespace sluice
