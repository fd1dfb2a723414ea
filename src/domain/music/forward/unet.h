// UNet: the network from sub-bands to sub-bands of stems, in memory that is planned once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "domain/music/forward/head.h"
#include "nn/block.h"

namespace sluice::music {

/// Where maps lie: three of the largest, one narrower, and one for each level's skip.
struct MapPlan {
    index largest = 0, narrow = 0;
    std::vector<index> skips;

    static MapPlan of(Network const& network, index frames, nn::Element element);
    index bytes() const;
};

class UNet {
  public:
    static Result<UNet> load(weights::Weights const& weights, Network const& network,
                             Settings const& settings, index frames, Precision precision,
                             Device const& device, Progress const& progress);

    index weight_bytes() const;
    index map_bytes() const { return maps_.size() + 4 * space_.winograd.floats(); }

    /// `mix` is [frames][bins][inputs], `out` is [frames][bins][stems * inputs], both of float.
    /// `run` may be null.
    Status run(nn::Map const& mix, nn::Map const& out, Watch const& watch, Run* run);

  private:
    /// A map and the statistics of its channels.
    struct Known {
        nn::Map map;
        nn::Moments moments;
        int slot = -1;  ///< which of the three, or -1
    };
    UNet(Network const& network, Settings const& settings, Device const& device)
        : network_(network), activation_(settings.activation), device_(device) {}

    nn::Map at(std::byte* data, index height, index width, index channels) const;
    Result<Known> apply(nn::Layer const& layer, std::span<nn::Input const> inputs, nn::Map to,
                        int slot, bool known);
    Result<Known> block(BlockLayers const& b, std::vector<Known> inputs, nn::Map to, int to_slot,
                        int other, bool known);
    Result<Known> resample(Resampling const& r, Known const& x, int slot, bool known);
    Result<Known> stack(std::vector<BlockLayers> const& blocks, std::vector<Known> inputs,
                        std::string_view name, std::byte* last, bool known, Watch const& watch);

    Network network_;
    nn::Activation activation_;
    Device device_;
    nn::Element element_ = nn::Element::f32;
    Layers layers_;
    Head head_;
    MapPlan plan_;
    nn::Block maps_;
    std::byte* slots_[3] = {};
    std::byte* narrow_ = nullptr;
    std::vector<std::byte*> skips_;
    nn::Workspace space_;
};

}  // namespace sluice::music
