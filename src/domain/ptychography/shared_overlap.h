// Sums over a group where its patterns are on several ranks: on the canvas, row by row, and in the
// window.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/overlap.h"
#include "domain/ptychography/planar.h"
#include "domain/ptychography/share.h"

namespace sluice::ptycho {

/// Columns first to last - 1 of a row are under windows.
struct Touched {
    index first = 0, last = 0;
    index width() const { return std::max<index>(last - first, 0); }
};

inline Touched touched(std::span<WindowPlace const> places, index n, index y, index cols) {
    Touched found{cols, 0};
    for (WindowPlace const& place : places) {
        if (y < place.row || y >= place.row + n) continue;
        found.first = std::min(found.first, place.col);
        found.last = std::max(found.last, place.col + n);
    }
    return found;
}

/// As each_canvas_row(), for the windows of all ranks. To the first `shared` channels a rank adds
/// what its own patterns give, and ranks add these up; to `known` more each rank adds all windows.
template <class Real, class Add, class Apply>
void each_shared_row(Share const& share, std::span<WindowPlace const> places, index n,
                     std::array<index, 2> canvas, int shared, int known, int threads,
                     Add const& add, Apply const& apply) {
    int const channels = shared + known;
    if (share.alone()) {
        each_canvas_row<Real>(places, n, canvas, channels, threads, add, apply);
        return;
    }
    // Rows are kept until ranks have added them up, channel after channel. In front is room for the
    // columns before the first one, from which the pointers to rows count.
    std::vector<index> begins;
    index area = 0;
    for (index y = 0; y < canvas[0]; ++y) {
        Touched const row = touched(places, n, y, canvas[1]);
        begins.push_back(canvas[1] + area - row.first);
        area += row.width();
    }
    std::vector<Real> kept(static_cast<std::size_t>(canvas[1] + area * channels));
    each_canvas_row<Real>(places, n, canvas, channels, threads, add,
                          [&](index y, index first, index last, Real* const* sums) {
                              Real* const row = kept.data() + begins[static_cast<std::size_t>(y)];
                              for (int c = 0; c < channels; ++c)
                                  std::copy(sums[c] + first, sums[c] + last,
                                            row + c * area + first);
                          });
    share.sum(std::span(kept).subspan(static_cast<std::size_t>(canvas[1]),
                                      static_cast<std::size_t>(shared * area)));
    each_canvas_row<Real>(
        places, n, canvas, 0, threads, [](index, index, Real* const*) {},
        [&](index y, index first, index last, Real* const*) {
            std::vector<Real*> sums;
            for (int c = 0; c < channels; ++c)
                sums.push_back(kept.data() + begins[static_cast<std::size_t>(y)] + c * area);
            apply(y, first, last, sums.data());
        });
}

/// Adds up over ranks what each has of a window's plane.
template <class Real>
void sum_window(Share const& share, Planar<Real>& plane) {
    share.sum(std::span(plane.re(0), static_cast<std::size_t>(plane.size())));
}

/// The same of a group's canvases, where its windows are (elsewhere they are zero), and of planes
/// of a window, at once.
template <class Real>
void sum_planes(Share const& share, std::span<WindowPlace const> places, index n,
                std::span<Planar<Real>> canvases, std::span<Planar<Real>> windows) {
    if (share.alone()) return;
    auto const each_piece = [&](auto const& work) {
        for (auto& canvas : canvases)
            for (index y = 0; y < canvas.rows(); ++y) {
                Touched const row = touched(places, n, y, canvas.cols());
                if (row.width() == 0) continue;
                work(canvas.re(y) + row.first, row.width());
                work(canvas.im(y) + row.first, row.width());
            }
        for (auto& window : windows) work(window.re(0), window.size());
    };
    std::vector<Real> packed;
    each_piece(
        [&](Real const* from, index width) { packed.insert(packed.end(), from, from + width); });
    share.sum(std::span(packed));
    Real const* next = packed.data();
    each_piece([&](Real* to, index width) {
        std::copy_n(next, width, to);
        next += width;
    });
}

}  // namespace sluice::ptycho
