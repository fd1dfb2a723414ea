// RemotePlan: the transforms of a Plan where a queue's memory is, on every kind of device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/mirror.h"
#include "fft/axes.h"
#include "fft/engine.h"

namespace sluice::fft {

/// The transform written here, with the same bits on every device as on the host. It owns its
/// tables and the memory it works in there, so one queue may use it at a time. Answers are there
/// after the queue's wait(), and a plan lives until then.
template <class Real>
class RemotePlan {
  public:
    /// Waits for the tables.
    static Result<RemotePlan> make(Queue& queue, Layout const& layout);

    /// Bytes that a plan of a layout that makes sense takes there.
    static index bytes_of(Layout const& layout);
    index bytes() const;

    /// As Plan's; the addresses are the device's.
    Status forward(Queue& queue, Complex<Real>* data);
    Status inverse(Queue& queue, Complex<Real>* data);
    Status forward(Queue& queue, Real const* samples, Complex<Real>* spectra);
    Status inverse(Queue& queue, Complex<Real> const* spectra, Real* samples);

    Sizes const& sizes() const { return sizes_; }

  private:
    using N = Number<Real>;
    struct Passes {
        index length = 1;
        std::vector<index> factors = {};
        N const* roots = nullptr;  ///< on the device, as all tables
    };
    struct Step {
        Passes passes;  ///< of the padded lines where there is a wave
        index outer = 1, length = 1, width = 1;
        N const* wave = nullptr;
        N const* spectrum = nullptr;
    };

    explicit RemotePlan(Sizes sizes) : sizes_(std::move(sizes)) {}

    Status place(Queue& queue);
    Result<Passes> passes_of(Queue& queue, Lines<Real> const& lines);
    Status transform(Queue& queue);
    Status bluestein(Queue& queue, Step const& step);
    /// Lines [outer][length][width] in `here`; they end there, and `other` is overwritten.
    Status run(Queue& queue, Passes const& passes, index outer, index width, Place<N>& here,
               Place<N>& other);
    index numbers() const { return sizes_.batch * sizes_.array; }
    Real scale() const { return 1 / static_cast<Real>(sizes_.array); }

    Sizes sizes_;
    std::vector<Step> steps_;
    Mirror tables_;
    Place<N> here_, other_;           ///< the arrays, without gaps
    Place<N> padded_, other_padded_;  ///< Bluestein's lines
};

extern template class RemotePlan<float>;
extern template class RemotePlan<double>;

}  // namespace sluice::fft
