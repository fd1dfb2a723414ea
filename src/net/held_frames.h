// HeldFrames: some frames of a ring as a source of their own, to measure on them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/ring.h"

namespace sluice::net {

class HeldFrames final : public FrameSource {
  public:
    explicit HeldFrames(std::vector<FrameRing::Kept> frames) : frames_(std::move(frames)) {}

    Status fetch(index first, std::span<EncodedFrame> out,
                 FetchScratch& /*scratch*/) const override {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = frames_[static_cast<std::size_t>(first) + i].frame;
        return {};
    }
    std::uint64_t stored_bytes() const override {
        std::uint64_t bytes = 0;
        for (auto const& kept : frames_) bytes += kept.frame.bytes.size();
        return bytes;
    }

  private:
    std::vector<FrameRing::Kept> frames_;
};

/// Those frames as a scan of one row; everything else is as the dataset of the ring says.
inline Dataset held_dataset(Dataset like, std::vector<FrameRing::Kept> frames) {
    like.scan = {1, std::ssize(frames)};
    like.frames = std::ssize(frames);
    like.feed = {};
    like.source = std::make_shared<HeldFrames>(std::move(frames));
    return like;
}

}  // namespace sluice::net
