// Structures by the names that people give, and the doses that they lie in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sluice/structures.h"
#include "sluice/volume.h"

namespace sluice::cli {

/// A structure under a name that no other one of its file has: where names are not, "NAME
/// (NUMBER)".
struct NamedStructure {
    std::string name;
    Structure structure;
};

struct NamedStructures {
    std::string path, frame_of_reference;
    std::vector<NamedStructure> all;
};
Result<NamedStructures> read_named_structures(std::string const& path);

/// Those of some names; a text may hold several names with commas between them. Each once. The
/// error says the nearest name.
Result<std::vector<NamedStructure const*>> chosen(NamedStructures const& of,
                                                  std::vector<std::string> const& names);

/// A dose of three axes out of any file; not a CT.
Result<Volume> load_dose_volume(std::string const& path);

/// Whether a dose lies in the coordinates of structures: an error where both tell theirs and they
/// differ; false where one does not tell.
Result<bool> check_coordinates(std::string const& dose, NamedStructures const& structures);

}  // namespace sluice::cli
