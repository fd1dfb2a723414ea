// Layers: first a list of what is to be made, then all of it at once.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/forward/layers.h"

#include <fmt/format.h>

#include <atomic>
#include <functional>
#include <mutex>

#include "device/wanted.h"

namespace sluice::music {
namespace {

class Builder {
  public:
    Builder(weights::Weights const& weights, Network const& n, NormKind norm, index frames,
            Precision precision, Device const& device, Progress const& progress)
        : weights_(weights),
          n_(n),
          norm_(norm),
          rows_(frames),
          width_(n.bins),
          element_(precision == Precision::bf16 ? nn::Element::bf16 : nn::Element::f32),
          method_(precision == Precision::bf16 && nn::multiplies_bf16_matrices()
                      ? nn::Method::direct
                      : nn::Method::winograd),
          device_(device),
          progress_(progress) {}

    Result<Layers> build() {
        Layers out;
        list(out);
        std::mutex mutex;
        Status all;
        // Large layers are in the middle of the list: one at a time shares them well.
        std::atomic<std::uint64_t> made = 0;
        auto const ask = [&] { return progress_(made, jobs_.size()); };
        Wanted wanted(progress_ ? std::function<bool()>(ask) : nullptr);
        share_out(std::ssize(jobs_), device_.threads(), &wanted, [&](index i, int) {
            Status done = jobs_[static_cast<std::size_t>(i)]();
            std::lock_guard const lock(mutex);
            if (!done && all) all = std::move(done);
            ++made;
        });
        SLUICE_CHECK(wanted.status());
        if (!all) return std::move(all).error();
        return out;
    }

  private:
    weights::Weights const& weights_;
    Network const& n_;
    NormKind norm_;
    index rows_, width_;  // of the level that is listed
    nn::Element element_;
    nn::Method method_;
    Device const& device_;
    Progress const& progress_;
    std::vector<std::function<Status()>> jobs_;

    void list(Layers& out) {
        make(out.first, "first_conv.weight", {nn::Kind::pointwise, rows_, width_}, {n_.inputs()},
             n_.channels, {nn::Before::as_they_are, nn::Element::f32});
        // No vector grows later: the jobs point into them.
        out.encoder.resize(static_cast<std::size_t>(n_.scales));
        out.decoder.resize(out.encoder.size());
        for (index i = 0; i < n_.scales; ++i) {
            Level& level = out.encoder[static_cast<std::size_t>(i)];
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
            Level& level = out.decoder[static_cast<std::size_t>(i)];
            std::string const name = fmt::format("decoder_blocks.{}.", i);
            index const c = n_.channels_of(n_.scales - 1 - i);
            way(level.way, name + "upscale.conv.", nn::Kind::grow, c + n_.growth, c);
            rows_ *= n_.scale[0];
            width_ *= n_.scale[1];
            blocks(level.blocks, name + "tfc_tdf.", {c, c}, c);
        }
        jobs_.push_back([this, &out] { return head(out.head); });
    }

    void blocks(std::vector<BlockLayers>& out, std::string const& stack, std::vector<index> in,
                index c) {
        out.resize(static_cast<std::size_t>(n_.blocks));
        index const narrow = width_ / n_.bottleneck;
        for (std::size_t j = 0; j < out.size(); ++j, in = {c}) {
            BlockLayers& b = out[j];
            std::string const name = fmt::format("{}blocks.{}.", stack, j);
            index channels = 0;
            for (index const i : in) channels += i;
            norm(b.first_norm, name + "tfc1.0.", channels);
            norm(b.wide_norm, name + "tdf.0.", c);
            norm(b.narrow_norm, name + "tdf.3.", c);
            norm(b.second_norm, name + "tfc2.0.", c);
            make(b.shortcut, name + "shortcut.weight", {nn::Kind::pointwise, rows_, width_}, in, c,
                 raw());
            make(b.first, name + "tfc1.2.weight", {nn::Kind::square, rows_, width_}, in, c,
                 normalised());
            nn::Shape along{nn::Kind::along_width, rows_, width_};
            along.across = narrow;
            make(b.narrow, name + "tdf.2.weight", along, {c}, c, normalised());
            along.width = narrow;
            along.across = width_;
            make(b.wide, name + "tdf.5.weight", along, {c}, c, added());
            make(b.second, name + "tfc2.2.weight", {nn::Kind::square, rows_, width_}, {c}, c,
                 added());
        }
    }

    // rows_ and width_ are those of the smaller side.
    void way(Resampling& out, std::string const& name, nn::Kind kind, index in, index c) {
        norm(out.norm, name + "0.", in);
        index const width = kind == nn::Kind::shrink ? width_ * n_.scale[1] : width_;
        make(out.layer, name + "2.weight", {kind, rows_, width, 0, 0, n_.scale}, {in}, c,
             normalised());
    }

    void norm(NormLayer& out, std::string const& prefix, index channels) {
        jobs_.push_back([this, &out, prefix, channels]() -> Status {
            SLUICE_TRY(out, NormLayer::read(weights_, prefix, norm_, channels));
            return {};
        });
    }

    struct How {
        nn::Before before;
        nn::Element multiplied;
        bool add = false;
    };
    How raw() const { return {nn::Before::as_they_are, element_}; }
    How normalised() const { return {nn::Before::normalised, element_}; }
    How added() const { return {nn::Before::normalised, element_, true}; }

    void make(nn::Layer& out, std::string const& name, nn::Shape shape,
              std::vector<index> const& in, index c, How how) {
        shape.out = c;
        jobs_.push_back([this, &out, name, shape, in, how]() -> Status {
            SLUICE_TRY(Numbers const numbers, numbers_of(weights_, name));
            SLUICE_TRY(out, nn::Layer::make(
                                {shape, in, how.before, how.multiplied, element_, method_, how.add},
                                numbers.floats(), device_));
            return {};
        });
    }

    Status head(HeadWeights& out) {
        auto const read = [this](std::string const& name) -> Result<std::vector<float>> {
            SLUICE_TRY(Numbers const n, numbers_of(weights_, name));
            return std::vector<float>(n.floats().begin(), n.floats().end());
        };
        index const c = n_.channels, in = n_.inputs();
        SLUICE_TRY(out.first, read("first_conv.weight"));
        SLUICE_TRY(auto const both, read("final_conv.0.weight"));
        for (auto row = both.begin(); row != both.end(); row += in + c) {
            out.mix.insert(out.mix.end(), row, row + in);
            out.map.insert(out.map.end(), row + in, row + in + c);
        }
        SLUICE_TRY(out.last, read("final_conv.2.weight"));
        return {};
    }
};

}  // namespace

std::vector<nn::Layer const*> Layers::all() const {
    std::vector<nn::Layer const*> out = {&first};
    auto const add = [&](std::vector<BlockLayers> const& blocks) {
        for (BlockLayers const& b : blocks)
            out.insert(out.end(), {&b.shortcut, &b.first, &b.narrow, &b.wide, &b.second});
    };
    for (Level const& l : encoder) {
        add(l.blocks);
        out.push_back(&l.way.layer);
    }
    add(bottleneck);
    for (Level const& l : decoder) {
        out.push_back(&l.way.layer);
        add(l.blocks);
    }
    return out;
}

Result<Layers> load_layers(weights::Weights const& weights, Network const& network, NormKind norm,
                           index frames, Precision precision, Device const& device,
                           Progress const& progress) {
    return Builder(weights, network, norm, frames, precision, device, progress).build();
}

}  // namespace sluice::music
