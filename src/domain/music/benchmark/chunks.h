// What `sluice music benchmark` times: a chunk through the network, and one read of the model.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/contestant.h"
#include "domain/music/engine.h"

namespace sluice::music {

/// What is timed: every combination of these.
struct BenchmarkGrid {
    std::vector<Precision> precisions = {Precision::fp32};
    Device device = Device::cpu();
    std::vector<int> threads = {0};  ///< of a processor; 0: as many as the device says
    std::vector<index> batches = {1};
};

/// A model that is timed: a file's, or one without training.
struct BenchmarkModel {
    std::string name;
    weights::Weights weights;
    Inspection inspection;
};

/// Two channels [2][samples] of tones, noise and beats, the same for the same seed: what a network
/// hears does not change how long it takes, but answers are compared on it.
std::vector<float> test_sound(index samples, std::uint64_t seed);

/// The networks, loaded. Contestants of one precision are one contest: neither threads nor batches
/// may change a bit. They hold what they need.
struct ChunkContest {
    std::vector<bench::Contestant> all;
    std::vector<float> mix;  ///< [2][samples], what every chunk of them is
    index samples = 0;
    double flop = 0;  ///< of a chunk
    /// [stems][2][samples] of the first contestant of a precision.
    std::function<Result<std::vector<float>>(Precision)> stems;
};
Result<ChunkContest> chunk_contest(BenchmarkModel const& model, Chunk const& chunk,
                                   BenchmarkGrid const& grid);

}  // namespace sluice::music
