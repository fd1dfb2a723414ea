// The transform written here: mixed radix, and Bluestein's where a prime factor is large.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "fft/butterfly.h"

namespace sluice::fft {

/// Forward transforms of one length, side by side: x[length][width] along its first index.
template <class Real>
class Lines {
  public:
    struct Chirp;

    explicit Lines(index length);

    void forward(Number<Real>* x, index width) const;

    index length() const { return length_; }
    /// Of the length; empty where Bluestein's is used, and for length 1.
    std::vector<index> const& factors() const { return factors_; }
    /// exp(-2 pi i k / length)
    std::vector<Number<Real>> const& roots() const { return roots_; }
    /// Null where Bluestein's is not used.
    Chirp const* chirp() const { return chirp_.get(); }

  private:
    void bluestein(Number<Real>* x, index width) const;

    index length_;
    std::vector<index> factors_;
    std::vector<Number<Real>> roots_;
    std::shared_ptr<Chirp const> chirp_;
};

/// A length n as a circular convolution of a length that is a power of two.
template <class Real>
struct Lines<Real>::Chirp {
    index padded;
    Lines lines;
    std::vector<Number<Real>> wave;      ///< exp(-pi i k^2 / n), k < n
    std::vector<Number<Real>> spectrum;  ///< of its conjugate on both sides of 0, over padded

    explicit Chirp(index n);
};

extern template class Lines<float>;
extern template class Lines<double>;

}  // namespace sluice::fft
