// Sums over the patterns of a group as functors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/remote/wave_kernels.h"

namespace sluice::ptycho::remote {

// Each number is added up by one element, in the order of the group: the same bits on every
// device, without atomics.

/// Adds to the canvas the gradients of a slice by windows `first` to `end` - 1 of a group: the
/// conjugate of what entered times what came back. Element = a pixel of a tile.
struct AddObject {
    Tiles tiles;
    index first, end;
    Entry entry;     ///< of the window `first` and those behind it
    Z const* waves;  ///< the same
    index modes;
    Z* sum;  ///< of the slice

    SLUICE_HD void operator()(index i) const {
        index const at = tiles.pixel(i), pixels = tiles.n * tiles.n;
        if (at < 0) return;
        Z all = first == 0 ? Z{} : sum[at];
        tiles.each_window(i, first, end, [&](index slot, index q) {
            Z mine{};
            for (index k = 0; k < modes; ++k) {
                index const j = ((slot - first) * modes + k) * pixels + q;
                mine = mine + entry.at(j, pixels * modes).conjugate() * waves[j];
            }
            all = all + mine;
            return true;
        });
        sum[at] = all;
    }
};

/// The same of a whole group whose gradients were kept: [slot][pixel].
struct KeepObject {
    Entry entry;
    Z const* waves;
    index pixels, modes;
    Z* out;

    SLUICE_HD void operator()(index i) const {
        index const q = i % pixels, slot = i / pixels;
        Z mine{};
        for (index k = 0; k < modes; ++k) {
            index const j = (slot * modes + k) * pixels + q;
            mine = mine + entry.at(j, pixels * modes).conjugate() * waves[j];
        }
        out[i] = mine;
    }
};

/// Adds to the probe's modes what came back for so many patterns: [mode][pixel].
struct AddProbe {
    Z const* waves;  ///< [slot][mode][pixel]
    index count, of_pattern;
    bool begins;
    Z* sum;

    SLUICE_HD void operator()(index i) const {
        Z all = begins ? Z{} : sum[i];
        for (index s = 0; s < count; ++s) all = all + waves[s * of_pattern + i];
        sum[i] = all;
    }
};

/// |probe|^2 of all modes: [pixel].
struct ProbePower {
    Z const* probe;
    index pixels, modes;
    float* out;

    SLUICE_HD void operator()(index i) const {
        float sum = 0;
        for (index k = 0; k < modes; ++k) {
            Z const z = probe[k * pixels + i];
            sum += z.re * z.re + z.im * z.im;
        }
        out[i] = sum;
    }
};

/// |object|^2 of the first slice, summed over a group where the probe stood: [pixel].
struct ObjectPower {
    Some group;
    index count;
    Z const* object;
    CanvasShape canvas;
    index n;
    float* out;

    SLUICE_HD void operator()(index i) const {
        float sum = 0;
        for (index s = 0; s < count; ++s) {
            Z const z = object[canvas.at(group.corner(s), i, n)];
            sum += z.re * z.re + z.im * z.im;
        }
        out[i] = sum;
    }
};

/// A group's |probe|^2 on the canvas, for each pixel of its tiles.
struct AddLight {
    Tiles tiles;
    index count;         ///< windows
    float const* power;  ///< [pixel] of a window
    float* out;

    SLUICE_HD void operator()(index i) const {
        float sum = 0;
        if (tiles.pixel(i) >= 0)
            tiles.each_window(i, 0, count, [&](index, index q) {
                sum += power[q];
                return true;
            });
        out[i] = sum;
    }
};

/// The largest |object|^2 of all slices, for each pixel of a group's tiles that a window has.
struct LitPower {
    Tiles tiles;
    index count;  ///< windows
    Z const* object;
    float* out;

    SLUICE_HD void operator()(index i) const {
        index const at = tiles.pixel(i);
        bool lit = false;
        if (at >= 0)
            tiles.each_window(i, 0, count, [&](index, index) {
                lit = true;
                return false;
            });
        float most = 0;
        for (index s = 0; lit && s < tiles.canvas.slices; ++s) {
            Z const z = object[s * tiles.canvas.size() + at];
            float const power = z.re * z.re + z.im * z.im;
            most = power > most ? power : most;
        }
        out[i] = most;
    }
};

/// The largest of n numbers that are `parts` apart, for each of the first `parts`.
struct Largest {
    float const* from;
    index n, parts;
    float* to;

    SLUICE_HD void operator()(index i) const {
        float most = from[i];
        for (index k = i + parts; k < n; k += parts) most = from[k] > most ? from[k] : most;
        to[i] = most;
    }
};

}  // namespace sluice::ptycho::remote
