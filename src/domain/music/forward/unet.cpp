// UNet: down, through the bottleneck and up again; a map's memory is free once it was read.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/forward/unet.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::music {

MapPlan MapPlan::of(Network const& n, index frames, nn::Element element) {
    MapPlan plan;
    index rows = frames, width = n.bins;
    for (index i = 0; i <= n.scales; ++i) {
        index const row = n.channels_of(i) * nn::bytes_of(element);
        index const map = nn::on_line(rows * width * row);
        plan.largest = std::max(plan.largest, map);
        plan.narrow = std::max(plan.narrow, nn::on_line(rows * (width / n.bottleneck) * row));
        if (i < n.scales) plan.skips.push_back(map);
        rows /= n.scale[0];
        width /= n.scale[1];
    }
    return plan;
}

index MapPlan::bytes() const {
    index sum = 3 * largest + narrow;
    for (index const s : skips) sum += s;
    return sum;
}

Result<UNet> UNet::load(weights::Weights const& weights, Network const& network,
                        Settings const& settings, index frames, Precision precision,
                        Device const& device, Progress const& progress) {
    UNet u(network, settings, device);
    u.element_ = precision == Precision::bf16 ? nn::Element::bf16 : nn::Element::f32;
    SLUICE_TRY(u.layers_,
               load_layers(weights, network, settings.norm, frames, precision, device, progress));
    SLUICE_TRY(u.head_, Head::make(u.layers_.head, network, frames, settings.activation, device));
    u.plan_ = MapPlan::of(network, frames, u.element_);
    u.space_.step = nn::on_line(u.head_.scratch_bytes());
    for (nn::Layer const* l : u.layers_.all())
        u.space_.step = std::max(u.space_.step, nn::on_line(l->scratch_bytes()));
    SLUICE_TRY(u.maps_, nn::Block::make(u.plan_.bytes() + device.threads() * u.space_.step));
    std::byte* at = u.maps_.data();
    for (std::byte*& slot : u.slots_) {
        slot = at;
        at += u.plan_.largest;
    }
    u.narrow_ = at;
    at += u.plan_.narrow;
    for (index const bytes : u.plan_.skips) {
        u.skips_.push_back(at);
        at += bytes;
    }
    u.space_.data = at;
    // Taken before the start, so that it is not missing in the middle of a song.
    SLUICE_CHECK(u.space_.winograd.take(nn::Winograd::scratch_floats(device.threads())));
    return u;
}

index UNet::weight_bytes() const {
    index sum = head_.weight_bytes();
    for (nn::Layer const* l : layers_.all()) sum += l->weight_bytes();
    return sum;
}

nn::Map UNet::at(std::byte* data, index height, index width, index channels) const {
    return {data, element_, height, width, channels};
}

Result<UNet::Known> UNet::apply(nn::Layer const& layer, std::span<nn::Input const> inputs,
                                nn::Map to, int slot, bool known) {
    SLUICE_TRY(nn::Moments moments, layer.run(device_, inputs, to, known, space_));
    return Known{to, std::move(moments), slot};
}

// The result's shape is that of `to`; its own convolution's answer lies in slot `other`, which may
// be one of the inputs: all of these are read before.
Result<UNet::Known> UNet::block(BlockLayers const& b, std::vector<Known> inputs, nn::Map to,
                                int to_slot, int other, bool known) {
    nn::Moments moments = inputs[0].moments;
    if (inputs.size() == 2) moments = joined(moments, inputs[1].moments);
    nn::Affine const affine = b.first_norm.affine(moments);
    std::vector<nn::Affine> parts;
    std::vector<nn::Input> raw, normalised;
    for (index first = 0; Known const& x : inputs) {
        parts.push_back(part(affine, first, x.map.channels));
        first += x.map.channels;
        raw.push_back({x.map});
    }
    for (std::size_t i = 0; i < inputs.size(); ++i)
        normalised.push_back({inputs[i].map, &parts[i], activation_});
    SLUICE_CHECK(apply(b.shortcut, raw, to, to_slot, false));
    nn::Map const inner = at(slots_[other], to.height, to.width, to.channels);
    SLUICE_TRY(Known y, apply(b.first, normalised, inner, other, b.wide_norm.wants_moments()));

    nn::Affine const wide = b.wide_norm.affine(y.moments);
    nn::Input const from_y{y.map, &wide, activation_};
    nn::Map const inside = at(narrow_, to.height, b.narrow.shape().across, to.channels);
    SLUICE_TRY(Known const u,
               apply(b.narrow, {&from_y, 1}, inside, -1, b.narrow_norm.wants_moments()));
    nn::Affine const narrow = b.narrow_norm.affine(u.moments);
    nn::Input const from_u{u.map, &narrow, activation_};
    SLUICE_TRY(y, apply(b.wide, {&from_u, 1}, y.map, other, b.second_norm.wants_moments()));

    nn::Affine const second = b.second_norm.affine(y.moments);
    nn::Input const last{y.map, &second, activation_};
    return apply(b.second, {&last, 1}, to, to_slot, known);
}

