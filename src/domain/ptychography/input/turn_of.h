// How patterns_of() takes the detector to lie against the scan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/ptychography.h"

namespace sluice::ptycho {

/// The turn of the options; where they have neither rotation nor transpose, that of the file.
DetectorTurn turn_of(Scan const& scan, stem4d::PatternsOptions const& options);

/// The note about the file's rotation; empty: it states none, or 0.
std::string note_of_turn(Scan const& scan, stem4d::PatternsOptions const& options);

}  // namespace sluice::ptycho
