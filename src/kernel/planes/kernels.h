// The kernels over bit planes, as functors: one element each, on any device, obviously correct.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/planes/tile.h"

namespace sluice::planes {

/// Virtual detectors: element i = detector * frames + frame sums the pixels of its mask. Exact.
struct VirtualSum {
    TileSet set;
    MaskWord const* words;    ///< of all detectors, one after the other
    index const* first_word;  ///< [detectors + 1]
    index detectors;
    std::uint64_t* out;  ///< [detector][frame]

    SLUICE_HD void operator()(index i) const {
        index const detector = i / set.frames, frame = i % set.frames;
        Tile const tile = set.tile(frame / tile_frames);
        index const f = frame % tile_frames;
        std::uint64_t sum = 0;
        for (index w = first_word[detector]; w < first_word[detector + 1]; ++w) {
            Tile::Entry const e = tile.entry(words[w].block);
            std::uint64_t const* planes = tile.words(e);
            for (int p = 0; p < e.planes; ++p)
                sum += static_cast<std::uint64_t>(
                           popcount(planes[p * tile_frames + f] & words[w].bits))
                       << p;
        }
        out[i] = sum;
    }
};

/// Mass and first moments of one frame, exact.
struct Moment {
    std::uint64_t sum, row, col;  ///< of I, row * I and col * I over the mask
};

/// First moments: element i = frame.
struct Moments {
    TileSet set;
    MaskWord const* words;
    index word_count;
    Moment* out;  ///< [frame]

    SLUICE_HD void operator()(index i) const {
        Tile const tile = set.tile(i / tile_frames);
        index const f = i % tile_frames, block_cols = set.grid.block_cols();
        Moment m{0, 0, 0};
        for (index w = 0; w < word_count; ++w) {
            Tile::Entry const e = tile.entry(words[w].block);
            std::uint64_t const* planes = tile.words(e);
            auto const row0 = static_cast<std::uint64_t>(words[w].block / block_cols * block_edge);
            auto const col0 = static_cast<std::uint64_t>(words[w].block % block_cols * block_edge);
            for (int p = 0; p < e.planes; ++p) {
                std::uint64_t const bits = planes[p * tile_frames + f] & words[w].bits;
                for (unsigned k = 0; k < 64; ++k) {
                    std::uint64_t const v = (bits >> k & 1) << p;
                    m.sum += v;
                    m.row += v * (row0 + k / 8);
                    m.col += v * (col0 + k % 8);
                }
            }
        }
        out[i] = m;
    }
};

/// What is kept per detector pixel over a set of frames.
struct PixelStats {
    std::uint64_t sum, max;
    double squares;  ///< sum of the squares, exact below 2^53
};

/// Diffraction patterns over the scan or a part of it: element i = block * 64 + bit.
struct PatternStats {
    TileSet set;
    std::uint16_t const* frame_mask;  ///< [tile], bit f: frame f of the tile takes part
    PixelStats* out;                  ///< [block * 64 + bit]

    SLUICE_HD void operator()(index i) const {
        index const block = i / 64;
        int const bit = static_cast<int>(i % 64);
        PixelStats s{0, 0, 0};
        for (index t = 0; t < set.tiles; ++t) {
            Tile const tile = set.tile(t);
            Tile::Entry const e = tile.entry(block);
            std::uint64_t const* planes = tile.words(e);
            for (index f = 0; f < tile_frames; ++f) {
                if (!(frame_mask[t] >> f & 1)) continue;
                std::uint64_t v = 0;
                for (int p = 0; p < e.planes; ++p)
                    v |= (planes[p * tile_frames + f] >> bit & 1) << p;
                s.sum += v;
                s.squares += static_cast<double>(v) * static_cast<double>(v);
                s.max = v > s.max ? v : s.max;
            }
        }
        out[i] = s;
    }
};

/// Float weights per pixel: element i = frame. Eight partial sums in a fixed order, so that every
/// device adds in the same order.
struct WeightedSum {
    TileSet set;
    float const* weights;  ///< [block * 64 + bit]
    double* out;           ///< [frame]

    SLUICE_HD void operator()(index i) const {
        Tile const tile = set.tile(i / tile_frames);
        index const f = i % tile_frames;
        double lane[8] = {};
        for (index block = 0; block < tile.blocks; ++block) {
            Tile::Entry const e = tile.entry(block);
            std::uint64_t const* planes = tile.words(e);
            if (e.planes == 0) continue;
            for (int k = 0; k < 64; ++k) {
                std::uint64_t v = 0;
                for (int p = 0; p < e.planes; ++p) v |= (planes[p * tile_frames + f] >> k & 1) << p;
                lane[k % 8] +=
                    static_cast<double>(v) * static_cast<double>(weights[block * 64 + k]);
            }
        }
        double sum = 0;
        for (double l : lane) sum += l;
        out[i] = sum;
    }
};

}  // namespace sluice::planes
