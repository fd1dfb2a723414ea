// StreamOptions, ScanPath: how the stream of a detector is heard, and which scan its images make.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sluice/view.h"

namespace sluice {

enum class StreamProtocol : std::uint8_t {
    by_port,     ///< 9999: dectris_v1; 6342: merlin; any other one: dectris_v2
    dectris_v2,  ///< DECTRIS Stream V2: ZeroMQ and CBOR, of firmware 2022.1 and later
    dectris_v1,  ///< DECTRIS Stream V1 (SIMPLON): ZeroMQ, JSON and binary parts
    merlin,      ///< Quantum Detectors Merlin: TCP and frames as of MIB files
};

struct StreamOptions {
    StreamProtocol protocol = StreamProtocol::by_port;
    std::string channel = {};  ///< by its name; empty: the only one
    /// The number of a series' first image; empty: the protocol's usual one. It is not taken from
    /// what comes first: that may be the second one, and every pattern would be at the wrong place.
    std::optional<index> first_image = {};
    int queue = 256;         ///< messages that wait in the socket, beside the ring
    double patience_s = 10;  ///< a series whose sender is silent for so long has ended
};

enum class ScanOrder : std::uint8_t {
    raster,      ///< every row from its first point
    serpentine,  ///< every second row from its last point
};

struct ScanPath {
    std::array<index, 2> scan = {};
    ScanOrder order = ScanOrder::raster;
    index flyback = 0;               ///< images after each row that belong to no point
    std::vector<index> points = {};  ///< instead of both: [image] the number of its point, or -1
};

/// What was wrong with what came.
struct StreamProblem {
    std::string what;  ///< "images that came twice"
    index count = 0;
    std::string first;  ///< of them, in words
};
/// "images that came twice: 3 (the first: image 17)".
std::string text_of(StreamProblem const& problem);

/// Whether to go on waiting.
using GoOn = std::function<bool()>;

}  // namespace sluice
