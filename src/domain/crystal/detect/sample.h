// A sample of a scan's patterns, on which things are decided that hold for all of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/detect/finder.h"
#include "sluice/stem4d.h"

namespace sluice::crystal {

struct Sample {
    std::vector<index> frames;   ///< of the scan, ascending
    std::vector<float> counts;   ///< [frame][row][col]
    std::array<index, 2> shape;  ///< of a pattern

    index pixels() const { return shape[0] * shape[1]; }
    float const* pattern(index i) const { return counts.data() + i * pixels(); }
};

/// At most 256 frames that were measured, and fewer of large detectors, spread over the scan. Fails
/// where no frame was measured.
Result<Sample> read_sample(Scan const& scan, stem4d::Options const& run);

/// Bytes that read_sample() takes of a scan of so many frames: values of the files, and counts.
std::uint64_t sample_bytes(index frames, index pixels, index value_bytes);

/// The pixels of a scan that weigh nothing: [row][col] as loaded, 1: bad. Beside bad pixels these
/// are sums of bins that lack some of their pixels.
std::vector<std::uint8_t> weightless(Scan const& scan);

/// The disks of each pattern of a sample.
Result<std::vector<FoundPattern>> find_in(Sample const& sample, FinderSetup const& setup,
                                          Device const& device);

/// The disks of a sample as those of a scan of one row.
stem4d::BraggVectors columns_of(Scan const& scan, std::span<FoundPattern const> found);

}  // namespace sluice::crystal
