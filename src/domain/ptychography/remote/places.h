// Where things are on a device: windows on the canvas, groups of them, tiles that windows touch.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fft/butterfly.h"
#include "sluice/view.h"

namespace sluice::ptycho::remote {

using Z = fft::Number<float>;

/// The first pixel of a pattern's window, and the part of a pixel that its probe moves by.
struct Corner {
    double row_part, col_part;
    std::int32_t row, col;
};

/// Some patterns of a group, in its order.
struct Some {
    Corner const* corners;      ///< [pattern]
    std::int32_t const* order;  ///< the first one's pattern

    SLUICE_HD index pattern(index slot) const { return order[slot]; }
    SLUICE_HD Corner const& corner(index slot) const { return corners[order[slot]]; }
};

/// The object's slices.
struct CanvasShape {
    index rows, cols, slices;

    SLUICE_HD index size() const { return rows * cols; }
    /// Of pixel q of a window of n pixels a side.
    SLUICE_HD index at(Corner const& corner, index q, index n) const {
        return (corner.row + q / n) * cols + corner.col + q % n;
    }
};

/// A square of the canvas, and the windows of a group that touch it.
struct Tile {
    static constexpr index side = 32;
    static constexpr index area = side * side;
    std::int32_t row, col;      ///< in tiles
    std::int32_t first, count;  ///< of `windows`
};

/// The tiles that a group touches. An element of a kernel is a pixel of one.
struct Tiles {
    CanvasShape canvas;
    index n;  ///< side of a window
    Some group;
    Tile const* tiles;
    std::int32_t const* windows;  ///< slots in the group, ascending for each tile

    SLUICE_HD index row(index i) const {
        return tiles[i / Tile::area].row * Tile::side + i % Tile::area / Tile::side;
    }
    SLUICE_HD index col(index i) const {
        return tiles[i / Tile::area].col * Tile::side + i % Tile::side;
    }
    /// On the canvas; -1: beyond its edge.
    SLUICE_HD index pixel(index i) const {
        index const y = row(i), x = col(i);
        return y < canvas.rows && x < canvas.cols ? y * canvas.cols + x : -1;
    }

    /// work(slot, pixel of the window) for the windows from slot `first` to `end` - 1 that have the
    /// pixel, in the group's order, as long as it says true.
    template <class Work>
    SLUICE_HD void each_window(index i, index first, index end, Work const& work) const {
        Tile const& tile = tiles[i / Tile::area];
        std::int32_t const* const here = windows + tile.first;
        index low = 0, high = tile.count;
        while (low < high) {
            index const middle = (low + high) / 2;
            if (here[middle] < first)
                low = middle + 1;
            else
                high = middle;
        }
        index const y = row(i), x = col(i);
        for (; low < tile.count && here[low] < end; ++low) {
            Corner const& corner = group.corner(here[low]);
            index const r = y - corner.row, c = x - corner.col;
            if (r < 0 || r >= n || c < 0 || c >= n) continue;
            if (!work(index{here[low]}, r * n + c)) return;
        }
    }
};

}  // namespace sluice::ptycho::remote
