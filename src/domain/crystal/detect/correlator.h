// Correlator: two patterns at once with one kernel, by Fourier transforms.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "domain/crystal/detect/detect_kernels.h"
#include "domain/crystal/detect/kernel_image.h"
#include "domain/crystal/probe/aligned_floats.h"
#include "fft/fft.h"

namespace sluice::crystal {

/// Made once, used by any number of threads. Squares of up to 256 are transformed by passes of
/// their own, what is larger by fft::Plan; smaller patterns have zeros around them.
class Correlator {
  public:
    /// Fails where the kernel is larger than the pattern.
    static Result<Correlator> make(std::array<index, 2> shape, KernelImage const& kernel,
                                   Device const& device);

    /// Rows and columns of what is transformed; patterns are in its first rows and columns.
    std::array<index, 2> extents() const { return extents_; }
    /// Floats of a worker's scratch.
    index scratch() const;
    /// The two patterns have zeros behind their last rows and columns.
    void two(float* scratch, float const* a, float const* b, float* out_a, float* out_b) const;

  private:
    Correlator() = default;
    void by_plan(float* scratch, float const* a, float const* b, float* out_a, float* out_b) const;

    std::array<index, 2> extents_{};
    SquareCorrelation const* square_ = nullptr;  // null: by the plan
    fft::Roots const* roots_ = nullptr;
    std::optional<fft::Plan<float>> plan_ = {};
    AlignedFloats factors_ = {};
};

}  // namespace sluice::crystal
