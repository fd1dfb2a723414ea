// The object that a reconstruction begins with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/start/single_side_band.h"

namespace sluice::ptycho {

/// [slice] canvases: what the options give, else 1, drawn phases, or a weak phase by the single
/// side band. Notes say how it begins where that is not 1.
template <class Real>
Result<std::vector<Planar<Real>>> first_object(Measured const& measured, Share const& share,
                                               stem4d::PtychographyOptions const& options,
                                               Canvas const& canvas, Planar<Real> const& probe,
                                               std::vector<std::string>& notes);

/// Fails where an object cannot begin as the options say.
Status check_first_object(stem4d::Patterns const& patterns,
                          stem4d::PtychographyOptions const& options);

}  // namespace sluice::ptycho
