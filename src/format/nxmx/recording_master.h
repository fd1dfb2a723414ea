// The master of a recording: what a stream says of a series, and nothing that it does not say.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/nxmx/recording.h"

namespace sluice::nxmx {

/// The group of what only recordings have.
inline constexpr char const* recording_group = "/entry/recording";

void write_recording_master(H5Writer& h5, RecordedSeries const& series);

}  // namespace sluice::nxmx
