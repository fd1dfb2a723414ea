// How other tools cut a song and join its chunks, written down plainly: whole songs in memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "domain/music/chunk_separator.h"

namespace sluice::music {

/// [lane][sample]
using Lanes = std::vector<std::vector<float>>;

/// kuielab, UVR and audio-separator.
Lanes uvr_demix(ChunkSeparator& network, Lanes const& mix, index overlap);
/// MSST with inference.batch_size 1.
Lanes msst_demix(ChunkSeparator& network, Lanes const& mix, index overlap);
/// The chunks that the first number of these ran through the network.
index uvr_chunks(index chunk, index overlap, index length);
index msst_chunks(index chunk, index overlap, index length);

}  // namespace sluice::music
