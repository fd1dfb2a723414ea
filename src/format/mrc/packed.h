// Stacks of MRCZ: each section is packed by Blosc on its own.
// Source: the specification of MRCZ, python-mrcz (BSD), doc/specification.rst.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "format/mrc/mrc.h"
#include "sluice/source.h"

namespace sluice::mrc {

/// Where the packed sections lie: one behind the other, and each says its length.
struct PackedPlaces {
    std::vector<std::uint64_t> begin = {};  ///< of each section, and the end of the last one
    index sections() const { return static_cast<index>(begin.size()) - 1; }
};
/// Errors: a length that cannot be. The file may end before its sections do.
Result<PackedPlaces> find_sections(Source const& file, Header const& h);

std::shared_ptr<FrameSource const> packed_frames(std::shared_ptr<Source const> file,
                                                 PackedPlaces places, Header const& h);

}  // namespace sluice::mrc
