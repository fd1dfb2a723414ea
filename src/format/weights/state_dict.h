// The tensors of a checkpoint, whatever they are wrapped in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/weights/pickle.h"
#include "format/weights/weights.h"

namespace sluice::weights {

/// Where the bytes of a storage begin in the file, and their CRC-32; 0: none is known.
struct StoredAt {
    std::uint64_t at = 0;
    std::uint32_t crc = 0;
};

/// The named tensors of a pickle, whose storages are `stored`. Says in the notes of `out` what was
/// unwrapped and left out.
Status take_tensors(Pickle const& pickle, std::vector<StoredAt> const& stored, Weights& out);

/// An error if a name is not printable or occurs twice.
Status check_names(Weights const& weights);

}  // namespace sluice::weights
