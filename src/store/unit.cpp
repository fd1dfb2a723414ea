// Makes units: fetches, decodes, cuts into blocks, seals.
// SPDX-License-Identifier: Apache-2.0
#include "store/unit.h"

#include <algorithm>
#include <cstring>

#include "kernel/planes/make_tile.h"

namespace sluice::store {

using planes::block_edge;
using planes::tile_frames;

UnitMaker::UnitMaker(Dataset const& dataset, Plan const& plan, Isa isa,
                     std::vector<std::uint8_t> need)
    : dataset_(dataset),
      plan_(plan),
      isa_(isa),
      need_(std::move(need)),
      grid_(plan.grid()),
      result_{plan.rows, plan.cols, plan.dtype},
      stored_planes_(plan.stored, plan.rules, isa),
      result_planes_(result_, no_rules_, isa),
      binner_(plan),
      // Padded, so that sixteen frames' words of one block do not share one set of the cache.
      frame_stride_(result_.planes() * grid_.blocks() + 8 * 3) {
    if (need_.empty()) return;
    need_rows_.resize(static_cast<std::size_t>(grid_.block_rows()));
    for (index b = 0; b < grid_.blocks(); ++b)
        need_rows_[static_cast<std::size_t>(b / grid_.block_cols())] |=
            need_[static_cast<std::size_t>(b)];
}

// Stored frames that follow each other are fetched together, so that they can be read together.
Status UnitMaker::fetch(index unit, index first, index frames) {
    Step step(trace_, Phase::read, worker_, unit);
    index const parts = plan_.scan_bin * plan_.scan_bin;
    encoded_.assign(static_cast<std::size_t>(frames * parts), {});
    std::size_t run = 0;
    for (std::size_t i = 0; i < encoded_.size();) {
        auto const stored = [&](std::size_t k) {
            auto const n = static_cast<index>(k);
            return plan_.stored_frame(first + n / parts, n % parts);
        };
        std::size_t end = i + 1;
        while (end < encoded_.size() && stored(end) == stored(end - 1) + 1) ++end;
        if (run == fetch_scratch_.size()) fetch_scratch_.emplace_back();
        SLUICE_CHECK(dataset_.source->fetch(stored(i), std::span(encoded_).subspan(i, end - i),
                                            fetch_scratch_[run]));
        ++run;
        i = end;
    }
    std::uint64_t bytes = 0;
    for (EncodedFrame const& f : encoded_) bytes += f.bytes.size();
    bytes_read_ += bytes;
    step.bytes(bytes);
    return {};
}

// Sixteen frames are fetched at once; of a binned scan one frame's parts, which may be many.
template <class F>
Status UnitMaker::for_each_slot(index t, F&& make) {
    index const first = t * tile_frames, frames = std::min(tile_frames, plan_.frames() - first);
    bool const together = plan_.scan_bin == 1;
    if (together) {
        SLUICE_CHECK(fetch(t, first, frames));
        Step const step(trace_, Phase::decode, worker_, t);
        for (index slot = 0; slot < frames; ++slot)
            SLUICE_CHECK(make(slot, encoded_.data() + slot));
        return {};
    }
    for (index slot = 0; slot < frames; ++slot) {
        SLUICE_CHECK(fetch(t, first + slot, 1));
        Step const step(trace_, Phase::decode, worker_, t);
        SLUICE_CHECK(make(slot, encoded_.data()));
    }
    return {};
}

// One frame of the result as values of its dtype.
Status UnitMaker::result_values(EncodedFrame const* frames, std::span<std::byte> out) {
    index const parts = plan_.scan_bin * plan_.scan_bin;
    if (plan_.frame_by_frame())
        return decode_values(frames[0], plan_.stored, plan_.rules, out, tally_);
    stored_values_.resize(static_cast<std::size_t>(plan_.stored.pixels() * plan_.stored.bytes()));
    binner_.begin();
    for (index i = 0; i < parts; ++i) {
        SLUICE_CHECK(decode_values(frames[i], plan_.stored, plan_.rules, stored_values_, tally_));
        binner_.add(stored_values_);
    }
    return binner_.finish(out);
}

Status UnitMaker::add_planes(index slot, EncodedFrame const* frames) {
    if (plan_.frame_by_frame()) {
        SLUICE_CHECK(stored_planes_.decode(frames[0], need_rows_, tally_));
        cut(stored_planes_, slot);
        return {};
    }
    result_values_.resize(static_cast<std::size_t>(result_.pixels() * result_.bytes()));
    SLUICE_CHECK(result_values(frames, result_values_));
    Tally already_counted;
    SLUICE_CHECK(result_planes_.decode({.encoding = Encoding::values, .bytes = result_values_},
                                       need_rows_, already_counted));
    cut(result_planes_, slot);
    return {};
}

// The bytes of eight detector rows, each row beginning with a byte of its own.
std::byte const* UnitMaker::rows_of(FramePlanes const& planes, int p, index block_row) {
    index const first = block_row * block_edge * result_.cols;
    std::byte const* const from = planes.plane(p) + first / 8;
    if (result_.cols % 8 == 0) return from;
    index const stride = grid_.block_cols();
    aligned_rows_.assign(static_cast<std::size_t>(block_edge * stride + 8), std::byte{0});
    index const rows = std::min(block_edge, result_.rows - block_row * block_edge);
    for (index r = 0; r < rows; ++r) {
        index const bit = r * result_.cols;  // from `from`, whose first bit is a block row's first
        for (index b = 0; b < stride; ++b) {
            index const at = bit + 8 * b;
            unsigned const two = std::to_integer<unsigned>(from[at / 8]) |
                                 std::to_integer<unsigned>(from[at / 8 + 1]) << 8;
            unsigned byte = two >> (at % 8) & 0xff;
            if (index const left = result_.cols - 8 * b; left < 8) byte &= (1U << left) - 1;
            aligned_rows_[static_cast<std::size_t>(r * stride + b)] = static_cast<std::byte>(byte);
        }
    }
    return aligned_rows_.data();
}

void UnitMaker::cut(FramePlanes const& planes, index slot) {
    auto const& cut_blocks = planes::tile_making(isa_).cut_blocks;
    index const block_cols = grid_.block_cols();
    for (index row = 0; row < grid_.block_rows(); ++row) {
        if (!need_rows_.empty() && !need_rows_[static_cast<std::size_t>(row)]) continue;
        int const count = planes.planes_of_row(row);
        index const rows = std::min(block_edge, result_.rows - row * block_edge);
        std::uint64_t* const words = words_.data() + slot * frame_stride_ + row * block_cols;
        for (int p = 0; p < count; ++p)
            cut_blocks(rows_of(planes, p, row), block_cols, rows, block_cols,
                       words + p * grid_.blocks());
        frame_planes_[static_cast<std::size_t>(slot * grid_.block_rows() + row)] =
            static_cast<std::uint8_t>(count);
    }
}

// Frames that lack a plane which others of the tile have get zeros there.
void UnitMaker::fill_gaps() {
    index const rows = grid_.block_rows(), block_cols = grid_.block_cols();
    for (index row = 0; row < rows; ++row) {
        std::uint8_t most = 0;
        for (index f = 0; f < tile_frames; ++f)
            most = std::max(most, frame_planes_[static_cast<std::size_t>(f * rows + row)]);
        planes_of_row_[static_cast<std::size_t>(row)] = most;
        for (index f = 0; f < tile_frames; ++f)
            for (int p = frame_planes_[static_cast<std::size_t>(f * rows + row)]; p < most; ++p)
                std::fill_n(
                    words_.data() + f * frame_stride_ + p * grid_.blocks() + row * block_cols,
                    block_cols, std::uint64_t{0});
    }
}

Result<index> UnitMaker::make_tile(index t, std::byte* out) {
    expects(plan_.dtype != DType::f32);
    words_.resize(static_cast<std::size_t>(tile_frames * frame_stride_));
    frame_planes_.assign(static_cast<std::size_t>(tile_frames * grid_.block_rows()), 0);
    planes_of_row_.resize(static_cast<std::size_t>(grid_.block_rows()));
    SLUICE_CHECK(for_each_slot(
        t, [&](index slot, EncodedFrame const* parts) { return add_planes(slot, parts); }));
    Step const step(trace_, Phase::decode, worker_, t);
    fill_gaps();
    index const bytes =
        planes::tile_making(isa_).seal(words_.data(), frame_stride_, grid_, planes_of_row_.data(),
                                       need_.empty() ? nullptr : need_.data(), out);
    if (bytes < 0)
        return Error{
            Code::unsupported,
            "a tile of bit planes over 1 GiB (the store's entries end there); use --layout "
            "dense or bin the detector"};
    return bytes;
}

Status UnitMaker::make_values(index t, std::byte* out) {
    auto const frame_bytes = static_cast<std::size_t>(result_.pixels() * result_.bytes());
    return for_each_slot(t, [&](index slot, EncodedFrame const* parts) {
        return result_values(parts, {out + slot * static_cast<index>(frame_bytes), frame_bytes});
    });
}

Status UnitMaker::make_frame(index frame, std::span<std::byte> out) {
    SLUICE_CHECK(fetch(frame / tile_frames, frame, 1));
    return result_values(encoded_.data(), out);
}

}  // namespace sluice::store
