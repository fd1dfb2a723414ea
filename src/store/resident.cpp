// Loads a scan: every worker makes units and seals them into its own piece of the arena.
// SPDX-License-Identifier: Apache-2.0
#include "store/resident.h"

#include <fmt/format.h>

#include <atomic>
#include <memory>

#include "base/run.h"
#include "device/workers.h"
#include "store/aligned.h"

namespace sluice::store {

using planes::tile_alignment;
using planes::tile_bound;
using planes::tile_frames;

namespace {

constexpr std::uint64_t piece_bytes = std::uint64_t{8} << 20;

Error too_large(Dataset const& dataset, Plan const& plan, std::uint64_t bytes,
                std::uint64_t memory) {
    index bin = 2;
    while (bin < 8 && plan.dense_bytes() / static_cast<std::uint64_t>(bin * bin) > memory) bin *= 2;
    return {Code::out_of_memory,
            fmt::format("{:.3g} GB are needed in memory (allowed are {:.3g} GB); use --stream, "
                        "--det-bin {}, or a --scan-region",
                        static_cast<double>(bytes) / 1e9, static_cast<double>(memory) / 1e9,
                        bin * plan.det_bin),
            dataset.path};
}

// Tells how many bytes of how many are read.
Run::Told told_in_bytes(Dataset const& dataset, Plan const& plan, LoadOptions const& options) {
    if (!options.progress) return {};
    return [&dataset, &plan, &options](index tiles) {
        return options.progress(plan.bytes_to_read(dataset, tiles),
                                plan.bytes_to_read(dataset, plan.tiles()));
    };
}

}  // namespace

Result<Sample> sample(Dataset const& dataset, Plan const& plan, LoadOptions const& options) {
    Layout const wanted = options.layout;
    Sample s;
    s.dense_bytes = plan.dense_bytes();
    s.layout = Layout::dense;
    if (plan.dtype == DType::f32) {
        if (wanted == Layout::planes)
            return Error{Code::invalid_argument,
                         "bit planes hold counts (these are floats); use --layout dense, or "
                         "--bin-mode sum"};
        return s;
    }
    constexpr index most = 12;
    index const tiles = plan.tiles(), n = std::min(most, tiles);
    UnitMaker maker(dataset, plan, options.device.isa());
    AlignedBytes const out =
        aligned_bytes(tile_bound(plan.grid().blocks(), static_cast<int>(8 * size_of(plan.dtype))));
    index bytes = 0, frames = 0;
    for (index i = 0; i < n; ++i) {
        index const t = n > 1 ? i * (tiles - 1) / (n - 1) : 0;
        SLUICE_CHECK(tell_progress(options.progress, 0, plan.bytes_to_read(dataset, tiles)));
        SLUICE_TRY(index const size, maker.make_tile(t, false, out.get()));
        bytes += size;
        frames += std::min(tile_frames, plan.frames() - t * tile_frames);
    }
    s.planes_bytes =
        static_cast<std::uint64_t>(static_cast<double>(bytes) / static_cast<double>(frames) *
                                   static_cast<double>(plan.frames()));
    bool const pays =
        static_cast<double>(s.planes_bytes) <= 0.9 * static_cast<double>(s.dense_bytes);
    if (wanted == Layout::planes || (wanted == Layout::automatic && pays))
        s.layout = Layout::planes;
    return s;
}

Result<Resident> Resident::load(Dataset const& dataset, Plan const& plan, Sample const& sample,
                                LoadOptions const& options, std::uint64_t memory) {
    bool const as_planes = sample.layout == Layout::planes;
    if (sample.bytes() > memory) return too_large(dataset, plan, sample.bytes(), memory);
    index const tiles = plan.tiles();
    int const threads = options.device.threads();
    auto const bound = static_cast<std::uint64_t>(
        tile_bound(plan.grid().blocks(), static_cast<int>(8 * size_of(plan.dtype))));
    // A piece holds at least two tiles, and Arena::take() rounds to the same 2 MiB.
    std::uint64_t const piece = (std::max(piece_bytes, 2 * bound) + (2 << 20) - 1) >> 21 << 21;
    std::uint64_t const reserve = as_planes ? (static_cast<std::uint64_t>(tiles) / (piece / bound) +
                                               static_cast<std::uint64_t>(threads) + 1) *
                                                  piece
                                            : plan.dense_bytes() + 64;
    SLUICE_TRY(Arena arena, Arena::reserve(reserve));
    Resident r(std::move(arena));
    r.layout_ = sample.layout;
    r.grid_ = plan.grid();
    r.dtype_ = plan.dtype;
    r.frames_ = plan.frames();
    if (as_planes) r.offsets_.resize(static_cast<std::size_t>(tiles));
    std::byte* const dense = as_planes ? nullptr : r.arena_.take(plan.dense_bytes());
    index const unit_bytes = tile_frames * plan.pixels() * size_of(plan.dtype);

    struct Worker {
        std::unique_ptr<UnitMaker> maker;
        std::byte* next = nullptr;
        std::byte* end = nullptr;
        std::uint64_t bytes = 0;
    };
    std::vector<Worker> workers(static_cast<std::size_t>(threads));
    Run run(told_in_bytes(dataset, plan, options));
    std::atomic<std::uint64_t> tile_bytes = 0;
    auto const one = [&](index t, int number) {
        if (run.stopped()) return;
        Worker& w = workers[static_cast<std::size_t>(number)];
        if (!w.maker) {
            w.maker = std::make_unique<UnitMaker>(dataset, plan, options.device.isa());
            w.maker->trace(options.trace, number);
        }
        if (!as_planes) {
            if (auto s = w.maker->make_values(t, dense + t * unit_bytes); !s)
                return run.fail(std::move(s).error(), t);
        } else {
            if (w.end - w.next < static_cast<std::ptrdiff_t>(bound)) {
                w.next = r.arena_.take(piece);
                if (!w.next) return run.fail(too_large(dataset, plan, r.arena_.taken(), memory));
                w.end = w.next + piece;
            }
            auto size = w.maker->make_tile(t, true, w.next);
            if (!size) return run.fail(std::move(size).error(), t);
            r.offsets_[static_cast<std::size_t>(t)] =
                static_cast<std::uint64_t>(w.next - r.arena_.base());
            w.bytes += static_cast<std::uint64_t>(*size);
            tile_bytes += static_cast<std::uint64_t>(*size);
            w.next += (*size + tile_alignment - 1) / tile_alignment * tile_alignment;
            // A sample can mislead; memory is not to run out over it.
            if (tile_bytes > memory) return run.fail(too_large(dataset, plan, tile_bytes, memory));
        }
        run.done();
    };
    parallel_for(tiles, threads, 1, one);
    SLUICE_CHECK(run.status());
    for (Worker const& w : workers) {
        if (!w.maker) continue;
        r.tally_.merge(w.maker->tally());
        r.bytes_read_ += w.maker->bytes_read();
        r.bytes_ += w.bytes;
    }
    if (!as_planes) r.bytes_ = plan.dense_bytes();
    r.arena_.keep_at_end();
    return r;
}

planes::TileSet Resident::tiles() const {
    return {arena_.base(), offsets_.data(), static_cast<index>(offsets_.size()), frames_, grid_};
}

dense::Frames Resident::values() const {
    return {arena_.base(), dtype_, frames_, grid_.rows, grid_.cols};
}

Unit Resident::unit(index t) const {
    Unit u;
    u.first_frame = t * tile_frames;
    u.frames = std::min(tile_frames, frames_ - u.first_frame);
    u.is_tile = is_planes();
    if (is_planes()) {
        u.tile = tiles().tile(t);
    } else {
        u.values = values();
        u.values.data = arena_.base() + u.first_frame * grid_.rows * grid_.cols * size_of(dtype_);
        u.values.frames = u.frames;
    }
    return u;
}

}  // namespace sluice::store
