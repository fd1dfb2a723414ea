// `sluice live`: what it is asked for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/live/arm_options.h"
#include "app/cli/live/ptychography.h"
#include "app/cli/live/strain.h"
#include "app/cli/live/stream_options.h"
#include "app/cli/stem4d/drift_output.h"
#include "domain/stem4d/fields.h"
#include "sluice/stem4d_live.h"

namespace sluice::cli {

struct LiveCommand {
    std::string address;
    StreamWords stream;
    ArmWords arm;
    std::string scan;   ///< "64x64"; empty: what the stream says, or a square
    index scans = 1;    ///< 0: until Ctrl-C
    double wait_s = 0;  ///< for a scan to begin; 0: for ever
    index disk_frames = 64;
    stem4d::ImagesWish images = {.detectors = {"bf", "adf"}};
    stem4d::MomentsWish moments = {};
    stem4d::PhaseWish phase = {};
    index ricom = 0;    ///< its kernel; 0: none
    std::string drift;  ///< the detector whose images show drift; empty: "bf", or the first
    bool correct_drift = false;              ///< also the mean without it
    std::optional<DriftOutput> drifts = {};  ///< where several scans are received
    std::optional<Error> late_error = {};    ///< the first one, when the command goes on
    StrainWish strain = {};
    PtychographyWish ptychography = {};
    Stem4dJob job;
    stem4d::References references = {};  ///< those that the job names
};

/// What a live scan is analysed for.
Result<stem4d::AnalysisPlan> live_plan(LiveCommand const& command);

/// Of the images of a plan the one that shows drift, if any. Errors: there is no such detector, or
/// one scan alone.
Result<std::optional<std::size_t>> drift_image(LiveCommand const& command,
                                               stem4d::AnalysisPlan const& plan);
/// Adds the drift of a scan to its report, and saves the table of all scans.
Status add_drift_of(LiveCommand& command, stem4d::AnalysisPlan const& plan,
                    std::vector<ResultImage> const& images, Scan const& scan, JobReport& report);
/// Writes the mean without drift, where it was asked for.
Status finish_drift(LiveCommand& command);

/// Analyses one scan and writes its results into `folder`.
Status run_live_scan(LiveCommand& command, stem4d::LiveScan& live, std::string const& folder);

/// Add the verbs.
void add_live(Verb const& program, int& exit_code);
void add_detector(Verb const& program, int& exit_code);

}  // namespace sluice::cli
