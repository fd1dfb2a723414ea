// Belongs: whether patterns are those that a checkpoint was begun with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/counts.h"
#include "domain/ptychography/share.h"
#include "sluice/ptychography_settings.h"

namespace sluice::ptycho {

/// What a checkpoint belongs to.
struct Belongs {
    std::uint64_t patterns = 0;        ///< the counts, and which pixels have none
    std::uint64_t positions = 0;       ///< as they were given
    stem4d::SettingTexts begins = {};  ///< beginning_of()
};
/// The answer is the same on all ranks, for any number of them. Counts must lie row by row.
Belongs belongs_to(Measured const& measured, Share const& share,
                   stem4d::PtychographyOptions const& options);

}  // namespace sluice::ptycho
