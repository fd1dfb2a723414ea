// RemoteUNet: down, through the bottleneck and up again. What a layer reads is normalised into a
// place of its own first, so that its answer may lie where its input did.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/remote/unet.h"

#include <algorithm>

#include "domain/music/forward/norm.h"
#include "launch/map.h"
#include "nn/remote/kernels.h"
#include "nn/remote/tally.h"

namespace sluice::music {
namespace {

Status see(RemoteWatch const& watch, std::string_view stage, RemoteMap const& map) {
    return watch ? watch(stage, map) : Status{};
}

RemoteMap output_of(nn::Shape const& s, float* data) {
    return {data, s.rows_out(), s.width_out(), s.out};
}

}  // namespace

RemotePlaces RemotePlaces::of(Network const& n, index frames, Arena& arena) {
    constexpr auto each = static_cast<index>(sizeof(float));
    MapPlan const plan = MapPlan::of(n, frames, nn::Element::f32);
    RemotePlaces p;
    p.half = plan.largest / each;
    for (float*& slot : p.slots) slot = arena.take<float>(p.half);
    p.ready = arena.take<float>(2 * p.half);
    p.narrow = arena.take<float>(plan.narrow / each);
    for (index const bytes : plan.skips) p.skips.push_back(arena.take<float>(bytes / each));
    index pixels = frames * n.bins, scratch = 0, channels = 0;
    for (index level = 0; level <= n.scales; ++level) {
        index const own = n.channels_of(level);
        channels = std::max(channels, own);
        scratch = std::max(scratch, nn::tally_scratch_doubles(pixels, own));
        pixels /= n.scale[0] * n.scale[1];
    }
    p.tally_scratch = arena.take<double>(scratch);
    for (double*& tally : p.tallies) tally = arena.take<double>(2 * channels);
    return p;
}

Result<RemoteUNet> RemoteUNet::load(Queue& queue, nn::Convolver& convolver, Arena& weights,
                                    Arena& maps, weights::Weights const& from, Network const& n,
                                    Settings const& settings, index frames) {
    RemoteUNet u(n, settings.activation);
    u.places_ = RemotePlaces::of(n, frames, maps);
    SLUICE_TRY(u.layers_,
               load_remote_layers(queue, convolver, weights, from, n, settings.norm, frames));
    return u;
}

Status RemoteUNet::apply(Queue& queue, RemoteLayer const& layer, float const* x, float* y,
                         float* scratch) const {
    return layer.operators.front()->run(queue, x, y, scratch);
}

// The inputs side by side, normalised as one map and activated, into `ready`.
Status RemoteUNet::normalise(Queue& queue, RemoteNorm const& norm,
                             std::span<RemoteMap const> inputs) const {
    RemoteMap const& x = inputs.front();
    if (norm.wants_moments()) {
        for (std::size_t i = 0; i < inputs.size(); ++i)
            SLUICE_CHECK(nn::tally(queue, inputs[i].data, x.pixels(), inputs[i].channels,
                                   places_.tally_scratch, places_.tallies[i]));
        index const group =
            norm.kind.kind == NormKind::Kind::groups ? norm.channels / norm.kind.groups : 1;
        SLUICE_CHECK(launch::map(queue, norm.channels,
                                 nn::AffineOf{places_.tallies[0], places_.tallies[1], x.channels,
                                              norm.channels, group, static_cast<double>(x.pixels()),
                                              norm_epsilon, norm.gamma, norm.beta, norm.affine}));
    }
    for (index first = 0; RemoteMap const& input : inputs) {
        SLUICE_CHECK(launch::map(
            queue, input.size(),
            nn::NormaliseInto{input.data, norm.affine + first, norm.affine + norm.channels + first,
                              activation_, input.channels, places_.ready + first, norm.channels}));
        first += input.channels;
    }
    return {};
}

// `inner` may be where an input lies, and `to` may not.
Status RemoteUNet::block(Queue& queue, BlockOf<RemoteLayer, RemoteNorm> const& b,
                         std::span<RemoteMap const> inputs, RemoteMap const& to,
                         float* inner) const {
    for (std::size_t i = 0; i < inputs.size(); ++i)
        SLUICE_CHECK(b.shortcut.operators[i]->run(queue, inputs[i].data, to.data, places_.ready));
    SLUICE_CHECK(normalise(queue, b.first_norm, inputs));
    RemoteMap const y = output_of(b.first.shape, inner);
    SLUICE_CHECK(apply(queue, b.first, places_.ready, y.data, nullptr));

    SLUICE_CHECK(normalise(queue, b.wide_norm, {&y, 1}));
    RemoteMap const u = output_of(b.narrow.shape, places_.narrow);
    SLUICE_CHECK(apply(queue, b.narrow, places_.ready, u.data, nullptr));
    SLUICE_CHECK(normalise(queue, b.narrow_norm, {&u, 1}));
    SLUICE_CHECK(apply(queue, b.wide, places_.ready, y.data, places_.ready + places_.half));

    SLUICE_CHECK(normalise(queue, b.second_norm, {&y, 1}));
    return apply(queue, b.second, places_.ready, to.data, y.data);
}

// `last` is where the last block's answer goes; null: into a slot. `beside` is the second input of
// the first block, or null.
Result<RemoteUNet::Placed> RemoteUNet::stack(
    Queue& queue, std::vector<BlockOf<RemoteLayer, RemoteNorm>> const& blocks, Placed const& given,
    RemoteMap const* beside, std::string_view name, float* last, RemoteWatch const& watch) const {
    Placed x = given;
    for (std::size_t j = 0; j < blocks.size(); ++j) {
        bool const kept = j + 1 == blocks.size() && last != nullptr;
        std::vector<RemoteMap> inputs{x.map};
        if (j == 0 && beside) inputs.push_back(*beside);
        int const to = 1 - x.slot;
        RemoteMap const out = output_of(blocks[j].second.shape, kept ? last : places_.slots[to]);
        SLUICE_CHECK(block(queue, blocks[j], inputs, out, places_.slots[x.slot]));
        SLUICE_CHECK(see(watch, fmt::format("{}.blocks.{}", name, j), out));
        x = {out, kept ? -1 : to};
    }
    return x;
}

Result<RemoteUNet::Placed> RemoteUNet::resample(Queue& queue,
                                                WayOf<RemoteLayer, RemoteNorm> const& way,
                                                RemoteMap const& x, int slot) const {
    SLUICE_CHECK(normalise(queue, way.norm, {&x, 1}));
    RemoteMap const to = output_of(way.layer.shape, places_.slots[slot]);
    SLUICE_CHECK(apply(queue, way.layer, places_.ready, to.data, nullptr));
    return Placed{to, slot};
}

// out = last * act(from_mix * mix + from_map * (map . (first * mix))); the first layer's answer is
// computed again, so that it need not be kept.
Status RemoteUNet::head(Queue& queue, RemoteMap const& mix, Placed const& x, RemoteMap const& out,
                        RemoteWatch const& watch) const {
    RemoteMap const gated = output_of(layers_.gate.shape, places_.slots[1 - x.slot]);
    SLUICE_CHECK(apply(queue, layers_.gate, mix.data, gated.data, nullptr));
    SLUICE_CHECK(launch::map(queue, gated.size(), nn::MultiplyBy{x.map.data, gated.data}));
    SLUICE_CHECK(see(watch, "gate", gated));
    SLUICE_CHECK(apply(queue, layers_.mix, mix.data, places_.ready, nullptr));
    SLUICE_CHECK(
        apply(queue, layers_.map, gated.data, places_.ready, places_.ready + places_.half));
    RemoteNorm const& same = layers_.as_it_is;
    SLUICE_CHECK(
        launch::map(queue, gated.size(),
                    nn::NormaliseInto{places_.ready, same.affine, same.affine + same.channels,
                                      activation_, same.channels, places_.ready, same.channels}));
    SLUICE_CHECK(apply(queue, layers_.last, places_.ready, out.data, nullptr));
    return see(watch, "final_conv", out);
}

Status RemoteUNet::run(Queue& queue, RemoteMap const& mix, RemoteMap const& out,
                       RemoteWatch const& watch) const {
    Placed x{output_of(layers_.first.shape, places_.slots[0]), 0};
    SLUICE_CHECK(apply(queue, layers_.first, mix.data, x.map.data, nullptr));
    SLUICE_CHECK(see(watch, "first_conv", x.map));
    std::vector<RemoteMap> skips;
    for (std::size_t i = 0; i < layers_.encoder.size(); ++i) {
        std::string const name = fmt::format("encoder_blocks.{}.", i);
        auto const& level = layers_.encoder[i];
        SLUICE_TRY(
            x, stack(queue, level.blocks, x, nullptr, name + "tfc_tdf", places_.skips[i], watch));
        skips.push_back(x.map);
        SLUICE_TRY(x, resample(queue, level.way, x.map, 0));
        SLUICE_CHECK(see(watch, name + "downscale", x.map));
    }
    SLUICE_TRY(x, stack(queue, layers_.bottleneck, x, nullptr, "bottleneck_block", nullptr, watch));
    for (std::size_t i = 0; i < layers_.decoder.size(); ++i) {
        std::string const name = fmt::format("decoder_blocks.{}.", i);
        auto const& level = layers_.decoder[i];
        SLUICE_TRY(x, resample(queue, level.way, x.map, 1 - x.slot));
        SLUICE_CHECK(see(watch, name + "upscale", x.map));
        SLUICE_TRY(x,
                   stack(queue, level.blocks, x, &skips.back(), name + "tfc_tdf", nullptr, watch));
        skips.pop_back();
    }
    return head(queue, mix, x, out, watch);
}

}  // namespace sluice::music
