// The recording of a series beside its picture.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/live/live_path.h"
#include "net/recorder.h"

namespace sluice::live {

/// Before anything is received: whether the files can be made.
Status check_record(RecordOptions const& options);

/// The recorder of a series, number `number` from 0.
Result<std::unique_ptr<net::Recorder>> make_recorder(stem4d::LiveOptions const& options,
                                                     net::Series const& series,
                                                     LivePath const& path, index number);

}  // namespace sluice::live