// `last` is where the last block's answer goes; null: into a slot.
Result<UNet::Known> UNet::stack(std::vector<BlockLayers> const& blocks, std::vector<Known> inputs,
                                std::string_view name, std::byte* last, bool known,
                                Watch const& watch) {
    for (std::size_t j = 0; j < blocks.size(); ++j) {
        bool const is_last = j + 1 == blocks.size();
        Known const& x = inputs[0];
        index const channels = blocks[j].first.shape().out;
        int const to = (x.slot + 1) % 3, free = (x.slot + 2) % 3;
        // A convolution reads neighbours, so its output never lies where an input is.
        std::byte* const data = is_last && last ? last : slots_[to];
        SLUICE_TRY(Known out,
                   block(blocks[j], inputs, at(data, x.map.height, x.map.width, channels),
                         data == last ? -1 : to, free, known || !is_last));
        if (watch) watch(fmt::format("{}.blocks.{}", name, j), out.map);
        inputs = {std::move(out)};
    }
    return inputs[0];
}

Result<UNet::Known> UNet::resample(Resampling const& r, Known const& x, int slot, bool known) {
    nn::Shape const& s = r.layer.shape();
    nn::Affine const affine = r.norm.affine(x.moments);
    nn::Input const input{x.map, &affine, activation_};
    return apply(r.layer, {&input, 1}, at(slots_[slot], s.rows_out(), s.width_out(), s.out), slot,
                 known);
}

Status UNet::run(nn::Map const& mix, nn::Map const& out, Watch const& watch, Run* run) {
    space_.run = run;
    bool const known = network_.norm == Norm::per_channel;
    nn::Input const input{mix};
    SLUICE_TRY(Known x, apply(layers_.first, {&input, 1},
                              at(slots_[0], mix.height, mix.width, network_.channels), 0, known));
    if (watch) watch("first_conv", x.map);
    std::vector<Known> skips;
    for (std::size_t i = 0; i < layers_.encoder.size(); ++i) {
        std::string const name = fmt::format("encoder_blocks.{}.", i);
        Level const& level = layers_.encoder[i];
        SLUICE_TRY(x,
                   stack(level.blocks, {std::move(x)}, name + "tfc_tdf", skips_[i], known, watch));
        skips.push_back(std::move(x));
        SLUICE_TRY(x, resample(level.way, skips.back(), 0, known));
        if (watch) watch(name + "downscale", x.map);
    }
    SLUICE_TRY(
        x, stack(layers_.bottleneck, {std::move(x)}, "bottleneck_block", nullptr, known, watch));
    for (std::size_t i = 0; i < layers_.decoder.size(); ++i) {
        std::string const name = fmt::format("decoder_blocks.{}.", i);
        Level const& level = layers_.decoder[i];
        bool const more = i + 1 < layers_.decoder.size();
        SLUICE_TRY(x, resample(level.way, x, (x.slot + 1) % 3, known));
        if (watch) watch(name + "upscale", x.map);
        SLUICE_TRY(x, stack(level.blocks, {std::move(x), std::move(skips.back())}, name + "tfc_tdf",
                            nullptr, known && more, watch));
        skips.pop_back();
    }
    nn::Map gated{nullptr, nn::Element::f32, mix.height, mix.width, network_.channels};
    nn::Block seen;
    if (watch) {
        SLUICE_TRY(seen, nn::Block::make(gated.bytes()));
        gated.data = seen.data();
    }
    SLUICE_CHECK(head_.run(device_, mix, x.map, out, watch ? &gated : nullptr, space_.data,
                           space_.step, run));
    if (watch) watch("gate", gated);
    if (watch) watch("final_conv", out);
    return {};
}

}  // namespace sluice::music
