// NormLayer: from the statistics of a map to what its channels are multiplied with and moved by.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/music/forward/settings.h"
#include "domain/music/forward/tensors.h"
#include "nn/normalise.h"

namespace sluice::music {

/// Added to the variance: the default of all norms of PyTorch.
inline constexpr double norm_epsilon = 1e-5;

class NormLayer {
  public:
    NormLayer() = default;
    /// Of the tensors prefix + "weight" and so on.
    static Result<NormLayer> read(weights::Weights const& weights, std::string const& prefix,
                                  NormKind kind, index channels);

    bool wants_moments() const {
        return kind_.kind == NormKind::Kind::single || kind_.kind == NormKind::Kind::groups;
    }
    /// `moments` is of the map; without wants_moments() it is not read.
    nn::Affine affine(nn::Moments const& moments) const;
    /// From its tensors; for none and batch affine() contains them.
    std::vector<float> const& gamma() const { return gamma_; }
    std::vector<float> const& beta() const { return beta_; }

  private:
    NormKind kind_;
    std::vector<float> gamma_, beta_;
    nn::Affine fixed_;  ///< of the norms none and batch
};

/// Of a map whose channels are those of `a` and then those of `b`.
nn::Moments joined(nn::Moments const& a, nn::Moments const& b);
/// Of channels [first, first + count).
nn::Affine part(nn::Affine const& a, index first, index count);

}  // namespace sluice::music
