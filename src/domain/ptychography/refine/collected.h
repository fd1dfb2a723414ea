// Collected: what the gradients of an iteration say of all but object and probe.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "domain/ptychography/step/step.h"

namespace sluice::ptycho {

struct Collected {
    std::vector<std::array<double, 2>> position = {}, descan = {};  ///< [pattern] dL/d(row, col)
    std::vector<double> counts = {};                                ///< [pattern] modelled ones
    /// [row][col] of a pattern, where there is a background: sums of dL/d(background), and of
    /// 1 / modelled counts.
    std::vector<double> background = {}, background_weight = {};
    double dark_counts = 0;  ///< added to modelled counts, so that none is 0
    double slice = 0, slice_reach = 0;
    std::array<double, 2> tilt = {}, tilt_reach = {};

    /// Nothing yet; of so many patterns.
    void clear(index patterns, std::size_t background_pixels) {
        auto const n = static_cast<std::size_t>(patterns);
        position.assign(n, {});
        descan.assign(n, {});
        counts.assign(n, 0);
        background.assign(background_pixels, 0);
        background_weight.assign(background_pixels, 0);
        slice = slice_reach = 0;
        tilt = tilt_reach = {};
    }

    template <class Real>
    void add(std::size_t pattern, Gradients<Real> const& from) {
        position[pattern] = from.position;
        descan[pattern] = from.descan;
        counts[pattern] = from.errors.model;
        for (std::size_t q = 0; q < background.size(); ++q) {
            background[q] += static_cast<double>(from.background[q]);
            background_weight[q] += 1 / (static_cast<double>(from.model[q]) + dark_counts);
        }
        slice += from.slice;
        slice_reach += from.slice_reach;
        for (std::size_t i : {0U, 1U}) {
            tilt[i] += from.tilt[i];
            tilt_reach[i] += from.tilt_reach[i];
        }
    }
};

}  // namespace sluice::ptycho
