// Frames one after the other.
// SPDX-License-Identifier: Apache-2.0
#include "format/npz/npz_frames.h"

#include <algorithm>

namespace sluice::npz_scan {
namespace {

class SourceFrames final : public FrameSource {
  public:
    SourceFrames(std::shared_ptr<Source const> bytes, std::uint64_t at, std::uint64_t size,
                 StoredType stored, index pixels)
        : bytes_(std::move(bytes)),
          at_(at),
          size_(size),
          stored_(stored),
          pixels_(static_cast<std::size_t>(pixels)) {}

    Status fetch(index first, std::span<EncodedFrame> out, FetchScratch& scratch) const override {
        std::size_t const frame = pixels_ * static_cast<std::size_t>(stored_.bytes);
        std::size_t const made =
            as_stored(stored_) ? 0 : pixels_ * static_cast<std::size_t>(size_of(read_as(stored_)));
        std::ranges::fill(out, EncodedFrame{});
        std::uint64_t const from = at_ + static_cast<std::uint64_t>(first) * frame;
        auto const here = static_cast<std::size_t>(std::min<std::uint64_t>(
            out.size(), (at_ + size_ - std::min(from, at_ + size_)) / frame));
        scratch.bytes.resize(here * (frame + made));
        auto const all = std::span(scratch.bytes);
        SLUICE_CHECK(bytes_->read(from, all.first(here * frame)));
        for (std::size_t i = 0; i < here; ++i) {
            Bytes values = all.subspan(i * frame, frame);
            Conversion changed;
            if (made > 0) {
                auto const to = all.subspan(here * frame + i * made, made);
                changed = convert_values(stored_, values, to.data());
                values = to;
            }
            out[i] = {.encoding = Encoding::values,
                      .bytes = values,
                      .at = from + i * frame,
                      .file = &bytes_->name(),
                      .changed = changed};
        }
        return {};
    }

    std::uint64_t stored_bytes() const override { return size_; }

  private:
    std::shared_ptr<Source const> bytes_;
    std::uint64_t at_, size_;
    StoredType stored_;
    std::size_t pixels_;
};

}  // namespace

std::shared_ptr<FrameSource const> source_frames(std::shared_ptr<Source const> bytes,
                                                 std::uint64_t at, std::uint64_t size,
                                                 StoredType stored, index pixels) {
    return std::make_shared<SourceFrames>(std::move(bytes), at, size, stored, pixels);
}

}  // namespace sluice::npz_scan
