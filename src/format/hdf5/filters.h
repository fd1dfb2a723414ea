// The detector filters for libhdf5, for datasets whose chunks are not frames.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace sluice::hdf5 {

/// The numbers that the HDF Group registered.
constexpr int filter_bitshuffle = 32008;
constexpr int filter_lz4 = 32004;

/// Lets libhdf5 use bitshuffle and LZ4 where no plugin does. Needs the LibraryLock.
void register_filters();

/// While it lives, these filters refuse chunks that do not decode to `bytes`: libhdf5 would read
/// behind the end of shorter ones. Needs the LibraryLock.
class ExpectedChunk {
  public:
    explicit ExpectedChunk(std::size_t bytes);
    ExpectedChunk(ExpectedChunk const&) = delete;
    ~ExpectedChunk();
};

}  // namespace sluice::hdf5
