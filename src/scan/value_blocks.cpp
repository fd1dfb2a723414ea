// The frames of a scan as plain values.
// SPDX-License-Identifier: Apache-2.0
#include "scan/value_blocks.h"

#include <algorithm>

#include "scan/scan_units.h"

namespace sluice::fold {
namespace {

constexpr index block_bytes = index{1} << 20;

Region all_of(Scan const& scan) {
    return {0, 0, scan.plan().rows, scan.plan().cols};
}

}  // namespace

ValueBlocks::Reader::Reader(Scan const& scan)
    : copier_(scan, all_of(scan)), frame_bytes_(scan.plan().pixels() * size_of(scan.dtype())) {
    index const fit = block_bytes / std::max<index>(1, frame_bytes_) / planes::tile_frames;
    most_ = std::max<index>(1, fit) * planes::tile_frames;
}

Result<Batch<ValueBlock>> ValueBlocks::Reader::read(Range frames) {
    block_.frames = {frames.first, std::min(frames.last, frames.first + most_)};
    values_.resize(static_cast<std::size_t>(block_.frames.count() * frame_bytes_));
    index at = frames.first;
    while (at < block_.frames.last) {
        index const end =
            std::min(block_.frames.last, (at / planes::tile_frames + 1) * planes::tile_frames);
        places_.clear();
        for (; at < end; ++at) places_.push_back({at, at - frames.first});
        SLUICE_CHECK(copier_.copy(places_, values_.data()));
    }
    block_.data = values_.data();
    return Batch<ValueBlock>{{&block_, 1}, block_.frames.last};
}

index ValueBlocks::groups() const {
    return ScanUnits(scan_, {}).groups();
}

Range ValueBlocks::group(index number) const {
    Range const units = ScanUnits(scan_, {}).group(number);
    return {units.first * planes::tile_frames,
            std::min(units.last * planes::tile_frames, scan_.plan().frames())};
}

}  // namespace sluice::fold
