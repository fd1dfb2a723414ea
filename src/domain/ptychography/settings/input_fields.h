// Fields: the tables of what a reconstruction begins with, and of sweeps. Command lines and Python
// go through them; no checkpoint does.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "sluice/optics.h"
#include "sluice/ptychography_file.h"
#include "sluice/ptychography_search.h"

namespace sluice::ptycho {

/// How the frames of a scan become patterns. Positions are an array, and no text.
config::Fields<stem4d::PatternsOptions> pattern_fields();
/// How those of a file of patterns do.
config::Fields<stem4d::PatternFileOptions> pattern_file_fields();
/// The probe. C12 is one of the aberrations; a vacuum image is an array, and no text.
config::Fields<optics::ProbeOptics> probe_fields();
config::Fields<stem4d::SweepOptions> sweep_fields();

}  // namespace sluice::ptycho
