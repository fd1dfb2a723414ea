// The grid that waves are computed on: its side, its pixels, and what a detector sees of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/model.h"

namespace sluice::ptycho {

/// Fails where the detector's options make no sense. Notes say what is sampled too coarsely.
Status check_grid(stem4d::Patterns const& patterns, stem4d::PtychographyOptions const& options,
                  std::vector<std::string>* notes = nullptr);

stem4d::PtychographyGrid grid_of(stem4d::Patterns const& patterns,
                                 stem4d::PtychographyOptions const& options);

/// The positions given, in pixels of the grid.
std::vector<Position> positions_on_grid(stem4d::Patterns const& patterns,
                                        stem4d::PtychographyOptions const& options);

/// What is the same in all stages.
Model model_of(stem4d::Patterns const& patterns, stem4d::PtychographyOptions const& options);

}  // namespace sluice::ptycho
