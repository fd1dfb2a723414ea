// Takes sums in any order, and writes them in one.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/table_sink.h"

#include <algorithm>

namespace sluice::stem4d {
namespace {

constexpr index small = TableUnits::edge, large = PatternSums::edges[0], ratio = large / small;
static_assert(PatternSums::edges[1] == small);

index over(index a, index b) {
    return (a + b - 1) / b;
}

}  // namespace

TableSink::TableSink(store::Plan const& plan, PatternSums const& squares, index rings,
                     bool patterns, ScratchFile scratch)
    : plan_(plan),
      squares_(squares),
      rings_(rings),
      patterns_(patterns),
      scratch_(std::move(scratch)),
      moments_(static_cast<std::size_t>(plan.frames())) {
    for (index row = 0; row < plan.scan[0]; row += small)
        left_.push_back(std::min(small, plan.scan[0] - row) * plan.scan[1]);
    for (index row = 0; row < std::ssize(left_); row += ratio)
        left_large_.push_back(std::min(ratio, std::ssize(left_) - row));
}

Status TableSink::take(TableUnits::Partial const& partial) {
    std::lock_guard const lock(mutex_);
    for (auto const& [square, sums] : partial.squares) {
        auto& to = open_[square];
        to.resize(sums.size());
        for (std::size_t i = 0; i < sums.size(); ++i) to[i] += sums[i];
    }
    for (auto const& [first, run] : partial.runs) {
        std::ranges::copy(run.moments, moments_.begin() + first);
        SLUICE_CHECK(take_rings(first, run));
        SLUICE_CHECK(take_frames(first, std::ssize(run.moments)));
    }
    return {};
}

Result<TableSink::Piece> TableSink::put(Bytes bytes) {
    Piece const piece{scratch_.size()};
    SLUICE_CHECK(scratch_.write(bytes));
    return piece;
}

Status TableSink::take_rings(index first, TableUnits::Run const& run) {
    if (rings_ == 0) return {};
    std::uint64_t largest = 1;
    for (auto const& ring : run.rings) largest = std::max(largest, *std::ranges::max_element(ring));
    Piece piece{scratch_.size(), run.moments.size()};
    for (auto const& ring : run.rings) {
        store::Narrow numbers(ring.size(), largest);
        numbers.put(0, ring);
        piece.width = numbers.width();
        SLUICE_CHECK(scratch_.write(numbers.stored()));
    }
    ring_pieces_.emplace(first, piece);
    return {};
}

// A row of squares is finished when all of its frames have come.
Status TableSink::take_frames(index first, index count) {
    if (!patterns_) return {};
    index const row_frames = small * plan_.scan[1], end = first + count;
    for (index row = first / row_frames; row * row_frames < end; ++row) {
        index& left = left_[static_cast<std::size_t>(row)];
        left -= std::min(end, (row + 1) * row_frames) - std::max(first, row * row_frames);
        if (left == 0) SLUICE_CHECK(finish_row(row));
    }
    return {};
}

Status TableSink::finish_row(index row) {
    index const across = over(plan_.scan[1], small), large_across = over(plan_.scan[1], large);
    auto const numbers = static_cast<std::size_t>(plan_.grid().blocks() * 64);
    for (index col = 0; col < across; ++col) {
        auto sums = open_.extract(row * across + col);
        auto& to = open_large_[row / ratio * large_across + col / ratio];
        to.resize(numbers);
        if (sums.empty()) {  // nothing of it was measured
            SLUICE_CHECK(finish_square(1, row * across + col, std::vector<std::uint64_t>(numbers)));
            continue;
        }
        for (std::size_t i = 0; i < numbers; ++i) to[i] += sums.mapped()[i];
        SLUICE_CHECK(finish_square(1, row * across + col, sums.mapped()));
    }
    if (--left_large_[static_cast<std::size_t>(row / ratio)] > 0) return {};
    for (index col = 0; col < large_across; ++col) {
        index const square = row / ratio * large_across + col;
        SLUICE_CHECK(finish_square(0, square, open_large_.extract(square).mapped()));
    }
    return {};
}

Status TableSink::finish_square(std::size_t level, index square,
                                std::vector<std::uint64_t> const& sums) {
    auto const rows = squares_.packed(sums);
    std::vector<std::byte> bytes;
    for (store::Narrow const& row : rows) bytes.push_back(static_cast<std::byte>(row.width()));
    for (store::Narrow const& row : rows)
        bytes.insert(bytes.end(), row.stored().begin(), row.stored().end());
    SLUICE_TRY(Piece const piece, put(bytes));
    done_[level][square] = {piece.at, bytes.size(), 0};
    return {};
}

Result<std::vector<std::uint64_t>> TableSink::ring(index k) const {
    std::vector<std::uint64_t> all(moments_.size());
    for (auto const& [first, piece] : ring_pieces_) {
        std::vector<std::byte> bytes(piece.count * piece.width);
        SLUICE_CHECK(scratch_.read(piece.at + static_cast<std::uint64_t>(k) * bytes.size(), bytes));
        store::Narrow(piece.count, std::move(bytes))
            .add_to(std::span(all).subspan(static_cast<std::size_t>(first), piece.count));
    }
    return all;
}

Status TableSink::write_rings(TablesWriter& to, TablesHead& head) const {
    std::vector<std::uint64_t> below(moments_.size());
    auto const add = [&](std::vector<std::uint64_t> const& numbers, Stretch& its) -> Status {
        store::Narrow wide(numbers.size(), *std::ranges::max_element(numbers));
        wide.put(0, numbers);
        SLUICE_TRY(its, to.add(wide.stored()));
        return {};
    };
    for (index k = 0; k <= rings_; ++k) {
        auto const half = static_cast<std::size_t>(k / 2);
        if (k % 2 == 0) SLUICE_CHECK(add(below, head.below[half]));
        if (k == rings_) break;
        SLUICE_TRY(auto const its, ring(k));
        if (k % 2 == 0) SLUICE_CHECK(add(its, head.own[half]));
        for (std::size_t f = 0; f < below.size(); ++f) below[f] += its[f];
    }
    return {};
}

Status TableSink::write(TablesWriter& to, TablesHead& head) const {
    SLUICE_TRY(head.moments, to.add(std::as_bytes(std::span(moments_))));
    for (planes::Moment const& m : moments_) head.largest = std::max(head.largest, m.sum);
    if (rings_ > 0) SLUICE_CHECK(write_rings(to, head));
    for (std::size_t level = 0; level < done_.size(); ++level)
        for (auto const& [square, stretch] : done_[level]) {
            std::vector<std::byte> bytes(static_cast<std::size_t>(stretch.bytes));
            SLUICE_CHECK(scratch_.read(stretch.at, bytes));
            SLUICE_TRY(head.squares[level][static_cast<std::size_t>(square)], to.add(bytes));
        }
    return {};
}

}  // namespace sluice::stem4d
