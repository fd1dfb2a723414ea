// Makes units: fetches, decodes, cuts into blocks, seals.
// SPDX-License-Identifier: Apache-2.0
#include "store/unit.h"

#include <algorithm>
#include <cstring>

#include "format/feed.h"
#include "kernel/planes/make_tile.h"

namespace sluice::store {
namespace {

// What stands in the place of a frame that a feed has no more.
constexpr EncodedFrame not_there{};

}  // namespace

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
      // 64 bytes more, so that vectors may read past the end of a plane.
      plane_stride_((planes::FrameRows::plane_bytes(grid_) + 63) / 64 * 64 + 64),
      // Three lines more, so that sixteen frames' rows do not share one set of the cache.
      frame_stride_(result_.planes() * plane_stride_ + 64 * 3),
      loose_stride_((result_.pixels() + 7) / 8 + 64) {
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

// All are fetched at once; of a binned scan one frame's parts, which may be many.
template <class F>
Status UnitMaker::for_each_slot(index first, index frames, F&& make) {
    index const t = first / tile_frames;
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

// A frame of a feed that cannot be decoded is a gap of it; a file's ends the work.
template <class F>
Status UnitMaker::decoded(EncodedFrame const& frame, F&& decode) {
    if (!dataset_.feed) return decode(frame);
    Tally const before = tally_;
    Status status = decode(frame);
    if (status) return status;
    tally_ = before;
    dataset_.feed->spoiled(frame.number, std::move(status).error());
    return decode(not_there);
}

Status UnitMaker::stored_values(EncodedFrame const& frame, std::span<std::byte> out) {
    return decoded(frame, [&](EncodedFrame const& f) {
        return decode_values(f, plan_.stored, plan_.rules, out, tally_);
    });
}

// One frame of the result as values of its dtype.
Status UnitMaker::result_values(EncodedFrame const* frames, std::span<std::byte> out) {
    index const parts = plan_.scan_bin * plan_.scan_bin;
    if (plan_.frame_by_frame()) return stored_values(frames[0], out);
    stored_values_.resize(static_cast<std::size_t>(plan_.stored.pixels() * plan_.stored.bytes()));
    binner_.begin();
    for (index i = 0; i < parts; ++i) {
        std::uint64_t const missing = tally_.missing;
        SLUICE_CHECK(stored_values(frames[i], stored_values_));
        if (plan_.mode == BinMode::mean && tally_.missing > missing)
            binner_.leave_out();
        else
            binner_.add(stored_values_);
    }
    return binner_.finish(out);
}

Status UnitMaker::add_planes(index slot, EncodedFrame const* frames) {
    if (plan_.frame_by_frame())
        return decoded(frames[0], [&](EncodedFrame const& f) {
            return decode(stored_planes_, f, slot, tally_);
        });
    result_values_.resize(static_cast<std::size_t>(result_.pixels() * result_.bytes()));
    SLUICE_CHECK(result_values(frames, result_values_));
    Tally already_counted;
    return decode(result_planes_, {.encoding = Encoding::values, .bytes = result_values_}, slot,
                  already_counted);
}

Status UnitMaker::decode(FramePlanes& planes, EncodedFrame const& frame, index slot, Tally& tally) {
    bool const loose = result_.cols % 8 != 0;
    std::byte* const rows = rows_.data() + slot * frame_stride_;
    SLUICE_CHECK(planes.decode(frame, need_rows_, tally, loose ? loose_.data() : rows,
                               loose ? loose_stride_ : plane_stride_));
    for (index row = 0; row < grid_.block_rows(); ++row) {
        if (!need_rows_.empty() && !need_rows_[static_cast<std::size_t>(row)]) continue;
        int const count = planes.planes_of_row(row);
        for (int p = 0; loose && p < count; ++p) align_rows(p, row, rows + p * plane_stride_);
        frame_planes_[static_cast<std::size_t>(slot * grid_.block_rows() + row)] =
            static_cast<std::uint8_t>(count);
    }
    return {};
}

// Up to eight detector rows of the loose frame, each to bytes of its own.
void UnitMaker::align_rows(int p, index block_row, std::byte* to) const {
    index const first = block_row * block_edge, last = std::min(first + block_edge, result_.rows);
    std::byte const* const from = loose_.data() + p * loose_stride_;
    for (index r = first; r < last; ++r)
        for (index b = 0; b < grid_.block_cols(); ++b) {
            index const at = r * result_.cols + 8 * b;
            unsigned const two = std::to_integer<unsigned>(from[at / 8]) |
                                 std::to_integer<unsigned>(from[at / 8 + 1]) << 8;
            unsigned byte = two >> (at % 8) & 0xff;
            if (index const left = result_.cols - 8 * b; left < 8) byte &= (1U << left) - 1;
            to[r * grid_.block_cols() + b] = static_cast<std::byte>(byte);
        }
}

// Frames that lack a plane which others of the tile have get zeros there.
void UnitMaker::fill_gaps() {
    index const rows = grid_.block_rows(), bytes = block_edge * grid_.block_cols();
    for (index row = 0; row < rows; ++row) {
        std::uint8_t most = 0;
        for (index f = 0; f < tile_frames; ++f)
            most = std::max(most, frame_planes_[static_cast<std::size_t>(f * rows + row)]);
        planes_of_row_[static_cast<std::size_t>(row)] = most;
        for (index f = 0; f < tile_frames; ++f)
            for (int p = frame_planes_[static_cast<std::size_t>(f * rows + row)]; p < most; ++p)
                std::memset(rows_.data() + f * frame_stride_ + p * plane_stride_ + row * bytes, 0,
                            static_cast<std::size_t>(bytes));
    }
}

Result<index> UnitMaker::make_tile(index t, bool for_later, std::byte* out,
                                   planes::Moment* moments) {
    expects(plan_.dtype != DType::f32);
    rows_.resize(static_cast<std::size_t>(tile_frames * frame_stride_));
    if (result_.cols % 8 != 0)
        loose_.resize(static_cast<std::size_t>(result_.planes() * loose_stride_));
    frame_planes_.assign(static_cast<std::size_t>(tile_frames * grid_.block_rows()), 0);
    planes_of_row_.resize(static_cast<std::size_t>(grid_.block_rows()));
    index const first = t * tile_frames, frames = std::min(tile_frames, plan_.frames() - first);
    SLUICE_CHECK(for_each_slot(first, frames, [&](index slot, EncodedFrame const* parts) {
        return add_planes(slot, parts);
    }));
    Step const step(trace_, Phase::decode, worker_, t);
    fill_gaps();
    index const bytes = planes::tile_making(isa_).seal(
        {rows_.data(), frame_stride_, plane_stride_}, grid_, planes_of_row_.data(),
        need_.empty() ? nullptr : need_.data(), for_later, out, moments);
    if (bytes < 0)
        return Error{
            Code::unsupported,
            "a tile of bit planes over 1 GiB (the store's entries end there); use --layout "
            "dense or bin the detector"};
    return bytes;
}

Status UnitMaker::make_values(index t, std::byte* out) {
    index const first = t * tile_frames;
    return make_frames(first, std::min(tile_frames, plan_.frames() - first), out);
}

Status UnitMaker::make_frames(index first, index frames, std::byte* out) {
    auto const frame_bytes = static_cast<std::size_t>(result_.pixels() * result_.bytes());
    return for_each_slot(first, frames, [&](index slot, EncodedFrame const* parts) {
        return result_values(parts, {out + slot * static_cast<index>(frame_bytes), frame_bytes});
    });
}

}  // namespace sluice::store
