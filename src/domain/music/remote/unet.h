// RemoteUNet: the network from sub-bands to sub-bands of stems, as launches on a device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

#include "domain/music/forward/unet.h"
#include "domain/music/remote/layers.h"

namespace sluice::music {

/// A map of float on a device.
struct RemoteMap {
    float* data = nullptr;
    index height = 0, width = 0, channels = 0;

    index pixels() const { return height * width; }
    index size() const { return pixels() * channels; }
};

/// Sees the map after a stage, when the launches that make it were given.
using RemoteWatch = std::function<Status(std::string_view stage, RemoteMap const& map)>;

/// Where maps lie: two of the largest, a normalised one that may have the channels of two, one
/// narrower, one for each level's skip, and what norms count in.
struct RemotePlaces {
    float* slots[2] = {};
    float* ready = nullptr;
    index half = 0;  ///< numbers of the largest map; `ready` has twice as many
    float* narrow = nullptr;
    std::vector<float*> skips;
    double* tally_scratch = nullptr;
    double* tallies[2] = {};

    static RemotePlaces of(Network const& network, index frames, Arena& arena);
};

/// Host and device do not wait for each other in it: norms become affine maps on the device.
class RemoteUNet {
  public:
    /// `maps` has room for RemotePlaces, `weights` for remote_weight_bytes().
    static Result<RemoteUNet> load(Queue& queue, nn::Convolver& convolver, Arena& weights,
                                   Arena& maps, weights::Weights const& from,
                                   Network const& network, Settings const& settings, index frames);

    /// `mix` is [frames][bins][inputs], `out` is [frames][bins][stems * inputs].
    Status run(Queue& queue, RemoteMap const& mix, RemoteMap const& out,
               RemoteWatch const& watch) const;

  private:
    /// A map and the slot it is in; -1: none.
    struct Placed {
        RemoteMap map;
        int slot = -1;
    };
    RemoteUNet(Network const& network, nn::Activation activation)
        : network_(network), activation_(activation) {}

    Status apply(Queue& queue, RemoteLayer const& layer, float const* x, float* y,
                 float* scratch) const;
    Status normalise(Queue& queue, RemoteNorm const& norm, std::span<RemoteMap const> inputs) const;
    Status block(Queue& queue, BlockOf<RemoteLayer, RemoteNorm> const& b,
                 std::span<RemoteMap const> inputs, RemoteMap const& to, float* inner) const;
    Result<Placed> stack(Queue& queue, std::vector<BlockOf<RemoteLayer, RemoteNorm>> const& blocks,
                         Placed const& x, RemoteMap const* beside, std::string_view name,
                         float* last, RemoteWatch const& watch) const;
    Result<Placed> resample(Queue& queue, WayOf<RemoteLayer, RemoteNorm> const& way,
                            RemoteMap const& x, int slot) const;
    Status head(Queue& queue, RemoteMap const& mix, Placed const& x, RemoteMap const& out,
                RemoteWatch const& watch) const;

    Network network_;
    nn::Activation activation_;
    RemoteLayers layers_;
    RemotePlaces places_;
};

}  // namespace sluice::music
