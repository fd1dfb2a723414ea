// Fields: the tables of all settings. TOML files, command lines, sweeps, checkpoints and Python go
// through them, so that a new setting is a member, and a line in fields.cpp.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "sluice/ptychography.h"

namespace sluice::ptycho {

using stem4d::PtychographyOptions;
using stem4d::PtychographyStage;

config::Fields<PtychographyStage> stage_fields();
config::Fields<PtychographyOptions> option_fields();

}  // namespace sluice::ptycho
