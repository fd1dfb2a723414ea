// Turns units back from lines to tiles.
// SPDX-License-Identifier: Apache-2.0
#include "store/unit_reader.h"

#include <algorithm>
#include <cstring>

#include "kernel/lines/cpu.h"

namespace sluice::store {

using lines::unit_tiles;
using planes::tile_frames;

index UnitReader::hold(index first, index last) {
    if (!turns()) return last;
    if (first >= first_ && first < first_ + count_) return std::min(last, first_ + count_);
    lines::UnitSet const set = frames_->line_units();
    index const tiles = (set.frames + tile_frames - 1) / tile_frames;
    index const of_unit = first / unit_tiles * unit_tiles;
    first_ = first / together * together;
    index const wanted = (last + together - 1) / together * together;
    count_ = std::min({wanted, first_ + most, of_unit + unit_tiles, tiles}) - first_;
    lines::Unit const unit = set.unit(first / unit_tiles);
    index const bound = lines::tile_bound_of(unit);
    // Room for the largest one yet.
    if (bound > bound_) tiles_.clear();
    bound_ = std::max(bound, bound_);
    while (std::ssize(tiles_) < count_) tiles_.push_back(aligned_bytes(bound_));
    std::byte* to[most];
    index bytes[most];
    for (index t = 0; t < count_; ++t) to[t] = tiles_[static_cast<std::size_t>(t)].get();
    lines::cpu_kernels(isa_).turn_back(unit, first_ - of_unit, count_,
                                       need_.empty() ? nullptr : need_.data(), to, bytes);
    return std::min(last, first_ + count_);
}

Unit UnitReader::unit(index t) const {
    if (!turns()) return frames_->unit(t);
    expects(t >= first_ && t < first_ + count_);
    Unit u;
    u.first_frame = t * tile_frames;
    u.frames = std::min(tile_frames, frames_->frames() - u.first_frame);
    u.tile = {tiles_[static_cast<std::size_t>(t - first_)].get(),
              frames_->line_units().grid.blocks()};
    return u;
}

TurnedBack turned_back(Resident const& frames, Isa isa) {
    TurnedBack all;
    lines::UnitSet const set = frames.line_units();
    index const tiles = (set.frames + tile_frames - 1) / tile_frames;
    index bytes[unit_tiles];
    std::byte* to[unit_tiles];
    for (index u = 0; u < set.units; ++u) {
        lines::Unit const unit = set.unit(u);
        index const count = std::min(unit_tiles, tiles - u * unit_tiles);
        index const bound = lines::tile_bound_of(unit);
        AlignedBytes const room = aligned_bytes(bound * count);
        for (index t = 0; t < count; ++t) to[t] = room.get() + t * bound;
        lines::cpu_kernels(isa).turn_back(unit, 0, count, nullptr, to, bytes);
        for (index t = 0; t < count; ++t) {
            all.offsets.push_back(all.bytes.size());
            all.bytes.insert(all.bytes.end(), to[t], to[t] + bytes[t]);
        }
    }
    return all;
}

}  // namespace sluice::store
