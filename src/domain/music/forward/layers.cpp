// Layers: first a list of what is to be made, then all of it at once.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/forward/layers.h"

#include <functional>

#include "device/share_out.h"

namespace sluice::music {
namespace {

class Builder {
  public:
    Builder(weights::Weights const& weights, Network const& n, NormKind norm, index frames,
            Precision precision, Device const& device, Progress const& progress)
        : weights_(weights),
          n_(n),
          norm_(norm),
          frames_(frames),
          element_(precision == Precision::bf16 ? nn::Element::bf16 : nn::Element::f32),
          method_(precision == Precision::bf16 && nn::multiplies_bf16_matrices()
                      ? nn::Method::direct
                      : nn::Method::winograd),
          device_(device),
          progress_(progress) {}

    Result<Layers> build() {
        Layers out;
        list_layers(n_, frames_, out, *this);
        jobs_.push_back([this, &out]() -> Status {
            SLUICE_TRY(out.head, read_head(weights_, n_));
            return {};
        });
        // Large layers are in the middle of the list: one at a time shares them well.
        Run run(progress_, std::ssize(jobs_));
        share_out(std::ssize(jobs_), device_.threads(), &run, [&](index i, int) -> Status {
            SLUICE_CHECK(jobs_[static_cast<std::size_t>(i)]());
            run.done();
            return {};
        });
        SLUICE_CHECK(run.check());
        return out;
    }

    void norm(NormLayer& out, std::string const& prefix, index channels) {
        jobs_.push_back([this, &out, prefix, channels]() -> Status {
            SLUICE_TRY(out, NormLayer::read(weights_, prefix, norm_, channels));
            return {};
        });
    }
    void layer(nn::Layer& out, std::string const& name, nn::Shape const& shape,
               std::vector<index> const& in, Role role) {
        auto const before = role == Role::mix || role == Role::raw ? nn::Before::as_they_are
                                                                   : nn::Before::normalised;
        auto const multiplied = role == Role::mix ? nn::Element::f32 : element_;
        bool const add = role == Role::added;
        jobs_.push_back([this, &out, name, shape, in, before, multiplied, add]() -> Status {
            SLUICE_TRY(Numbers const numbers, numbers_of(weights_, name));
            SLUICE_TRY(out, nn::Layer::make({shape, in, before, multiplied, element_, method_, add},
                                            numbers.floats(), device_));
            return {};
        });
    }

  private:
    weights::Weights const& weights_;
    Network const& n_;
    NormKind norm_;
    index frames_;
    nn::Element element_;
    nn::Method method_;
    Device const& device_;
    Progress const& progress_;
    std::vector<std::function<Status()>> jobs_;
};

}  // namespace

Result<HeadWeights> read_head(weights::Weights const& weights, Network const& n) {
    auto const read = [&](std::string const& name) -> Result<std::vector<float>> {
        SLUICE_TRY(Numbers const numbers, numbers_of(weights, name));
        return std::vector<float>(numbers.floats().begin(), numbers.floats().end());
    };
    HeadWeights out;
    index const c = n.channels, in = n.inputs();
    SLUICE_TRY(out.first, read("first_conv.weight"));
    SLUICE_TRY(auto const both, read("final_conv.0.weight"));
    for (auto row = both.begin(); row != both.end(); row += in + c) {
        out.mix.insert(out.mix.end(), row, row + in);
        out.map.insert(out.map.end(), row + in, row + in + c);
    }
    SLUICE_TRY(out.last, read("final_conv.2.weight"));
    return out;
}

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
