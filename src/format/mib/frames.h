// Where the frames of MIB files are, and the source of their bytes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/file.h"
#include "format/mib/header.h"

namespace sluice::mib {

/// How all frames of an acquisition lie in its files.
struct FrameForm {
    FrameLayout layout = {};
    std::size_t header_bytes = 0;
    bool operator==(FrameForm const&) const = default;
    std::size_t stride() const { return header_bytes + layout.bytes; }
};
/// Of the file whose first bytes are `head`: what comes after its first frame, or its end, tells
/// which of two lengths a frame of 24 bits has. `growing`: its end tells nothing. `depth`: of the
/// HDR; 0: it says none.
Result<FrameForm> form_of(File const& file, int depth, bool growing);

/// The number of the frame at `at`. Errors: no header of that form.
Result<std::uint64_t> number_at(Bytes header, FrameForm const& form, int depth);

/// Frames that follow each other in a file, with consecutive numbers.
struct Piece {
    std::size_t file = 0;     ///< which one
    std::uint64_t first = 0;  ///< the number of its first frame
    index count = 0;
    std::uint64_t at = 0;  ///< bytes before it
};

/// What a file holds.
struct FileFrames {
    std::vector<Piece> pieces = {};
    std::uint64_t left_over = 0;       ///< bytes at the end that are no whole frame
    std::optional<Error> damage = {};  ///< the first wrong header, which is left out
};
/// Looks at the first and the last header, and at all of them where these do not fit, or when
/// `thorough`. Errors: the file cannot be read.
Result<FileFrames> find_frames(File const& file, std::size_t number, FrameForm const& form,
                               int depth, bool thorough);

class MibSource final : public FrameSource {
  public:
    /// `pieces` by their numbers, without overlap; frame i has the number i + `first`.
    MibSource(std::vector<std::shared_ptr<File const>> files, std::vector<Piece> pieces,
              FrameForm const& form, int depth, std::uint64_t first);
    Status fetch(index first, std::span<EncodedFrame> out, FetchScratch& scratch) const override;
    std::uint64_t stored_bytes() const override;

  private:
    Status read(Piece const& piece, std::uint64_t number, std::span<EncodedFrame> out,
                std::span<std::byte> room) const;

    std::vector<std::shared_ptr<File const>> files_;
    std::vector<Piece> pieces_;
    FrameForm form_;
    int depth_;
    std::uint64_t first_;
};

}  // namespace sluice::mib
