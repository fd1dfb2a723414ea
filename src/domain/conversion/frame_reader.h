// FrameReader: one thread's way to the values of consecutive frames of a scan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scan/frame_copier.h"

namespace sluice::conversion {

/// The scan must outlive it.
class FrameReader {
  public:
    explicit FrameReader(Scan const& scan);

    /// Values of frames first .. first + count - 1 of the scan as loaded, one after the other.
    Status read(index first, index count, std::byte* to);
    /// What decoding met.
    store::Tally tally() const { return copier_.tally(); }

  private:
    FrameCopier copier_;
    std::vector<FramePlace> places_ = {};
};

}  // namespace sluice::conversion
