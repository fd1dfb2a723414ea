// Spool: samples that wait on the disk, as for a gain that only their end tells.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "base/scratch_file.h"

namespace sluice::audio {

/// Frames of floats in a file without a name: nothing is left of it, however the process ends.
/// Memory does not grow with their number. For one thread at a time.
class Spool {
  public:
    /// `folder` is where the file is, on the disk that has room for it.
    static Result<Spool> create(std::string const& folder, index channels);

    /// Adds frames as [frames][channels]. Error where the disk is full.
    Status write(std::span<float const> block);
    /// Frames from `first` on into `block`: how many there are, fewer than it holds only at the
    /// end.
    Result<index> read(index first, std::span<float> block) const;

    index frames() const { return frames_; }
    float peak() const { return peak_; }  ///< the largest magnitude

  private:
    Spool(ScratchFile file, index channels) : file_(std::move(file)), channels_(channels) {}

    ScratchFile file_;
    index channels_, frames_ = 0;
    float peak_ = 0;
};

}  // namespace sluice::audio
