// What files of results say of themselves beside their kind, in attributes of their roots.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice::ptycho {

/// Each array of the file has a digest.
inline constexpr char const* digests_attribute = "digests";
/// In front of the name of a setting.
inline constexpr char const* setting_prefix = "setting ";

}  // namespace sluice::ptycho
