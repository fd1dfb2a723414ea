// What the files that bind ptychography share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <optional>
#include <string>

#include "bind/arrays.h"
#include "sluice/ptychography_file.h"

namespace sluice::python {

/// Stages and settings as dicts of Python's values, by their names.
stem4d::PtychographyOptions ptychography_options(
    nb::list const& stages, nb::dict const& settings,
    std::optional<Dense<std::complex<float>, 3>> const& probe, std::string const& device,
    int threads);

/// Raises where a probe [mode, row, col] is of another window.
void expect_probe(stem4d::Patterns const& patterns, stem4d::PtychographyOptions const& options,
                  std::optional<Dense<std::complex<float>, 3>> const& probe);

/// [pattern, 2] as positions.
std::vector<stem4d::Position> ptychography_positions(Dense<double, 2> const& array);

/// What the fields of a PtychographyResult say, whose arrays are dense and of their types.
stem4d::SavedPtychography saved_ptychography(nb::dict const& found);

}  // namespace sluice::python
