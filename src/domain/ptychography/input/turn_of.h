// How patterns_of() takes the detector to lie against the scan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/ptychography.h"

namespace sluice::ptycho {

/// What the options say; where they say neither rotation nor transpose, what the file says.
DetectorTurn turn_of(Scan const& scan, stem4d::PatternsOptions const& options);

/// Tells what was made of what the file says; empty: it says nothing, or that nothing is turned.
std::string note_of_turn(Scan const& scan, stem4d::PatternsOptions const& options);

}  // namespace sluice::ptycho
