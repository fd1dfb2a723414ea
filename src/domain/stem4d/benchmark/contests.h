// What `sluice stem4d benchmark` times: loading, analyses in memory, and analyses of files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "bench/report.h"
#include "domain/stem4d/benchmark/decode_floor.h"
#include "sluice/stem4d.h"

namespace sluice::stem4d {

/// Refuses a scan that is streamed: its times would not be those of a scan in memory.
Status expect_in_memory(Scan const& scan);

/// Loading what `open` opens anew in every round, and LZ4's own time for the same blocks. Details:
/// resident_bytes and float32_bytes.
Result<std::vector<bench::Contestant>> load_contestants(
    std::function<Result<Dataset>()> const& open, LoadOptions const& options);

/// Centre of mass, mean pattern and variance, of all pixels. Scan and options must live as long.
std::vector<bench::Contestant> whole_detector_contestants(Scan const& scan, Options const& options);

/// What a scan's tables give at once, and the same by a look at all of its frames: equal answers.
/// Scan and options, which must have a disk, must live as long.
std::vector<bench::Contestant> table_contestants(Scan const& scan, Options const& options);

/// Analyses of a scan in memory: each detector, one and all of sixteen rings and of sixteen annuli
/// (whose images must agree), and those of the whole detector. Scan and options, which must have a
/// disk, must live as long.
Result<std::vector<bench::Contestant>> memory_contestants(Scan const& scan,
                                                          std::vector<Detector> const& detectors,
                                                          Options const& options);

/// The same questions to a scan and to itself in another layout: equal answers, one contest each.
/// Scans and options, which must have a disk, must live as long.
std::vector<bench::Contestant> layout_contestants(Scan const& scan, Scan const& other,
                                                  std::vector<Detector> const& detectors,
                                                  Options const& options);

/// Each detector's image straight from the files, and LZ4's time for the blocks it touches; the
/// analyses of the whole detector. Scan,
/// floor and options, which must have a disk, must live as long.
Result<std::vector<bench::Contestant>> stream_contestants(Scan const& scan,
                                                          DecodeFloor const& floor,
                                                          std::vector<Detector> const& detectors,
                                                          Options const& options);

/// Of each contest of two, how many times as long the slower one took; contests whose times cannot
/// be trusted are left out.
std::vector<Finding> ratios(std::vector<bench::Measured> const& results);

}  // namespace sluice::stem4d
