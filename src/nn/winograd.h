// Convolutions of 3 by 3 by Winograd's algorithm, which multiplies a quarter as often, together
// with what stands before and behind them in a network. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "nn/normalise.h"
#include "nn/scratch.h"
#include "sluice/result.h"

namespace sluice {
class Run;
}

namespace sluice::nn {

/// Some channels of the image, as act(pixels * scale + shift). Rows are pixels, line by line.
template <class T>
struct Source {
    Rows<T const> pixels;
    Affine affine;
    Activation activation;
};

/// A convolution with a step of one and a margin of one zero. Lavin and Gray 2015, F(4x4, 3x3), in
/// float; the points 0, +-5/8, +-3/2 and infinity lose about 4 dB to the direct sum in float.
class Winograd {
  public:
    /// `weights` is [out][in][3][3], as PyTorch has it. Keeps as many numbers, `out` rounded up
    /// to 32.
    Winograd(std::span<float const> weights, index in, index out);

    index in() const { return in_; }
    index out() const { return out_; }
    index weight_bytes() const { return 4 * static_cast<index>(weights_.size()); }

    /// y = the convolution of the sources' channels, one source after the other; or y += it. y has
    /// out() channels and shares no memory with a source. T is float or Bf16; sums are in float.
    /// Returns the moments of y. The activated image is never stored as a whole. `scratch` grows to
    /// at most 48 MB and 11 MB for each thread, as long as in() <= 2048. Bits do not depend on the
    /// threads; the instruction sets with fused multiplications have the same. The reference sums
    /// directly, in double. Error, beside memory: that of `run`, which may be null.
    template <class T>
    Result<Moments> run(Device const& device, index height, index width,
                        std::span<Source<T> const> sources, bool adds, Rows<T> y, Scratch& scratch,
                        Run* run = nullptr) const;

    /// What `scratch` never grows beyond.
    static index scratch_floats(int threads) {
        return (index{24} << 18) + (index{10} << 18) * threads;
    }

  private:
    index in_, out_;
    std::vector<float> weights_;  // in the order of weight_at()
};

}  // namespace sluice::nn
