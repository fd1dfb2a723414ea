// The keys of configurations that are read.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/config/known_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "sluice/result.h"

namespace sluice::music {
namespace {

struct Section {
    std::string name;
    std::vector<std::string> keys;
};
std::vector<Section> const& sections() {
    static std::vector<Section> const all = {
        // min_mean_abs: silent parts of songs to train with.
        {"audio",
         {"chunk_size", "dim_f", "dim_t", "hop_length", "n_fft", "num_channels", "sample_rate",
          "min_mean_abs"}},
        {"model",
         {"act", "norm", "bottleneck_factor", "growth", "num_blocks_per_scale", "num_channels",
          "num_scales", "num_subbands", "scale"}},
        {"inference", {"batch_size", "chunk_size", "dim_t", "num_overlap", "normalize"}},
        {"training", {"instruments", "target_instrument"}}};
    return all;
}

}  // namespace

std::vector<std::string> const& known_keys(std::string_view section) {
    auto const found = std::ranges::find(sections(), section, &Section::name);
    expects(found != sections().end());
    return found->keys;
}

std::string meant_key(std::string const& key, std::string_view section) {
    std::vector<std::string> near;
    for (Section const& s : sections())
        if (section.empty()) near.push_back(s.name);
    if (!section.empty()) near = known_keys(section);
    if (auto const found = near_enough(key, near)) return *found;
    for (Section const& s : sections())
        if (std::ranges::find(s.keys, key) != s.keys.end())
            return fmt::format("{}.{}", s.name, key);
    return {};
}

}  // namespace sluice::music
