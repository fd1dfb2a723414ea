// FlatSource: frames that lie one after another in a file, in any number type.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/file.h"
#include "format/frame_source.h"
#include "format/stored_type.h"

namespace sluice {

/// Where the frames are.
struct FlatLayout {
    StoredType stored;
    std::uint64_t offset = 0;  ///< of the first frame, in bytes
    index present = 0;         ///< frames in the file; those after them are missing
    index pixels = 0;          ///< of a frame

    std::uint64_t frame_bytes() const {
        return static_cast<std::uint64_t>(pixels) * static_cast<std::uint64_t>(stored.bytes);
    }
};

class FlatSource final : public FrameSource {
  public:
    /// The frames must lie within the file.
    FlatSource(File file, FlatLayout const& layout);
    Status fetch(index first, std::span<EncodedFrame> out, FetchScratch& scratch) const override;
    std::uint64_t stored_bytes() const override;

  private:
    File file_;
    FlatLayout layout_;
};

}  // namespace sluice
