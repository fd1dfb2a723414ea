// Whether a detector, its network, this machine and its disk keep up with each other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice {

/// A detector of electrons, as its maker or a paper has it.
struct DetectorModel {
    std::string name;
    index rows = 0, cols = 0;
    int bits = 16;          ///< of a pixel where it is stored
    double most_per_s = 0;  ///< frames a second at most, or hits; 0: no source says it
    double hit_bytes = 0;   ///< of an event; 0: it makes frames
    std::string source = {};

    bool hits() const { return hit_bytes > 0; }
    /// Bytes of a frame, or of a hit.
    double bytes() const;
};

std::span<DetectorModel const> known_detectors();
/// "ARINA", or one that is not in the table: "256x256x16", rows, columns and bits.
Result<DetectorModel> find_detector(std::string const& text);

/// A network, and the bytes of data that it carries in a second.
struct NetworkModel {
    std::string name;
    double bytes_per_s = 0;
};
/// Ethernet from 1 to 100 Gbit/s; TCP in frames of 1500 bytes leaves 1460 of 1538 for data.
std::span<NetworkModel const> known_networks();

struct AcquisitionOptions {
    double rate = 0;                ///< frames or hits a second; 0: the detector's most
    double compression = 1;         ///< how many times smaller the detector sends its frames
    NetworkModel network = {};      ///< without a rate it is left out
    double decode_bytes_per_s = 0;  ///< of values; 0: it is left out
    double disk_bytes_per_s = 0;    ///< likewise
    std::string decode_basis = {}, disk_basis = {};
};

/// One link of the chain, by itself.
struct AcquisitionStage {
    std::string name;         ///< "detector", "network", "decoding", "disk"
    double needed_per_s = 0;  ///< bytes a second that have to pass
    double can_per_s = 0;     ///< and that can
    double frames_per_s = 0;  ///< frames or hits that can pass
    double room = 0;          ///< can over needed; below 1 it breaks
    std::string basis = {};
};

struct AcquisitionPlan {
    DetectorModel detector;
    double rate = 0;
    std::vector<AcquisitionStage> stages = {};
    std::size_t least = 0;  ///< the stage that breaks first
    bool breaks = false;    ///< it does at this rate
    std::vector<std::string> advice = {};
};

/// Fails where no rate is known, or a number makes no sense.
Result<AcquisitionPlan> plan_acquisition(DetectorModel const& detector,
                                         AcquisitionOptions const& options);

/// What this machine decodes and its disk writes, measured in two seconds. `folder` is on the disk;
/// nothing is left there. Rates that are given already are kept.
Status measure_acquisition(AcquisitionOptions& options, std::string const& folder, int threads);

}  // namespace sluice
