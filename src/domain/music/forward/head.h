// Head: from the last map, the mix and the first layer to the sub-bands of all stems.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/music/forward/layers.h"

namespace sluice::music {

/// Point by point, so that strips of some frames stay in the caches, in fp32 always:
/// out = last * act(from_mix * mix + from_map * (map . (first * mix))).
class Head {
  public:
    static Result<Head> make(HeadWeights const& weights, Network const& network, index frames,
                             nn::Activation activation, Device const& device);

    index scratch_bytes() const { return scratch_; }
    index weight_bytes() const;

    /// `mix` and `out` are of float. `gated`, if there is one, gets the map times the first layer.
    /// After an error `out` is not valid.
    Status run(Device const& device, nn::Map const& mix, nn::Map const& map, nn::Map const& out,
               nn::Map const* gated, std::byte* scratch, index scratch_step, Run* run) const;

  private:
    void strip(Device const& device, nn::Map const& mix, nn::Map const& map, nn::Map const& out,
               std::byte* scratch) const;

    nn::Activation activation_;
    nn::Affine as_it_is_;
    index rows_ = 0, scratch_ = 0, local_ = 0;
    std::unique_ptr<nn::Operator const> first_, mix_, map_, last_;
};

}  // namespace sluice::music
