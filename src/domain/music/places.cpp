// The names and shapes of all tensors of a TFC-TDF U-Net, as its PyTorch modules call them.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sluice/music.h"

namespace sluice::music {
namespace {

class Places {
  public:
    explicit Places(Network const& n) : n_(n) {}

    std::vector<TensorShape> all() {
        index const c = n_.channels, in = n_.inputs();
        add("first_conv.weight", {c, in, 1, 1});
        index bins = n_.bins;
        for (index i = 0; i < n_.scales; ++i, bins /= n_.scale[1]) {
            std::string const block = fmt::format("encoder_blocks.{}.", i);
            stack(block + "tfc_tdf.", n_.channels_of(i), n_.channels_of(i), bins);
            resampling(block + "downscale.conv.", n_.channels_of(i), n_.channels_of(i + 1), false);
        }
        stack("bottleneck_block.", n_.channels_of(n_.scales), n_.channels_of(n_.scales), bins);
        for (index i = 0; i < n_.scales; ++i) {
            std::string const block = fmt::format("decoder_blocks.{}.", i);
            index const above = n_.channels_of(n_.scales - i), own = above - n_.growth;
            bins *= n_.scale[1];
            resampling(block + "upscale.conv.", above, own, true);
            stack(block + "tfc_tdf.", 2 * own, own, bins);
        }
        add("final_conv.0.weight", {c, c + in, 1, 1});
        add("final_conv.2.weight", {n_.stems * in, c, 1, 1});
        return std::move(out_);
    }

  private:
    Network const& n_;
    std::vector<TensorShape> out_;

    void add(std::string name, std::vector<index> shape) {
        out_.push_back({std::move(name), std::move(shape)});
    }

    void norm(std::string const& name, index channels) {
        if (n_.norm == Norm::none) return;
        add(name + "weight", {channels});
        add(name + "bias", {channels});
        if (n_.norm != Norm::batch) return;
        add(name + "running_mean", {channels});
        add(name + "running_var", {channels});
        add(name + "num_batches_tracked", {});
    }

    // Only the first block of a decoder has more channels before than behind.
    void stack(std::string const& name, index in, index c, index bins) {
        for (index j = 0; j < n_.blocks; ++j, in = c) {
            std::string const b = fmt::format("{}blocks.{}.", name, j);
            norm(b + "tfc1.0.", in);
            add(b + "tfc1.2.weight", {c, in, 3, 3});
            norm(b + "tdf.0.", c);
            add(b + "tdf.2.weight", {bins / n_.bottleneck, bins});
            norm(b + "tdf.3.", c);
            add(b + "tdf.5.weight", {bins, bins / n_.bottleneck});
            norm(b + "tfc2.0.", c);
            add(b + "tfc2.2.weight", {c, c, 3, 3});
            add(b + "shortcut.weight", {c, in, 1, 1});
        }
    }

    // A transposed convolution has the channels of its input first.
    void resampling(std::string const& name, index in, index out, bool transposed) {
        norm(name + "0.", in);
        add(name + "2.weight",
            {transposed ? in : out, transposed ? out : in, n_.scale[0], n_.scale[1]});
    }
};

}  // namespace

std::vector<TensorShape> places(Network const& network) {
    return Places(network).all();
}

}  // namespace sluice::music
