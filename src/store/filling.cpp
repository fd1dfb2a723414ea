// Makes a scan in memory: every worker makes units and seals them into its own piece of the arena.
// SPDX-License-Identifier: Apache-2.0
#include "store/filling.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernel/planes/make_tile.h"

namespace sluice::store {

using planes::tile_alignment;
using planes::tile_bound;
using planes::tile_frames;

namespace {

constexpr std::uint64_t piece_bytes = std::uint64_t{8} << 20;
// Of tiles that are lent.
constexpr index lent_pieces = 64;

std::uint64_t aligned(index bytes) {
    return static_cast<std::uint64_t>((bytes + tile_alignment - 1) / tile_alignment *
                                      tile_alignment);
}

}  // namespace

Error too_large(Dataset const& dataset, Plan const& plan, std::uint64_t bytes,
                std::uint64_t memory) {
    std::string const needed =
        fmt::format("{:.3g} GB are needed in memory (allowed are {:.3g} GB)",
                    static_cast<double>(bytes) / 1e9, static_cast<double>(memory) / 1e9);
    // Of a scan that is measured the caller knows what helps: it cannot be streamed again.
    if (dataset.feed) return {Code::out_of_memory, needed, dataset.path};
    index bin = 2;
    while (bin < 8 && plan.dense_bytes() / static_cast<std::uint64_t>(bin * bin) > memory) bin *= 2;
    return {
        Code::out_of_memory,
        fmt::format("{}; use --stream, --det-bin {}, or a --scan-region (`sluice plan` says what "
                    "fits)",
                    needed, bin * plan.det_bin),
        dataset.path};
}

// Arena::take() rounds to the same 2 MiB.
std::uint64_t piece_of(std::uint64_t bound) {
    return (std::max(piece_bytes, 2 * bound) + (2 << 20) - 1) >> 21 << 21;
}

Result<Filling> Filling::begin(Dataset const& dataset, Plan const& plan, Layout layout,
                               LoadOptions const& options, int threads, std::uint64_t memory,
                               bool lends) {
    bool const as_planes = layout == Layout::planes;
    index const tiles = plan.tiles();
    auto const bound = static_cast<std::uint64_t>(
        tile_bound(plan.grid().blocks(), static_cast<int>(8 * size_of(plan.dtype))));
    std::uint64_t const piece = piece_of(bound);
    std::uint64_t const reserve =
        as_planes ? (static_cast<std::uint64_t>(tiles) / (piece / bound) +
                     static_cast<std::uint64_t>(threads) + 1 + (lends ? lent_pieces : 0)) *
                        piece
                  : plan.dense_bytes() + 64;
    SLUICE_TRY(Arena arena, Arena::reserve(reserve));
    Filling f(dataset, plan, options, Resident(std::make_shared<Arena>(std::move(arena))));
    f.memory_ = memory, f.bound_ = bound, f.piece_ = piece;
    f.workers_.resize(static_cast<std::size_t>(threads));
    f.state_ = std::make_unique<State>(tiles);
    Resident& r = f.resident_;
    r.layout_ = layout;
    r.grid_ = plan.grid();
    r.dtype_ = plan.dtype;
    r.frames_ = plan.frames();
    if (as_planes) {
        r.offsets_.resize(static_cast<std::size_t>(tiles));
        if (options.tables != Tables::none)
            r.moments_.resize(static_cast<std::size_t>(tiles * tile_frames));
        SLUICE_CHECK(f.make_empty_tile());
        if (lends) f.lent_.emplace(r.arena_, bound, piece, lent_pieces);
    } else {
        f.dense_ = r.arena_->take(plan.dense_bytes());
    }
    return f;
}

Result<std::byte*> Filling::room_for(std::uint64_t bytes, Worker& w) {
    if (static_cast<std::uint64_t>(w.end - w.next) < bytes) {
        w.next = resident_.arena_->take(piece_);
        if (!w.next) return too_large(*dataset_, *plan_, resident_.arena_->taken(), memory_);
        w.end = w.next + piece_;
    }
    return w.next;
}

Status Filling::make_empty_tile() {
    Worker& w = workers_.front();
    SLUICE_TRY(std::byte* const to, room_for(bound_, w));
    planes::Grid const grid = plan_->grid();
    std::vector<std::uint8_t> const none(static_cast<std::size_t>(grid.block_rows()));
    index const size = planes::tile_making(options_->device.isa())
                           .seal({}, grid, none.data(), nullptr, false, to, nullptr);
    empty_ = static_cast<std::uint64_t>(to - resident_.arena_->base());
    w.next += aligned(size);
    return {};
}

Status Filling::make_tile(index unit, Worker& w) {
    SLUICE_TRY(std::byte* const to, room_for(bound_, w));
    std::vector<planes::Moment>& moments = resident_.moments_;
    SLUICE_TRY(
        index const size,
        w.maker->make_tile(
            unit, true, to,
            moments.empty() ? nullptr : &moments[static_cast<std::size_t>(unit * tile_frames)]));
    resident_.offsets_[static_cast<std::size_t>(unit)] =
        static_cast<std::uint64_t>(to - resident_.arena_->base());
    w.next += aligned(size);
    // A sample can mislead; memory is not to run out over it.
    std::uint64_t const all = state_->bytes += static_cast<std::uint64_t>(size);
    if (all > memory_) return too_large(*dataset_, *plan_, all, memory_);
    return {};
}

Status Filling::make(index unit, int worker) {
    Worker& w = workers_[static_cast<std::size_t>(worker)];
    if (!w.maker) {
        w.maker = std::make_unique<UnitMaker>(*dataset_, *plan_, options_->device.isa());
        w.maker->trace(options_->trace, worker);
    }
    if (dense_) {
        index const bytes = tile_frames * plan_->pixels() * size_of(plan_->dtype);
        SLUICE_CHECK(w.maker->make_values(unit, dense_ + unit * bytes));
    } else {
        SLUICE_CHECK(make_tile(unit, w));
    }
    state_->made[static_cast<std::size_t>(unit)].store(1, std::memory_order_release);
    return {};
}

std::vector<std::uint8_t> Filling::made() const {
    std::vector<std::uint8_t> now;
    now.reserve(state_->made.size());
    for (auto const& one : state_->made) now.push_back(one.load(std::memory_order_acquire));
    return now;
}

Tally Filling::tally() const {
    Tally all;
    for (Worker const& w : workers_)
        if (w.maker) all.merge(w.maker->tally());
    return all;
}

Resident Filling::so_far(std::span<std::uint8_t const> made, std::span<LentTile const> lent) const {
    expects(!dense_);
    Resident r(resident_.arena_);
    r.layout_ = resident_.layout_;
    r.grid_ = resident_.grid_;
    r.dtype_ = resident_.dtype_;
    r.frames_ = resident_.frames_;
    r.bytes_ = bytes();
    r.offsets_.assign(resident_.offsets_.size(), empty_);
    for (std::size_t t = 0; t < r.offsets_.size(); ++t)
        if (made[t]) r.offsets_[t] = resident_.offsets_[t];
    for (LentTile const& one : lent) {
        auto const t = static_cast<std::size_t>(one.unit);
        if (made[t]) continue;
        r.offsets_[t] = static_cast<std::uint64_t>(one.tile.get() - r.arena_->base());
        r.lent_.push_back(one.tile);
    }
    // Those of units that are being made are not known yet.
    if (std::ranges::all_of(made, [](std::uint8_t m) { return m != 0; }))
        r.moments_ = resident_.moments_;
    return r;
}

Resident Filling::finish() && {
    Resident& r = resident_;
    r.tally_ = tally();
    for (Worker const& w : workers_)
        if (w.maker) r.bytes_read_ += w.maker->bytes_read();
    r.bytes_ = dense_ ? plan_->dense_bytes() : bytes();
    r.arena_->keep_at_end();
    return std::move(resident_);
}

}  // namespace sluice::store
