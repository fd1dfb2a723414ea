// What a stage moves beside object and probe: positions, descan, the background, slices.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/job.h"
#include "domain/ptychography/start/start.h"

namespace sluice::ptycho {

/// Fails where a stage cannot refine what it should.
Status check_refinement(stem4d::PtychographyOptions const& options);

/// Before a stage: the first background, room for shifts, and where positions are.
template <class Real>
void begin_refinement(Job<Real>& job, Totals const& totals, std::vector<std::uint8_t> const& bad);

/// After an iteration, by the gradients that it collected. Notes name the refinements that were
/// given up.
template <class Real>
Status refine(Job<Real>& job, std::vector<std::string>& notes);

/// After a stage: how far positions moved.
template <class Real>
void end_refinement(Job<Real> const& job, std::vector<std::string>& notes);

/// Gauss and Newton's step for every position, or one affine map of all. Returns which positions
/// have so little structure beneath them that they stay.
template <class Real>
void step_positions(Job<Real>& job, std::vector<std::uint8_t> const& placed);

/// Every position tries some places at random; 1 for those that moved. Fails when the work is to
/// stop.
template <class Real>
Result<std::vector<std::uint8_t>> search_positions(Job<Real>& job);

/// Windows stay on the canvas.
template <class Real>
void put_position(Job<Real>& job, std::size_t pattern, stem4d::Position place);

template <class Real>
void step_descan(Job<Real>& job);
template <class Real>
void step_background(Job<Real>& job);
template <class Real>
void step_slices(Job<Real>& job);

}  // namespace sluice::ptycho
