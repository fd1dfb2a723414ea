// Layers: a TFC-TDF U-Net as its layers with their weights, ready for maps of one size.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/music/forward/norm.h"
#include "nn/layer.h"

namespace sluice::music {

/// Of maps, and of what is multiplied. In bf16, sums and norms are in float, and so are the
/// products of 3x3 where Winograd's algorithm in float is faster than bf16.
enum class Precision : std::uint8_t { fp32, bf16 };

/// Convolution, layers along frequency, convolution, and a shortcut around them.
struct BlockLayers {
    NormLayer first_norm, wide_norm, narrow_norm, second_norm;
    nn::Layer shortcut, first, narrow, wide, second;
};

/// To the level below, or above.
struct Resampling {
    NormLayer norm;
    nn::Layer layer;
};

struct Level {
    std::vector<BlockLayers> blocks;
    Resampling way;  ///< out of an encoder, into a decoder
};

/// What is done at the end, point by point: final_conv, the part of the mix and that of the
/// last map, and the layer behind them; and first_conv, which is computed a second time there.
struct HeadWeights {
    std::vector<float> first, mix, map, last;
};

struct Layers {
    nn::Layer first;
    std::vector<Level> encoder, decoder;  ///< decoder[i] is of level scales - 1 - i
    std::vector<BlockLayers> bottleneck;
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
