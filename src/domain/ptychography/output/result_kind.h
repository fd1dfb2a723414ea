// Attributes of the roots of result files, beside their kind.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice::ptycho {

/// Each array of the file has a digest.
inline constexpr char const* digests_attribute = "digests";
/// In front of the name of a setting.
inline constexpr char const* setting_prefix = "setting ";

}  // namespace sluice::ptycho
