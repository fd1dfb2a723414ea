// What came of units that wait for the rest of their frames.
// SPDX-License-Identifier: Apache-2.0
#include "scan/open_units.h"

#include "kernel/planes/tile.h"

namespace sluice {

using planes::tile_frames;

namespace {

// A unit that is whole sooner needs no look before. Of more frames than these one look shows the
// oldest: packing them again and again would take the time of those that come.
constexpr std::chrono::milliseconds age{100};
constexpr index most = 1024;

}  // namespace

// The frames of the unit that is packed, as a feed.
class OpenUnits::Held final : public Feed {
  public:
    Open* open = nullptr;
    index first = 0;  // frame of the unit

    Status fetch(index frame, std::span<EncodedFrame> out, FetchScratch&) const override {
        for (std::size_t i = 0; i < out.size(); ++i) {
            auto const slot = static_cast<std::size_t>(frame - first) + i;
            out[i] = open->came[slot] ? open->frames[slot].frame : EncodedFrame{};
        }
        return {};
    }
    std::uint64_t stored_bytes() const override { return 0; }
    FeedState state() const override { return {}; }
    std::vector<FrameRun> gaps() const override { return {}; }
    // It is told when the unit is made.
    void spoiled(index frame, Error) override {
        open->came[static_cast<std::size_t>(frame - first)] = 0;
    }
    void end(std::string const&) override {}
};

OpenUnits::OpenUnits(Dataset const& dataset, store::Plan const& plan, LoadOptions const& options,
                     store::Filling& filling)
    : dataset_(dataset),
      plan_(plan),
      filling_(filling),
      feed_(dataset.feed),
      held_(std::make_shared<Held>()),
      maker_(dataset_, plan, options.device.isa()) {
    dataset_.source = dataset_.feed = held_;
}

OpenUnits::~OpenUnits() = default;

// A part of the scan, or one whose points are added up, is shown by whole units.
void OpenUnits::take() {
    std::erase_if(open_, [&](auto const& one) { return filling_.is_made(one.first); });
    if (plan_.frames() != dataset_.frames) return;
    for (WaitingFrame& waiting : feed_->waiting(age, most)) {
        index const frame = waiting.frame.number, unit = frame / tile_frames;
        if (filling_.is_made(unit)) continue;
        Open& open = open_[unit];
        auto const slot = static_cast<std::size_t>(frame % tile_frames);
        open.frames[slot] = std::move(waiting);
        open.came[slot] = 1;
        ++open.count;
    }
}

index OpenUnits::count() {
    std::lock_guard const lock(mutex_);
    take();
    index frames = 0;
    for (auto const& [unit, open] : open_) frames += open.count;
    return frames;
}

bool OpenUnits::pack(index unit, Open& open) {
    if (open.in_tile == open.count) return open.tile != nullptr;
    std::shared_ptr<std::byte> const room = filling_.borrow();
    if (!room) return open.tile != nullptr;
    held_->open = &open;
    held_->first = unit * tile_frames;
    if (!maker_.make_tile(unit, false, room.get())) return open.tile != nullptr;
    open.tile = room;
    open.in_tile = open.count;
    open.shown = open.came;
    return true;
}

OpenUnits::Look OpenUnits::look() {
    std::lock_guard const lock(mutex_);
    take();
    Look look;
    for (auto& [unit, open] : open_) {
        if (!pack(unit, open)) continue;
        look.tiles.push_back({unit, open.tile});
        look.came.push_back(open.shown);
    }
    return look;
}

}  // namespace sluice
