// Options by name, and which of them must equal those of a checkpoint.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/ptychography_settings.h"

namespace sluice::ptycho {

/// The options that change the result, as ("modes", "2") and ("stage 1 solver", "dm").
stem4d::SettingTexts named_options(stem4d::PtychographyOptions const& options);

/// Whether a value of that name may differ when work goes on in `stage` (from 0): the iterations of
/// that stage, and all of the stages after it.
bool may_differ(std::string const& name, index stage);

}  // namespace sluice::ptycho
