// What a reconstruction begins with: a checked input, places on the canvas, a probe.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/counts.h"
#include "domain/ptychography/model.h"
#include "domain/ptychography/share.h"
#include "domain/ptychography/state.h"

namespace sluice::ptycho {

/// What is known of the patterns before the first step.
struct Totals {
    double mean = 0, largest = 0;      ///< counts of a pattern over its valid pixels
    std::vector<double> pattern = {};  ///< [row][col] mean
};

/// Fails where the patterns make no sense; the error has a remedy.
/// Also the sums of each pattern, for `measured`.
Result<Totals> check(Measured& measured, Share const& share);

/// Where windows begin, and the canvas that holds them.
struct Canvas {
    std::vector<stem4d::Position> corners;
    stem4d::Position shift;  ///< added to the positions given
    index rows = 0, cols = 0;
    double nearest = 0;  ///< the median distance to the nearest other position, in pixels
};
/// Of positions in pixels of the object.
Result<Canvas> make_canvas(std::vector<stem4d::Position> const& positions, index window,
                           index margin);

/// Where windows begin in the first iteration: as given, else as the canvas has them. Fails where
/// one lies beyond the canvas.
Result<std::vector<stem4d::Position>> first_positions(std::vector<stem4d::Position> const& given,
                                                      Canvas const& canvas, index window);

/// [mode]: what the options give, or the mean pattern's moduli with one phase; modes that are not
/// given are made of the first. Its power is that of the mean pattern. Notes say where the power
/// given was another.
template <class Real>
Result<std::vector<Planar<Real>>> first_probe(Model const& model,
                                              stem4d::PtychographyOptions const& options,
                                              Totals const& totals,
                                              std::vector<std::string>& notes);

/// The width of the square in the middle that holds 99 % of the probe's power, in pixels.
template <class Real>
index probe_width(Planar<Real> const& mode);

}  // namespace sluice::ptycho
