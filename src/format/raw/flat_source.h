// FlatSource: frames that lie at equal steps in one or several files, in any number type.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/file.h"
#include "format/indexed.h"
#include "format/stored_type.h"

namespace sluice {

/// Where the frames are.
struct FlatLayout {
    StoredType stored;
    std::uint64_t offset = 0;  ///< of the first frame, in bytes
    index present = 0;         ///< frames in the file; those after them are missing
    index pixels = 0;          ///< of a frame
    /// Bytes from one frame's beginning to the next one's, where a header lies between; 0: none.
    std::uint64_t stride = 0;

    std::uint64_t frame_bytes() const {
        return static_cast<std::uint64_t>(pixels) * static_cast<std::uint64_t>(stored.bytes);
    }
    std::uint64_t step() const { return stride != 0 ? stride : frame_bytes(); }
};

/// The frames of one file, which follow those of the piece before it.
struct FlatPiece {
    std::shared_ptr<File const> file;
    std::uint64_t offset = 0;  ///< of its first frame
    index count = 0;
};

/// Frames that lie anywhere in one file, as runs at equal steps, which are read together.
struct FlatRuns {
    std::vector<FlatPiece> pieces = {};
    std::uint64_t stride = 0;  ///< of all of them
};
/// `places` are those of frames of `frame_bytes` bytes, all within the file.
FlatRuns runs_of(std::shared_ptr<File const> const& file, std::span<std::uint64_t const> places,
                 std::uint64_t frame_bytes);

class FlatSource final : public FrameSource, public Indexed {
  public:
    /// The frames must lie within the file.
    FlatSource(File file, FlatLayout const& layout);
    /// Those of several files; of the layout `offset` and `present` do not count.
    FlatSource(std::vector<FlatPiece> pieces, FlatLayout const& layout);
    Status fetch(index first, std::span<EncodedFrame> out, FetchScratch& scratch) const override;
    std::uint64_t stored_bytes() const override;
    std::uint64_t index_digest() const override;

  private:
    struct Room;
    Status read(FlatPiece const& piece, index first, std::span<EncodedFrame> out,
                Room const& room) const;

    std::vector<FlatPiece> pieces_;
    std::vector<index> ends_;  ///< the number of the frame after each piece
    FlatLayout layout_;
};

}  // namespace sluice
