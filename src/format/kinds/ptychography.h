// What files of ptychography say that they are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/kinds/look.h"

namespace sluice {

/// The attribute "kind" of the root group.
inline constexpr char const* result_kind = "ptychography result";
inline constexpr char const* checkpoint_kind = "ptychography checkpoint";

/// What a file says that it is.
enum class PtychographyFile : std::uint8_t { result, checkpoint, other };
Result<PtychographyFile> ptychography_file(hdf5::object::Object const& root);

/// Patterns with the place of each.
enum class PatternForm : std::uint8_t { npz, ptyd, cxi };
std::optional<PatternForm> pattern_form(Look const& look);

}  // namespace sluice
