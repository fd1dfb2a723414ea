// ShownStructure: an organ or a target that the viewer draws, and what the page is told of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/wire.h"
#include "format/dicom/structure_parts.h"
#include "sluice/structures.h"

namespace sluice::app {

struct ShownStructure {
    std::string id;
    Structure structure;
    dicom::Stack stack = {};
    double volume_cm3 = 0;
    std::string why = {};  ///< it is not drawn; empty: it is
};

/// Adds those of a file to `all`; what they lack is said of each.
void add_structures(StructureSet set, std::vector<ShownStructure>& all);

/// What `hello` says of a structure (docs/protocol.md).
Json describe(ShownStructure const& s);

}  // namespace sluice::app
