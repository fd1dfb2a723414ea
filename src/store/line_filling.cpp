// Makes a scan of lines: every worker makes 32 tiles, and turns them while they are in its caches.
// SPDX-License-Identifier: Apache-2.0
#include "store/line_filling.h"

#include <algorithm>

#include "device/workers.h"
#include "kernel/lines/cpu.h"

namespace sluice::store {
namespace {

using lines::unit_tiles;
using planes::tile_bound;
using planes::tile_frames;

// Of the arena at a time: the rest of a piece that is too small for a unit is left over.
// Arena::take() rounds to the same 2 MiB.
std::uint64_t line_piece(std::uint64_t bound) {
    constexpr std::uint64_t least = std::uint64_t{64} << 20, step = 2 << 20;
    return (std::max(least, bound) + step - 1) / step * step;
}

index planes_of(Plan const& plan) {
    return 8 * size_of(plan.dtype);
}

}  // namespace

Result<LineFilling> LineFilling::begin(Dataset const& dataset, Plan const& plan,
                                       LoadOptions const& options, std::uint64_t memory) {
    index const units = (plan.tiles() + unit_tiles - 1) / unit_tiles;
    int const threads = options.device.threads();
    auto const bound = static_cast<std::uint64_t>(
        lines::unit_bound(plan.grid(), static_cast<int>(planes_of(plan))));
    std::uint64_t const piece = line_piece(bound);
    // Addresses, not memory.
    SLUICE_TRY(Arena arena, Arena::reserve((static_cast<std::uint64_t>(units) / (piece / bound) +
                                            static_cast<std::uint64_t>(threads) + 1) *
                                           piece));
    LineFilling f(dataset, plan, options, Resident(std::make_shared<Arena>(std::move(arena))));
    f.memory_ = memory, f.piece_ = piece;
    f.bytes_ = std::make_unique<std::atomic<std::uint64_t>>(0);
    f.workers_.resize(static_cast<std::size_t>(threads));
    Resident& r = f.resident_;
    r.layout_ = Layout::lines;
    r.grid_ = plan.grid();
    r.dtype_ = plan.dtype;
    r.frames_ = plan.frames();
    r.offsets_.resize(static_cast<std::size_t>(units));
    if (options.tables != Tables::none)
        r.moments_.resize(static_cast<std::size_t>(plan.tiles() * tile_frames));
    return f;
}

void LineFilling::begin_worker(Worker& w, int worker) const {
    if (w.maker) return;
    w.maker = std::make_unique<UnitMaker>(*dataset_, *plan_, options_->device.isa());
    w.maker->trace(options_->trace, worker);
    for (index t = 0; t < std::min(unit_tiles, plan_->tiles()); ++t)
        w.tiles.push_back(
            aligned_bytes(tile_bound(plan_->grid().blocks(), static_cast<int>(planes_of(*plan_)))));
}

Result<std::byte*> LineFilling::room_for(std::uint64_t bytes, Worker& w) {
    if (static_cast<std::uint64_t>(w.end - w.next) < bytes) {
        w.next = resident_.arena_->take(piece_);
        if (!w.next) return too_large(*dataset_, *plan_, resident_.arena_->taken(), memory_);
        w.end = w.next + piece_;
    }
    return w.next;
}

Status LineFilling::make(index unit, int worker, Run& run) {
    Worker& w = workers_[static_cast<std::size_t>(worker)];
    begin_worker(w, worker);
    std::vector<planes::Moment>& moments = resident_.moments_;
    index const first = unit * unit_tiles, count = std::min(unit_tiles, plan_->tiles() - first);
    std::vector<planes::Tile> tiles;
    for (index t = first; t < first + count && !run.stopped(); ++t) {
        std::byte* const to = w.tiles[static_cast<std::size_t>(t - first)].get();
        SLUICE_TRY(
            [[maybe_unused]] index const size,
            w.maker->make_tile(
                t, false, to,
                moments.empty() ? nullptr : &moments[static_cast<std::size_t>(t * tile_frames)]));
        tiles.push_back({to, plan_->grid().blocks()});
        run.done();
    }
    if (run.stopped()) return {};
    Step const step(options_->trace, Phase::decode, worker, unit);
    auto const bound = static_cast<std::uint64_t>(lines::bound_of(tiles, plan_->grid()));
    SLUICE_TRY(std::byte* const to, room_for(bound, w));
    auto const size = static_cast<std::uint64_t>(
        lines::cpu_kernels(options_->device.isa()).make(tiles, plan_->grid(), to));
    resident_.offsets_[static_cast<std::size_t>(unit)] =
        static_cast<std::uint64_t>(to - resident_.arena_->base());
    w.next += size;
    // A sample can mislead; memory is not to run out over it.
    std::uint64_t const all = *bytes_ += size;
    if (all > memory_) return too_large(*dataset_, *plan_, all, memory_);
    return {};
}

Resident LineFilling::finish() && {
    Resident& r = resident_;
    for (Worker const& w : workers_) {
        if (!w.maker) continue;
        r.tally_.merge(w.maker->tally());
        r.bytes_read_ += w.maker->bytes_read();
    }
    r.bytes_ = *bytes_;
    r.arena_->keep_at_end();
    return std::move(resident_);
}

Result<Resident> load_lines(Dataset const& dataset, Plan const& plan, LoadOptions const& options,
                            std::uint64_t memory, Run& run) {
    SLUICE_TRY(LineFilling filling, LineFilling::begin(dataset, plan, options, memory));
    parallel_for(filling.units(), options.device.threads(), 1, [&](index u, int worker) {
        if (run.stopped()) return;
        if (Status s = filling.make(u, worker, run); !s) run.fail(std::move(s).error(), u);
    });
    SLUICE_CHECK(run.status());
    return std::move(filling).finish();
}

}  // namespace sluice::store
