// The units of axes: lengths in nm, angles in mrad, frequencies in 1/nm.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace sluice::hdf5 {

/// Lower case, and without what only decorates: "[1_/_n_m]" is "1/nm", "$nm^{-1}$" is "nm^-1".
std::string plain_word(std::string const& text);

/// How many nm, mrad or 1/nm one of a unit is, which is as plain_word() leaves it; nothing for
/// other units.
std::optional<double> nm_of(std::string const& unit);
std::optional<double> mrad_of(std::string const& unit);
std::optional<double> per_nm_of(std::string const& unit);

}  // namespace sluice::hdf5
