// The propagator and its rates in the order of the passes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/model.h"
#include "domain/ptychography/planar.h"
#include "domain/ptychography/step/slice_kernels.h"

namespace sluice::ptycho {

class SliceTables {
  public:
    SliceTables() = default;
    explicit SliceTables(Model const& model);

    /// As fft::Spot::pair() says, over side^2: forward and back are not scaled.
    float const* propagator() const { return propagator_.re(0); }
    /// As SliceKernel::propagate_back_and_sum() wants them.
    float const* rates() const { return rates_.re(0); }

  private:
    Planar<float> propagator_, rates_;
};

}  // namespace sluice::ptycho
