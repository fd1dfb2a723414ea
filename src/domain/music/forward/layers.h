// Layers: a TFC-TDF U-Net as its layers with their weights, ready for maps of one size.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/music/engine.h"
#include "domain/music/forward/layer_list.h"
#include "domain/music/forward/norm.h"
#include "nn/layer.h"

namespace sluice::music {

using BlockLayers = BlockOf<nn::Layer, NormLayer>;
using Resampling = WayOf<nn::Layer, NormLayer>;
using Level = LevelOf<nn::Layer, NormLayer>;

/// What is done at the end, point by point: final_conv, the part of the mix and that of the
/// last map, and the layer behind them; and first_conv, which is computed a second time there.
struct HeadWeights {
    std::vector<float> first, mix, map, last;
};

Result<HeadWeights> read_head(weights::Weights const& weights, Network const& network);

struct Layers : LayersOf<nn::Layer, NormLayer> {
    HeadWeights head;

    /// All of them, for sums over layers.
    std::vector<nn::Layer const*> all() const;
};

/// Reads the weights and puts them in order, tensor by tensor, on the device's threads.
/// `progress` counts tensors.
Result<Layers> load_layers(weights::Weights const& weights, Network const& network, NormKind norm,
                           index frames, Precision precision, Device const& device,
                           Progress const& progress = {});

}  // namespace sluice::music
