// What `sluice live --record` writes of a series.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/live/command.h"
#include "app/cli/stem4d/job.h"
#include "net/recorder.h"

namespace sluice::cli {

/// Before anything is received: whether the files can be made. With several scans each has a name
/// of its own.
Status check_record(LiveCommand const& command);
/// The prefix of a scan's files, number `number` from 0.
std::string record_prefix(LiveCommand const& command, index number);

/// The recorder of a series; empty: it is not asked for, or cannot be made, which is told.
std::unique_ptr<net::Recorder> make_recorder(LiveCommand& command, net::Series const& series,
                                             LivePath const& path, std::string const& prefix);
/// Finishes the files. What is not in them is told, and kept for the exit status.
void finish_record(LiveCommand& command, net::Recorder& recorder, std::string const& how,
                   JobReport& report);

}  // namespace sluice::cli
