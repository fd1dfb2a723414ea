// The layers of a TFC-TDF U-Net in their order, for any maker.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "nn/shape.h"
#include "sluice/music.h"

namespace sluice::music {

/// Convolution, layers along frequency, convolution, and a shortcut around them.
template <class Layer, class Norm>
struct BlockOf {
    Norm first_norm, wide_norm, narrow_norm, second_norm;
    Layer shortcut, first, narrow, wide, second;
};

/// To the level below, or above.
template <class Layer, class Norm>
struct WayOf {
    Norm norm;
    Layer layer;
};

template <class Layer, class Norm>
struct LevelOf {
    std::vector<BlockOf<Layer, Norm>> blocks;
    WayOf<Layer, Norm> way;  ///< out of an encoder, into a decoder
};

template <class Layer, class Norm>
struct LayersOf {
    Layer first;
    std::vector<LevelOf<Layer, Norm>> encoder, decoder;  ///< decoder[i]: level scales - 1 - i
    std::vector<BlockOf<Layer, Norm>> bottleneck;
};

/// What a layer reads and writes.
enum class Role : std::uint8_t {
    mix,         ///< reads the mix, which is always of float
    raw,         ///< a map as it is
    normalised,  ///< a map that is normalised and activated before
    added,       ///< the same, and it is added to what is there
};

/// Calls maker.norm(norm, prefix of its tensors, channels) and
/// maker.layer(layer, name of its weights, shape, channels of each input, role) for each of them.
/// `out` gets its size first, so that they may be made later. A shape's `in` is not set.
template <class Layer, class Norm, class Maker>
class LayerList {
  public:
    LayerList(Network const& n, index frames, Maker& maker)
        : n_(n), maker_(maker), rows_(frames), width_(n.bins) {}

    void list(LayersOf<Layer, Norm>& out) {
        layer(out.first, "first_conv.weight", {nn::Kind::pointwise, rows_, width_}, {n_.inputs()},
              n_.channels, Role::mix);
        // No vector grows later: makers keep the addresses of layers.
        out.encoder.resize(static_cast<std::size_t>(n_.scales));
        out.decoder.resize(out.encoder.size());
        for (index i = 0; i < n_.scales; ++i) {
            auto& level = out.encoder[static_cast<std::size_t>(i)];
            std::string const name = fmt::format("encoder_blocks.{}.", i);
            index const c = n_.channels_of(i);
            blocks(level.blocks, name + "tfc_tdf.", {c}, c);
            rows_ /= n_.scale[0];
            width_ /= n_.scale[1];
            way(level.way, name + "downscale.conv.", nn::Kind::shrink, c, n_.channels_of(i + 1));
        }
        index const deepest = n_.channels_of(n_.scales);
        blocks(out.bottleneck, "bottleneck_block.", {deepest}, deepest);
        for (index i = 0; i < n_.scales; ++i) {
            auto& level = out.decoder[static_cast<std::size_t>(i)];
            std::string const name = fmt::format("decoder_blocks.{}.", i);
            index const c = n_.channels_of(n_.scales - 1 - i);
            way(level.way, name + "upscale.conv.", nn::Kind::grow, c + n_.growth, c);
            rows_ *= n_.scale[0];
            width_ *= n_.scale[1];
            blocks(level.blocks, name + "tfc_tdf.", {c, c}, c);
        }
    }

  private:
    Network const& n_;
    Maker& maker_;
    index rows_, width_;  // of the level that is listed

    void layer(Layer& out, std::string const& name, nn::Shape shape, std::vector<index> const& in,
               index c, Role role) {
        shape.out = c;
        maker_.layer(out, name, shape, in, role);
    }

    void blocks(std::vector<BlockOf<Layer, Norm>>& out, std::string const& stack,
                std::vector<index> in, index c) {
        out.resize(static_cast<std::size_t>(n_.blocks));
        index const narrow = width_ / n_.bottleneck;
        for (std::size_t j = 0; j < out.size(); ++j, in = {c}) {
            auto& b = out[j];
            std::string const name = fmt::format("{}blocks.{}.", stack, j);
            index channels = 0;
            for (index const i : in) channels += i;
            maker_.norm(b.first_norm, name + "tfc1.0.", channels);
            maker_.norm(b.wide_norm, name + "tdf.0.", c);
            maker_.norm(b.narrow_norm, name + "tdf.3.", c);
            maker_.norm(b.second_norm, name + "tfc2.0.", c);
            layer(b.shortcut, name + "shortcut.weight", {nn::Kind::pointwise, rows_, width_}, in, c,
                  Role::raw);
            layer(b.first, name + "tfc1.2.weight", {nn::Kind::square, rows_, width_}, in, c,
                  Role::normalised);
            nn::Shape along{nn::Kind::along_width, rows_, width_};
            along.across = narrow;
            layer(b.narrow, name + "tdf.2.weight", along, {c}, c, Role::normalised);
            along.width = narrow;
            along.across = width_;
            layer(b.wide, name + "tdf.5.weight", along, {c}, c, Role::added);
            layer(b.second, name + "tfc2.2.weight", {nn::Kind::square, rows_, width_}, {c}, c,
                  Role::added);
        }
    }

    // rows_ and width_ are those of the smaller side.
    void way(WayOf<Layer, Norm>& out, std::string const& name, nn::Kind kind, index in, index c) {
        maker_.norm(out.norm, name + "0.", in);
        index const width = kind == nn::Kind::shrink ? width_ * n_.scale[1] : width_;
        layer(out.layer, name + "2.weight", {kind, rows_, width, 0, 0, n_.scale}, {in}, c,
              Role::normalised);
    }
};

template <class Layer, class Norm, class Maker>
void list_layers(Network const& network, index frames, LayersOf<Layer, Norm>& out, Maker& maker) {
    LayerList<Layer, Norm, Maker>(network, frames, maker).list(out);
}

}  // namespace sluice::music
