// Configurations that were published, in numbers, and any configuration as YAML.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "sluice/music.h"

namespace sluice::music {
namespace {

struct Known {
    char const* name;
    char const* title;
    index n_fft, hop, dim_f, subbands, scales, channels, growth, frames, chunk, inference_frames;
    std::vector<std::string> stems;
};

std::vector<Known> const& all_known() {
    static std::vector<Known> const known = {
        {"instvoc-hq",
         "MDX23C-8KFFT-InstVoc_HQ, UVR's model_2_stem_full_band_8k",
         8192,
         1024,
         4096,
         4,
         5,
         128,
         128,
         256,
         261120,
         256,
         {"Vocals", "Instrumental"}},
        {"musdb18",
         "MSST's config_musdb18_mdx23c",
         8192,
         1024,
         4096,
         4,
         5,
         128,
         128,
         256,
         261120,
         256,
         {"vocals", "bass", "drums", "other"}},
        {"full-band",
         "UVR's model_2_stem_full_band_3",
         12288,
         1024,
         6144,
         6,
         5,
         128,
         128,
         256,
         261120,
         256,
         {"Vocals", "Instrumental"}},
        {"d1581",
         "MDX23C_D1581, UVR's model_2_stem_061321",
         12288,
         2048,
         4096,
         4,
         5,
         128,
         64,
         256,
         260096,
         256,
         {"Vocals", "Instrumental"}},
        {"sdx23",
         "models A and B of the Sound Demixing Challenge 2023",
         8192,
         1024,
         4096,
         4,
         5,
         64,
         64,
         256,
         261120,
         256,
         {"Vocals", "Drums", "Bass", "Other"}},
        {"drumsep",
         "DrumSep of five stems",
         2048,
         512,
         1024,
         4,
         5,
         128,
         128,
         1024,
         523776,
         512,
         {"kick", "snare", "toms", "hh", "cymbals"}},
        {"tiny",
         "for tests, without a model: a second of sound",
         512,
         256,
         256,
         2,
         3,
         16,
         8,
         176,
         44800,
         176,
         {"Vocals", "Instrumental"}},
    };
    return known;
}

}  // namespace

std::vector<std::array<std::string, 2>> published_configs() {
    std::vector<std::array<std::string, 2>> names;
    for (Known const& k : all_known()) names.push_back({k.name, k.title});
    return names;
}

Result<ModelConfig> published_config(std::string const& name) {
    auto const found = std::ranges::find(all_known(), name, &Known::name);
    if (found == all_known().end()) {
        std::vector<std::string> names;
        for (Known const& k : all_known()) names.emplace_back(k.name);
        return Error{Code::invalid_argument,
                     fmt::format("no published configuration '{}'; there are "
                                 "{}",
                                 name, fmt::join(names, ", "))};
    }
    ModelConfig c;
    c.audio = {found->chunk, found->dim_f, found->frames, found->hop, found->n_fft, 2, 44100};
    c.model.act = "gelu";
    c.model.norm = "InstanceNorm";
    c.model.bottleneck_factor = 4;
    c.model.growth = found->growth;
    c.model.num_blocks_per_scale = 2;
    c.model.num_channels = found->channels;
    c.model.num_scales = found->scales;
    c.model.num_subbands = found->subbands;
    c.model.scale = {2, 2};
    c.inference.batch_size = 1;
    c.inference.dim_t = found->inference_frames;
    c.inference.num_overlap = 8;
    c.instruments = found->stems;
    return c;
}

std::string yaml_of(ModelConfig const& c) {
    std::string out;
    auto const number = [&](char const* key, std::optional<index> const& v) {
        if (v) out += fmt::format("  {}: {}\n", key, *v);
    };
    auto const text = [&](char const* key, std::string const& v) {
        std::string quoted;
        for (char const letter : v) quoted += letter == '\'' ? "''" : std::string(1, letter);
        out += fmt::format("{}'{}'\n", key, quoted);
    };
    out += "audio:\n";
    number("chunk_size", c.audio.chunk_size);
    number("dim_f", c.audio.dim_f);
    number("dim_t", c.audio.dim_t);
    number("hop_length", c.audio.hop_length);
    number("n_fft", c.audio.n_fft);
    number("num_channels", c.audio.num_channels);
    number("sample_rate", c.audio.sample_rate);
    out += "model:\n";
    if (c.model.act) text("  act: ", *c.model.act);
    if (c.model.norm) text("  norm: ", *c.model.norm);
    number("bottleneck_factor", c.model.bottleneck_factor);
    number("growth", c.model.growth);
    number("num_blocks_per_scale", c.model.num_blocks_per_scale);
    number("num_channels", c.model.num_channels);
    number("num_scales", c.model.num_scales);
    number("num_subbands", c.model.num_subbands);
    if (c.model.scale)
        out += fmt::format("  scale: [{}, {}]\n", (*c.model.scale)[0], (*c.model.scale)[1]);
    out += "training:\n  instruments:\n";
    for (std::string const& name : c.instruments) text("  - ", name);
    if (c.target_instrument) text("  target_instrument: ", *c.target_instrument);
    auto const& i = c.inference;
    if (!i.batch_size && !i.chunk_size && !i.dim_t && !i.num_overlap) return out;
    out += "inference:\n";
    number("batch_size", c.inference.batch_size);
    number("chunk_size", c.inference.chunk_size);
    number("dim_t", c.inference.dim_t);
    number("num_overlap", c.inference.num_overlap);
    return out;
}

}  // namespace sluice::music
