// StreamOptions, ScanPath: how a detector's stream or files are heard, and which scan they make.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sluice/open_options.h"
#include "sluice/tpx3_options.h"

namespace sluice {

enum class StreamProtocol : std::uint8_t {
    by_port,     ///< 9999: dectris_v1; 6342: merlin; any other one: dectris_v2
    dectris_v2,  ///< DECTRIS Stream V2: ZeroMQ and CBOR, of firmware 2022.1 and later
    dectris_v1,  ///< DECTRIS Stream V1 (SIMPLON): ZeroMQ, JSON and binary parts
    merlin,      ///< Quantum Detectors Merlin: TCP and frames as of MIB files
    timepix3,    ///< Timepix3 readouts: TCP and packets of hits (TPX3)
};

struct StreamOptions {
    StreamProtocol protocol = StreamProtocol::by_port;
    std::string channel = {};  ///< by its name; empty: the only one
    /// The number of a series' first image; empty: the protocol's usual one. It is not taken from
    /// what comes first: that may be the second one, and every pattern would be at the wrong place.
    std::optional<index> first_image = {};
    /// Bytes of images that wait in the socket, beside the ring; 64 images in any case.
    std::uint64_t queue_bytes = std::uint64_t{256} << 20;
    double patience_s = 10;  ///< a series whose sender is silent for so long has ended
    /// Leaves out images whose hash is another than the stream says; of Stream V1.
    bool verify = false;
    /// Of paths instead of addresses: files that are read while they are written, and how. Streams
    /// of Timepix3 take theirs of it, too (Tpx3Options).
    OpenOptions open = {};
    bool existing = false;  ///< of a folder: what is in it already, too

    /// Of Timepix3: images of a line; 0: nobody said it. Live streams set it by the scan.
    index line_images = 0;
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

/// What is written of each series while it is looked at: the files that a DECTRIS detector writes.
struct RecordOptions {
    /// "run/scan" makes run/scan_master.h5 and run/scan_data_000001.h5 ...; empty: nothing is
    /// written. No file is replaced.
    std::string prefix = {};
    bool numbered = false;  ///< of several scans: run/scan_0001_master.h5 ...
    index images_per_file = 10000;
    /// Hears at once what goes wrong, in words; by any thread.
    std::function<void(std::string const&)> tell = {};
};

/// What became of the images of a series that is recorded.
struct RecordReport {
    index recorded = 0;
    index damaged = 0;       ///< cannot be decompressed, and are not written
    index not_recorded = 0;  ///< the disk was full, or stood still
    index outside = 0;       ///< numbers that the series did not announce
    std::uint64_t bytes = 0, most_bytes_waiting = 0;
    double waited_s = 0;                  ///< for the disk: nothing was read from the stream
    double write_s = 0;                   ///< processor time of the thread that writes
    std::string error = {};               ///< what the recording lacks something for
    std::vector<std::string> files = {};  ///< the master last
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
