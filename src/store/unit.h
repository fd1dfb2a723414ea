// UnitMaker: sixteen frames of the result at a time, from the files to a tile or to plain values.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/dense/kernels.h"
#include "kernel/planes/kernels.h"
#include "store/bin.h"
#include "store/plan.h"

namespace sluice::store {

/// Sixteen (the last one fewer) consecutive frames of a scan, in one of two forms.
struct Unit {
    index first_frame = 0, frames = 0;
    bool is_tile = true;
    planes::Tile tile = {};
    dense::Frames values = {};
};

/// One worker's way from files to units; holds the worker's scratch memory.
class UnitMaker {
  public:
    /// `need` marks the blocks of the result's detector that will be looked at; empty: all. The
    /// others need not be decoded, and a tile may show zeros there.
    UnitMaker(Dataset const& dataset, Plan const& plan, Isa isa,
              std::vector<std::uint8_t> need = {});

    /// Unit number `t` as a tile at `out` (64-byte aligned, tile_bound() bytes); its size in bytes.
    /// For later: it may go past the caches. `moments` receives those of its frames; null: not
    /// wanted.
    Result<index> make_tile(index t, bool for_later, std::byte* out,
                            planes::Moment* moments = nullptr);
    /// The same as values of the plan's dtype, frame after frame.
    Status make_values(index t, std::byte* out);
    /// The same of any frames that follow each other; reads the bytes of no others.
    Status make_frames(index first, index frames, std::byte* out);

    /// Where to note what reading and decoding take, and as which worker.
    void trace(Trace* trace, int worker) { trace_ = trace, worker_ = worker; }

    Tally const& tally() const { return tally_; }
    /// Encoded bytes read so far.
    std::uint64_t bytes_read() const { return bytes_read_; }

  private:
    Status fetch(index unit, index first_frame, index frames);
    template <class F>
    Status for_each_slot(index first, index frames, F&& make);
    Status add_planes(index slot, EncodedFrame const* frames);
    template <class F>
    Status decoded(EncodedFrame const& frame, F&& decode);
    Status stored_values(EncodedFrame const& frame, std::span<std::byte> out);
    Status result_values(EncodedFrame const* frames, std::span<std::byte> out);
    Status decode(FramePlanes& planes, EncodedFrame const& frame, index slot, Tally& tally);
    void align_rows(int p, index block_row, std::byte* to) const;
    void fill_gaps();

    Dataset const& dataset_;
    Plan const& plan_;
    Isa isa_;
    std::vector<std::uint8_t> need_, need_rows_;  // blocks, and rows of blocks
    planes::Grid grid_;
    FrameGeometry result_;  // of the result's frames
    PixelRules no_rules_;
    FramePlanes stored_planes_, result_planes_;
    Binner binner_;
    std::vector<FetchScratch> fetch_scratch_;           // one per run of stored frames
    std::vector<EncodedFrame> encoded_;                 // [slot][part of a scan bin]
    index plane_stride_, frame_stride_, loose_stride_;  // in bytes
    // [frame][plane][row of pixels], and a frame whose rows do not begin with a byte.
    std::vector<std::byte> rows_, loose_;
    std::vector<std::uint8_t> frame_planes_;  // [frame][block row] planes that rows_ holds
    std::vector<std::uint8_t> planes_of_row_;
    std::vector<std::byte> stored_values_, result_values_;
    Tally tally_;
    std::uint64_t bytes_read_ = 0;
    Trace* trace_ = nullptr;
    int worker_ = 0;
};

}  // namespace sluice::store
