// Overlap: sums over the windows of a group where they lie on the canvas, row by row.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "device/workers.h"
#include "domain/ptychography/model.h"

namespace sluice::ptycho {

/// Calls apply(row, first, last, sums) for each row of the canvas that a window touches: columns
/// first to last - 1 of sums[channel] hold what add(window, its row, to) added to to[channel][0 ..
/// n-1], in the order of the windows. So no bit depends on the threads.
template <class Real, class Add, class Apply>
void each_canvas_row(std::span<WindowPlace const> places, index n, std::array<index, 2> canvas,
                     int channels, int threads, Add const& add, Apply const& apply) {
    constexpr index band = 8;  // rows that a thread takes at a time
    std::vector<std::vector<Real>> rooms(static_cast<std::size_t>(std::max(threads, 1)));
    parallel_from_ends((canvas[0] + band - 1) / band, threads, [&](index task, int worker) {
        auto& room = rooms[static_cast<std::size_t>(worker)];
        room.resize(static_cast<std::size_t>(channels * canvas[1]));
        std::vector<Real*> sums, to(static_cast<std::size_t>(channels));
        for (int c = 0; c < channels; ++c) sums.push_back(room.data() + c * canvas[1]);
        for (index y = task * band; y < std::min((task + 1) * band, canvas[0]); ++y) {
            index first = canvas[1], last = 0;
            for (WindowPlace const& place : places) {
                if (y < place.row || y >= place.row + n) continue;
                first = std::min(first, place.col);
                last = std::max(last, place.col + n);
            }
            if (first >= last) continue;
            for (Real* sum : sums) std::fill(sum + first, sum + last, Real{0});
            for (std::size_t w = 0; w < places.size(); ++w) {
                WindowPlace const& place = places[w];
                if (y < place.row || y >= place.row + n) continue;
                for (std::size_t c = 0; c < to.size(); ++c) to[c] = sums[c] + place.col;
                add(static_cast<index>(w), y - place.row, to.data());
            }
            apply(y, first, last, sums.data());
        }
    });
}

}  // namespace sluice::ptycho
