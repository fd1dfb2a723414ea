// Spool: samples that wait on the disk, as for a gain that only their end tells.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::audio {

/// Frames of floats in a file without a name: nothing is left of it, however the process ends.
/// Memory does not grow with their number. For one thread at a time.
class Spool {
  public:
    /// `folder` is where the file is, on the disk that has room for it.
    static Result<Spool> create(std::string const& folder, index channels);
    Spool(Spool&& other) noexcept;
    Spool& operator=(Spool&&) = delete;
    ~Spool();

    /// Adds frames as [frames][channels]. Error where the disk is full.
    Status write(std::span<float const> block);
    /// Frames from `first` on into `block`: how many there are, fewer than it holds only at the
    /// end.
    Result<index> read(index first, std::span<float> block) const;

    index frames() const { return frames_; }
    float peak() const { return peak_; }  ///< the largest magnitude

  private:
    Spool() = default;

    std::string folder_;
    index channels_ = 0, frames_ = 0;
    float peak_ = 0;
    int fd_ = -1;
};

}  // namespace sluice::audio
