// What a file of a result says of itself, in attributes of its root.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice::ptycho {

inline constexpr char const* result_kind = "ptychography result";
/// In front of the name of a setting.
inline constexpr char const* setting_prefix = "setting ";

}  // namespace sluice::ptycho
