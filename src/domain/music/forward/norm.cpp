// Norms: each is an affine map of every channel, once the statistics are known.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/forward/norm.h"

#include <utility>

namespace sluice::music {
namespace {

using Kind = NormKind::Kind;

Result<std::vector<float>> vector_of(weights::Weights const& weights, std::string const& name) {
    SLUICE_TRY(Numbers const n, numbers_of(weights, name));
    return std::vector<float>(n.floats().begin(), n.floats().end());
}

// Channels have equally many pixels, so that a group's mean is that of their means.
nn::Moments pooled(nn::Moments const& m, index groups) {
    nn::Moments out = m;
    std::size_t const n = m.mean.size() / static_cast<std::size_t>(groups);
    auto const number = static_cast<double>(n);
    for (std::size_t first = 0; first < m.mean.size(); first += n) {
        double mean = 0, variance = 0;
        for (std::size_t c = first; c < first + n; ++c) mean += m.mean[c] / number;
        for (std::size_t c = first; c < first + n; ++c) {
            double const apart = m.mean[c] - mean;
            variance += (m.variance[c] + apart * apart) / number;
        }
        for (std::size_t c = first; c < first + n; ++c) {
            out.mean[c] = mean;
            out.variance[c] = variance;
        }
    }
    return out;
}

}  // namespace

Result<NormLayer> NormLayer::read(weights::Weights const& weights, std::string const& prefix,
                                  NormKind kind, index channels) {
    NormLayer n;
    n.kind_ = kind;
    auto const size = static_cast<std::size_t>(channels);
    if (kind.kind == Kind::none) {
        n.fixed_ = {std::vector<float>(size, 1.0F), std::vector<float>(size, 0.0F)};
        return n;
    }
    SLUICE_TRY(n.gamma_, vector_of(weights, prefix + "weight"));
    SLUICE_TRY(n.beta_, vector_of(weights, prefix + "bias"));
    if (kind.kind != Kind::batch) return n;
    SLUICE_TRY(auto const mean, vector_of(weights, prefix + "running_mean"));
    SLUICE_TRY(auto const variance, vector_of(weights, prefix + "running_var"));
    n.fixed_ = nn::normalising({{mean.begin(), mean.end()}, {variance.begin(), variance.end()}},
                               n.gamma_, n.beta_, norm_epsilon);
    return n;
}

nn::Affine NormLayer::affine(nn::Moments const& moments) const {
    if (!wants_moments()) return fixed_;
    if (kind_.kind == Kind::single) return nn::normalising(moments, gamma_, beta_, norm_epsilon);
    return nn::normalising(pooled(moments, kind_.groups), gamma_, beta_, norm_epsilon);
}

nn::Moments joined(nn::Moments const& a, nn::Moments const& b) {
    nn::Moments out = a;
    out.mean.insert(out.mean.end(), b.mean.begin(), b.mean.end());
    out.variance.insert(out.variance.end(), b.variance.begin(), b.variance.end());
    return out;
}

nn::Affine part(nn::Affine const& a, index first, index count) {
    auto const cut = [&](std::vector<float> const& v) {
        return std::vector<float>(v.begin() + first, v.begin() + first + count);
    };
    return {cut(a.scale), cut(a.shift)};
}

}  // namespace sluice::music
