// One worker's way from the units of a scan to values of its frames.
// SPDX-License-Identifier: Apache-2.0
#include "scan/frame_copier.h"

#include <cstring>

#include "base/with_type.h"
#include "kernel/planes/read_frame.h"

namespace sluice {
FrameCopier::FrameCopier(Scan const& scan, Region const& part)
    : scan_(scan),
      plan_(scan.plan()),
      part_(part),
      element_(size_of(plan_.dtype)),
      frame_bytes_(plan_.pixels() * element_),
      part_bytes_(part.rows * part.cols * element_) {}

bool FrameCopier::whole_frames() const {
    return part_bytes_ == frame_bytes_;
}

Status FrameCopier::copy(std::span<FramePlace const> places, std::byte* out) {
    index const unit = places.front().frame / planes::tile_frames;
    if (store::Resident const* const resident = scan_.resident_store()) {
        if (!units_) units_.emplace(*resident, scan_.options().device.host().isa());
        units_->hold(unit, unit + 1);
        from_memory(units_->unit(unit), places, out);
        return {};
    }
    if (!maker_) {
        maker_.emplace(scan_.dataset(), plan_, scan_.options().device.host().isa());
        if (!whole_frames())
            values_.resize(static_cast<std::size_t>(planes::tile_frames * frame_bytes_));
    }
    // No frame is decoded that is not wanted: the next call may want the others.
    for (std::size_t i = 0; i < places.size();) {
        std::size_t end = i + 1;
        while (end < places.size() && places[end].frame == places[end - 1].frame + 1 &&
               places[end].at == places[end - 1].at + 1)
            ++end;
        auto const count = static_cast<index>(end - i);
        std::byte* const to = out + places[i].at * part_bytes_;
        SLUICE_CHECK(
            maker_->make_frames(places[i].frame, count, whole_frames() ? to : values_.data()));
        for (index k = 0; k < count && !whole_frames(); ++k)
            cut(values_.data() + k * frame_bytes_, to + k * part_bytes_);
        i = end;
    }
    return {};
}

void FrameCopier::from_memory(store::Unit const& unit, std::span<FramePlace const> places,
                              std::byte* out) {
    for (FramePlace const& p : places) {
        index const slot = p.frame % planes::tile_frames;
        std::byte* const to = out + p.at * part_bytes_;
        if (unit.is_tile) {
            counts_.resize(static_cast<std::size_t>(plan_.pixels()));
            planes::read_frame(unit.tile, plan_.grid(), slot, counts_.data());
            with_detector_type(plan_.dtype, [&]<class T>(T) { cut_counts<T>(to); });
        } else {
            cut(static_cast<std::byte const*>(unit.values.data) + slot * frame_bytes_, to);
        }
    }
}

void FrameCopier::cut(std::byte const* frame, std::byte* to) const {
    auto const bytes = static_cast<std::size_t>(part_.cols * element_);
    for (index r = 0; r < part_.rows && bytes > 0; ++r)
        std::memcpy(to + r * part_.cols * element_,
                    frame + ((part_.row + r) * plan_.cols + part_.col) * element_, bytes);
}

template <class T>
void FrameCopier::cut_counts(std::byte* to) const {
    for (index r = 0; r < part_.rows; ++r) {
        double const* const from = counts_.data() + (part_.row + r) * plan_.cols + part_.col;
        for (index c = 0; c < part_.cols; ++c) {
            T const value = static_cast<T>(from[c]);
            std::memcpy(to + (r * part_.cols + c) * element_, &value, sizeof value);
        }
    }
}

}  // namespace sluice
