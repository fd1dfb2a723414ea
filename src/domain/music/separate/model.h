// The parts of a loaded model.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/music/chunk_separator.h"
#include "sluice/music_separate.h"

namespace sluice::music {

struct Model::State {
    std::string name;
    std::unique_ptr<ChunkSeparator> network;
    Device device = Device::cpu();
    std::string chosen;                    ///< by the engine
    std::vector<std::string> stems;        ///< that the network gives
    std::vector<std::string> instruments;  ///< of the YAML, which may name one more
    std::vector<std::string> notes;
    int rate = 44'100;
    std::optional<index> overlap;  ///< of the YAML
    Arithmetic arithmetic = Arithmetic::fp32;
    std::string why;  ///< of an automatic one
    int threads = 1;
    std::uint64_t memory = 0;
};

}  // namespace sluice::music
