// Chooses the setting of a space group that a CIF names without its operations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/cif/block.h"
#include "domain/crystal/gemmi/tables.h"

namespace sluice::crystal::cif {

struct NamedGroup {
    std::string_view name;  ///< Hermann-Mauguin's; empty: not stated
    int number = 0;         ///< 0: not stated
    char choice = 0;        ///< of an origin or of axes; 0: not stated
};

/// The setting that fits the lengths and angles of the cell and what the block says of its atoms.
/// Notes tell which it is and what it was chosen for. Empty where there is none.
std::optional<GroupSetting> choose_setting(NamedGroup const& group, Block const& block,
                                           stem4d::UnitCell& cell);

}  // namespace sluice::crystal::cif
