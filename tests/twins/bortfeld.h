// Bortfeld's analytic Bragg curve.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice::proton {

/// Bortfeld, Med. Phys. 24 (1997) 2024: MeV cm2/g a proton at a depth in water, all lengths in mm.
struct Bortfeld {
    double range = 0;      ///< of the protons, mm
    double sigma = 0;      ///< of the range, straggling and spread together, mm
    double loss = 0.0012;  ///< of fluence, 1/mm
    double local = 0.6;    ///< part of what is lost that stays where it is
    double tail = 0;       ///< part of the fluence in the low-energy tail
    double dose(double depth) const;
};

}  // namespace sluice::proton
