// Frames of pnCCDs: both halves of the chip are read out at once, towards its two edges.
// SPDX-License-Identifier: Apache-2.0
#include "format/frms6/frames.h"

#include <algorithm>
#include <cstring>

namespace sluice::frms6 {
namespace {

class FoldedFrames final : public FrameSource {
  public:
    FoldedFrames(std::vector<FilePiece> pieces, Header const& h)
        : pieces_(std::move(pieces)), h_(h) {}

    Status fetch(index first, std::span<EncodedFrame> out, FetchScratch& scratch) const override {
        std::ranges::fill(out, EncodedFrame{});
        auto const bytes = static_cast<std::size_t>(h_.frame_bytes());
        scratch.bytes.resize((out.size() + 1) * bytes);
        auto const stored = std::span(scratch.bytes).first(bytes);
        for (std::size_t i = 0; i < out.size(); ++i) {
            index in_piece = first + static_cast<index>(i);
            auto piece = pieces_.begin();
            while (piece != pieces_.end() && in_piece >= piece->frames) {
                in_piece -= piece->frames;
                ++piece;
            }
            if (piece == pieces_.end()) break;
            std::uint64_t const at = file_header_bytes + frame_header_bytes +
                                     static_cast<std::uint64_t>(in_piece) * h_.stride();
            SLUICE_CHECK(piece->file->read(at, stored));
            auto const image = std::span(scratch.bytes).subspan((i + 1) * bytes, bytes);
            unfold(h_, stored, image);
            out[i] = {.encoding = Encoding::values,
                      .bytes = image,
                      .at = at,
                      .file = &piece->file->path()};
        }
        return {};
    }

    std::uint64_t stored_bytes() const override {
        std::uint64_t n = 0;
        for (FilePiece const& p : pieces_) n += static_cast<std::uint64_t>(p.frames) * h_.stride();
        return n;
    }

  private:
    std::vector<FilePiece> pieces_;
    Header h_;
};

}  // namespace

void unfold(Header const& h, Bytes stored, std::span<std::byte> image) {
    auto const half = static_cast<std::size_t>(h.cols / 2), rows = static_cast<std::size_t>(h.rows);
    for (std::size_t r = 0; r < rows; ++r) {
        Bytes const line = stored.subspan(r * 4 * half, 4 * half);
        std::memcpy(image.data() + r * 2 * half, line.data(), 2 * half);
        std::byte* const below = image.data() + (2 * rows - r - 1) * 2 * half;
        for (std::size_t c = 0; c < half; ++c)
            std::memcpy(below + 2 * c, line.data() + 2 * (2 * half - 1 - c), 2);
    }
}

std::shared_ptr<FrameSource const> folded_frames(std::vector<FilePiece> pieces, Header const& h) {
    return std::make_shared<FoldedFrames>(std::move(pieces), h);
}

}  // namespace sluice::frms6
