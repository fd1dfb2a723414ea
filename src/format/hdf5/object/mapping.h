// The mappings of a virtual dataset: which elements of which files it shows where.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/object/dataset.h"
#include "format/hdf5/object/region.h"

namespace sluice::hdf5::object {

struct VirtualMapping {
    std::string file, path;  ///< "." is the file of the virtual dataset itself; see block_name()
    Region there = {};       ///< of the source
    Region here = {};        ///< of the virtual dataset
};

/// All mappings, in the order of the file. `layout` is of LayoutClass::mapped.
Result<std::vector<VirtualMapping>> virtual_mappings(Source const& source, Layout const& layout);

/// Whether a name numbers files or datasets by block ("%b").
bool has_block_number(std::string const& name);
/// The name for a block: "%b" becomes its number and "%%" a percent sign.
std::string block_name(std::string const& name, std::uint64_t block);

}  // namespace sluice::hdf5::object
