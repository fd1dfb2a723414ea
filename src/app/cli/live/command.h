// `sluice live`: what it is asked for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/stem4d/job.h"
#include "domain/stem4d/fields.h"
#include "net/receiver.h"
#include "net/scan_path.h"
#include "sluice/stem4d_live.h"

namespace sluice::cli {

struct LiveCommand {
    std::string address;
    net::StreamOptions stream = {};
    std::string scan;  ///< "64x64"; empty: what the stream says, or a square
    net::Order order = net::Order::raster;
    index flyback = 0;
    std::string positions;  ///< NPY [image][row, column]
    index scans = 1;        ///< 0: until Ctrl-C
    double wait_s = 0;      ///< for a scan to begin; 0: for ever
    index disk_frames = 64;
    index reorder = 4096;
    std::string record;                      ///< prefix of the files of a recording; empty: none
    index images_per_file = 10000;           ///< of a recording
    std::optional<Error> record_error = {};  ///< the first one, when the command goes on
    stem4d::ImagesWish images = {.detectors = {"bf", "adf"}};
    stem4d::MomentsWish moments = {};
    Stem4dJob job;
};

/// What a live scan is analysed for.
Result<stem4d::AnalysisPlan> live_plan(LiveCommand const& command);
/// The order of a series' images, and who said the shape of the scan.
struct LivePath {
    net::ScanPath path = {};
    std::string scan_from = {};
    std::vector<std::string> notes = {};
};
Result<LivePath> live_path(LiveCommand const& command, net::Series const& series);

/// Bytes of images that may wait to be looked at; and as many to be recorded.
std::uint64_t budget_of(LiveCommand const& command);

/// Receives one series, number `number` from 0, and writes its results into `folder`.
Status run_live_scan(LiveCommand& command, net::Receiver& receiver, net::Series const& series,
                     std::string const& folder, index number);

/// Adds the verb.
void add_live(Verb const& program, int& exit_code);

}  // namespace sluice::cli
