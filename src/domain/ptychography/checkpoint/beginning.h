// Beginning: inputs that only decide how a reconstruction begins; a resumed one must agree in them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/ptychography_settings.h"

namespace sluice::ptycho {

/// Wavelength, pixel and distance of the patterns, and the probe, object and positions given to
/// begin with, by name. Of an array these are some sums, so that roundings of another machine do
/// not matter.
stem4d::SettingTexts beginning_of(stem4d::Patterns const& patterns,
                                  stem4d::PtychographyOptions const& options);

/// Whether two texts of beginning_of() tell the same beginning, but for roundings.
bool same_beginning(std::string const& before, std::string const& now);

/// Where the part of that name comes from, for errors.
std::string what_makes(std::string const& name);

}  // namespace sluice::ptycho
