// RemoteLayers: a TFC-TDF U-Net as its layers, with their weights on a device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/arena.h"
#include "domain/music/forward/layer_list.h"
#include "domain/music/forward/settings.h"
#include "format/weights/weights.h"
#include "nn/remote/convolver.h"

namespace sluice::music {

struct RemoteNorm {
    NormKind kind;
    index channels = 0;
    float const* gamma = nullptr;  ///< where the moments of a map are wanted, and beta
    float const* beta = nullptr;
    float* affine = nullptr;  ///< [2][channels]: computed anew for each map, or what it always is

    bool wants_moments() const {
        return kind.kind == NormKind::Kind::single || kind.kind == NormKind::Kind::groups;
    }
};

/// Of inputs as they are: an operator for each, whose answers are added. Else one operator for the
/// inputs side by side.
struct RemoteLayer {
    nn::Shape shape;
    std::vector<std::unique_ptr<nn::RemoteOperator>> operators;
};

struct RemoteLayers : LayersOf<RemoteLayer, RemoteNorm> {
    /// Of the end: as HeadWeights has them, and the activation between them.
    RemoteLayer gate, mix, map, last;
    RemoteNorm as_it_is;
};

/// What the weights take of an arena.
index remote_weight_bytes(Network const& network, NormKind norm, index frames);

/// Reads tensor after tensor, and waits for each. The arena has remote_weight_bytes().
Result<RemoteLayers> load_remote_layers(Queue& queue, nn::Convolver& convolver, Arena& arena,
                                        weights::Weights const& weights, Network const& network,
                                        NormKind norm, index frames);

}  // namespace sluice::music
