// The units of a scan as items to fold.
// SPDX-License-Identifier: Apache-2.0
#include "scan/scan_units.h"

#include <algorithm>

namespace sluice::fold {

// Enough groups for many threads, and few enough that merging costs nothing.
index ScanUnits::group_size() const {
    return std::clamp<index>(scan_.plan().tiles() / 64, 1, 60);
}

index ScanUnits::groups() const {
    return (scan_.plan().tiles() + group_size() - 1) / group_size();
}

Range ScanUnits::group(index number) const {
    index const first = number * group_size();
    return {first, std::min(first + group_size(), scan_.plan().tiles())};
}

void ScanUnits::retire(Reader const& reader) const {
    if (reader.maker_ && options_.tally) options_.tally->merge(reader.maker_->tally());
}

bool ScanUnits::Reader::skips(index unit) const {
    return !options_.skip.empty() && options_.skip[static_cast<std::size_t>(unit)];
}

Result<Batch<Unit>> ScanUnits::Reader::read(Range units) {
    if (scan_.resident_store()) return from_memory(units);
    if (skips(units.first)) return Batch<Unit>{{}, units.first + 1};
    SLUICE_TRY(Unit const unit, make(units.first));
    batch_.assign(1, unit);
    return Batch<Unit>{batch_, units.first + 1};
}

Batch<Unit> ScanUnits::Reader::from_memory(Range units) {
    batch_.clear();
    if (!units_)
        units_.emplace(*scan_.resident_store(), options_.device.host().isa(), options_.need);
    index at = units.first;
    while (at < units.last && skips(at)) ++at;
    if (at == units.last) return {{}, at};
    // Where few are wanted, no more are turned back than that costs.
    constexpr index together = store::UnitReader::together;
    bool const few = units_->turns() && !options_.skip.empty();
    index const end = units_->hold(
        at, few ? std::min(units.last, at / together * together + together) : units.last);
    for (; at < end && std::ssize(batch_) < options_.batch; ++at)
        if (!skips(at)) batch_.push_back(units_->unit(at));
    return {batch_, at};
}

Result<Unit> ScanUnits::Reader::make(index unit) {
    prepare();
    store::Plan const& plan = scan_.plan();
    Unit u;
    u.first_frame = unit * planes::tile_frames;
    u.frames = std::min(planes::tile_frames, plan.frames() - u.first_frame);
    u.is_tile = scan_.chosen_layout() == Layout::planes;
    if (u.is_tile) {
        SLUICE_TRY([[maybe_unused]] index const size,
                   maker_->make_tile(unit, false, memory_.get()));
        u.tile = {memory_.get(), plan.grid().blocks()};
    } else {
        SLUICE_CHECK(maker_->make_values(unit, memory_.get()));
        u.values = {memory_.get(), plan.dtype, u.frames, plan.rows, plan.cols};
    }
    return u;
}

void ScanUnits::Reader::prepare() {
    if (maker_) return;
    store::Plan const& plan = scan_.plan();
    maker_ = std::make_unique<store::UnitMaker>(scan_.dataset(), plan, options_.device.isa(),
                                                options_.need);
    maker_->trace(options_.trace, worker_);
    index const value = size_of(plan.dtype);
    memory_ = store::aligned_bytes(
        scan_.chosen_layout() == Layout::planes
            ? planes::tile_bound(plan.grid().blocks(), static_cast<int>(8 * value))
            : planes::tile_frames * plan.pixels() * value);
}

}  // namespace sluice::fold
