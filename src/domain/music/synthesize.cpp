// A model's file with untrained weights, of any configuration.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "domain/music/embedded.h"
#include "domain/music/synthetic.h"
#include "format/weights/writer.h"
#include "sluice/music.h"

namespace sluice::music {
namespace {

// More than any model has, and little enough to write.
constexpr double most_numbers = 2e9;

double count_of(std::vector<TensorShape> const& tensors) {
    double all = 0;
    for (TensorShape const& t : tensors) {
        double n = 1;
        for (index const extent : t.shape) n *= static_cast<double>(extent);
        all += n;
    }
    return all;
}

}  // namespace

Result<Network> network_of(ModelConfig const& c, std::string const& file) {
    auto const missing = [&](char const* key) {
        return Error{Code::invalid_argument,
                     fmt::format("has no {}; give a whole configuration of MDX23C", key), file};
    };
    Network n;
    struct Key {
        char const* name;
        std::optional<index> const& value;
        index* to;
    };
    index dim_f = 0;
    for (Key const& key :
         {Key{"model.num_channels", c.model.num_channels, &n.channels},
          Key{"model.growth", c.model.growth, &n.growth},
          Key{"model.num_scales", c.model.num_scales, &n.scales},
          Key{"model.num_blocks_per_scale", c.model.num_blocks_per_scale, &n.blocks},
          Key{"model.bottleneck_factor", c.model.bottleneck_factor, &n.bottleneck},
          Key{"model.num_subbands", c.model.num_subbands, &n.subbands},
          Key{"audio.dim_f", c.audio.dim_f, &dim_f}}) {
        if (!key.value) return missing(key.name);
        *key.to = *key.value;
    }
    if (dim_f % n.subbands != 0)
        return Error{
            Code::invalid_argument,
            fmt::format("audio.dim_f = {} is not a multiple of model.num_subbands = {}; give "
                        "the YAML as it was published",
                        dim_f, n.subbands),
            file};
    // Beyond these the numbers below could overflow; the shapes are checked after them.
    constexpr index most_levels = 16, most_blocks = 64, most_scale = 64;
    n.scale = c.model.scale.value_or(n.scale);
    if (n.scales > most_levels || n.blocks > most_blocks || n.scale[0] > most_scale ||
        n.scale[1] > most_scale)
        return Error{Code::invalid_argument,
                     fmt::format("{} levels of {} blocks with scales of {} and {}; up to {} of {} "
                                 "with {} are read",
                                 n.scales, n.blocks, n.scale[0], n.scale[1], most_levels,
                                 most_blocks, most_scale),
                     file};
    n.bins = dim_f / n.subbands;
    n.stems = c.target_instrument ? 1 : std::ssize(c.instruments);
    if (n.stems == 0) return missing("training.instruments");
    std::string const norm = c.model.norm.value_or("InstanceNorm");
    n.norm = norm == "BatchNorm"                                       ? Norm::batch
             : norm == "InstanceNorm" || norm.starts_with("GroupNorm") ? Norm::per_channel
                                                                       : Norm::none;
    return network_of(places(n), file);
}

Result<Inspection> synthesize(ModelConfig const& config, std::uint64_t seed, std::string const& out,
                              bool force, Progress const& progress) {
    std::error_code none;
    if (!force && std::filesystem::exists(out, none))
        return Error{Code::invalid_argument,
                     "exists already; choose another name, or replace it with --force", out};
    SLUICE_TRY(Network const network, network_of(config, "the configuration"));
    if (double const n = count_of(places(network)); n > most_numbers)
        return Error{Code::invalid_argument,
                     fmt::format("a model of {:.3g} numbers (up to {:.3g} are written); give a "
                                 "smaller configuration",
                                 n, most_numbers)};
    SLUICE_CHECK(weights::write_safetensors(
        out, synthetic_weights(network, seed),
        {{embedded_key, yaml_of(config)},
         {"sluice.music.weights", fmt::format("synthetic, seed {}", seed)}},
        {}, progress));
    return inspect(out, {});
}

}  // namespace sluice::music
