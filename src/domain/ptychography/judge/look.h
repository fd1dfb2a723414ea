// Look: what the detectors of artefacts look at, made once of a result.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/ptychography_compare.h"
#include "sluice/ptychography_judge.h"

namespace sluice::ptycho {

using stem4d::Judgement;

struct Look {
    stem4d::PtychographyResult const& result;
    stem4d::LitPart part = {};
    /// [row][col] of the part, rad: of all slices, without the ramp and the mean.
    std::vector<double> phase = {};
    /// power_of() the phase under a Hann window.
    std::vector<double> power = {};

    /// At a frequency in bins, of any sign.
    double power_at(index row, index col) const { return of_half(power, row, col); }
    double of_half(std::vector<double> const& half, index row, index col) const {
        col = (col % part.cols + part.cols) % part.cols;
        if (col > part.cols / 2) row = -row, col = part.cols - col;
        row = (row % part.rows + part.rows) % part.rows;
        return half[static_cast<std::size_t>(row * (part.cols / 2 + 1) + col)];
    }
    bool lit_at(index row, index col) const {
        return part.lit[static_cast<std::size_t>(row * part.cols + col)] != 0;
    }
};

/// `part` is the result's lit_part().
Result<Look> look_at(stem4d::PtychographyResult const& result, stem4d::LitPart part);

/// The window that `power` was made under, along one side.
std::vector<double> hann_window(index n);

/// |transform of [row][col]|^2 as [row][cols / 2 + 1], zero frequency at [0][0]: the other half is
/// the same.
Result<std::vector<double>> power_of(std::vector<double> const& samples, index rows, index cols);

double median_of(std::vector<double> values);

/// Each function looks for one artefact; empty: the result does not show whether it is there.
std::optional<Judgement> find_scan_grid(Look const& look);
std::optional<Judgement> find_checkerboard(Look const& look);
std::optional<Judgement> find_ringing(Look const& look);
std::optional<Judgement> find_streaks(Look const& look);
std::optional<Judgement> find_wraps(Look const& look);
std::optional<Judgement> find_low_contrast(Look const& look);
std::optional<Judgement> find_misfit(stem4d::PtychographyResult const& result);
std::optional<Judgement> find_probe_drift(stem4d::PtychographyResult const& result);
std::optional<Judgement> find_probe_edge(stem4d::PtychographyResult const& result);
std::optional<Judgement> find_probe_power(stem4d::PtychographyResult const& result);

}  // namespace sluice::ptycho
