// Frames of pnCCDs, unfolded.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/file.h"
#include "format/frame_source.h"
#include "format/frms6/header.h"

namespace sluice::frms6 {

struct FilePiece {
    std::shared_ptr<File const> file;
    index frames = 0;
};

/// An image of 2 h.rows rows and h.cols / 2 columns out of the lines of a stored frame.
void unfold(Header const& h, Bytes stored, std::span<std::byte> image);

std::shared_ptr<FrameSource const> folded_frames(std::vector<FilePiece> pieces, Header const& h);

}  // namespace sluice::frms6
