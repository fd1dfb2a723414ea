// Loads a scan on many threads.
// SPDX-License-Identifier: Apache-2.0
#include "store/resident.h"

#include "base/run.h"
#include "device/workers.h"
#include "store/aligned.h"
#include "store/filling.h"
#include "store/line_filling.h"

namespace sluice::store {

using planes::tile_bound;
using planes::tile_frames;

namespace {

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
        if (wanted == Layout::planes || wanted == Layout::lines)
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
    // Fewer frames are counted from tiles before the threads are awake.
    constexpr index many_frames = 8192;
    // One pixel with a count of 32 bits keeps a unit's sums from 32 bits, and lines from counting.
    bool const turned =
        options.many_images && pays && plan.frames() >= many_frames && size_of(plan.dtype) <= 2;
    s.lines = wanted == Layout::lines || (wanted == Layout::automatic && turned);
    // A line is as long for the few frames of a last unit.
    index const units = (tiles + lines::unit_tiles - 1) / lines::unit_tiles;
    s.lines_bytes = static_cast<std::uint64_t>(static_cast<double>(s.planes_bytes) *
                                               static_cast<double>(units * lines::unit_frames) /
                                               static_cast<double>(plan.frames()));
    if (wanted == Layout::planes || s.lines || (wanted == Layout::automatic && pays))
        s.layout = Layout::planes;
    return s;
}

Result<Resident> Resident::load(Dataset const& dataset, Plan const& plan, Sample const& sample,
                                LoadOptions const& options, std::uint64_t memory) {
    int const threads = options.device.threads();
    std::uint64_t needed = sample.bytes();
    // Workers keep the tiles of a unit while they turn it.
    if (sample.lines) {
        index const units = (plan.tiles() + lines::unit_tiles - 1) / lines::unit_tiles;
        needed += needed / static_cast<std::uint64_t>(units) *
                  static_cast<std::uint64_t>(std::min<index>(threads, units));
    }
    if (needed > memory) return too_large(dataset, plan, needed, memory);
    Run run(told_in_bytes(dataset, plan, options));
    if (sample.lines) return load_lines(dataset, plan, options, memory, run);
    SLUICE_TRY(Filling filling,
               Filling::begin(dataset, plan, sample.layout, options, threads, memory));
    parallel_for(plan.tiles(), threads, 1, [&](index t, int worker) {
        if (run.stopped()) return;
        if (Status s = filling.make(t, worker); !s) return run.fail(std::move(s).error(), t);
        run.done();
    });
    SLUICE_CHECK(run.status());
    return std::move(filling).finish();
}

planes::TileSet Resident::tiles() const {
    expects(is_planes());
    return {arena_->base(), offsets_.data(), static_cast<index>(offsets_.size()), frames_, grid_};
}

lines::UnitSet Resident::line_units() const {
    expects(is_lines());
    return {arena_->base(), offsets_.data(), static_cast<index>(offsets_.size()), frames_, grid_};
}

dense::Frames Resident::values() const {
    return {arena_->base(), dtype_, frames_, grid_.rows, grid_.cols};
}

Unit Resident::unit(index t) const {
    expects(!is_lines());
    Unit u;
    u.first_frame = t * tile_frames;
    u.frames = std::min(tile_frames, frames_ - u.first_frame);
    u.is_tile = is_planes();
    if (is_planes()) {
        u.tile = tiles().tile(t);
    } else {
        u.values = values();
        u.values.data = arena_->base() + u.first_frame * grid_.rows * grid_.cols * size_of(dtype_);
        u.values.frames = u.frames;
    }
    return u;
}

}  // namespace sluice::store
