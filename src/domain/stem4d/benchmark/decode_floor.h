// The floor under loading: LZ4's own time for the same blocks, without anything else.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/scan.h"

namespace sluice::stem4d {

/// The encoded frames of a dataset in memory, ready to be decompressed again and again.
class DecodeFloor {
  public:
    /// Reads all frames; fails unless they are bitshuffle+LZ4.
    static Result<DecodeFloor> read(Dataset const& dataset);

    /// Decompresses every block that holds a detector row of [first_row, last_row), on `threads`
    /// threads, each into one buffer that stays in the cache.
    Status decode(index first_row, index last_row, int threads) const;

  private:
    index rows_ = 0, cols_ = 0;
    int bytes_ = 1;
    std::vector<std::byte> memory_;
    std::vector<Bytes> frames_;
};

}  // namespace sluice::stem4d
