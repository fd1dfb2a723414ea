// How a network is recognised: by names that only its modules have.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/other_networks.h"

#include <algorithm>
#include <array>

namespace sluice::music {
namespace {

/// A part of a name that some tensor has, and one that no tensor may have.
struct Sign {
    std::string_view part, without, network;
};

// The more special first: a Mel-Band RoFormer has the modules of a BS-RoFormer, but for its last
// norm, and a Hybrid Transformer Demucs those of a Hybrid Demucs.
constexpr std::array<Sign, 16> signs = {{
    {"crosstransformer.", "", "HTDemucs"},
    {"tencoder.", "", "Hybrid Demucs"},
    {"band_split.to_features.", "final_norm.", "Mel-Band RoFormer"},
    {"band_split.to_features.", "", "BS-RoFormer"},
    {"SDlayer.", "", "SCNet"},
    {"norm_fc_modules.", "", "BandIt"},
    {"seqband.", "", "BandIt"},
    {"low_band_net.", "", "network of VR (Vocal Remover)"},
    {"aux1_out.", "", "network of VR (Vocal Remover)"},
    {"encoding_blocks.0.tfc.", "", "MDX-Net (a TFC-TDF U-Net of version 2)"},
    {"encoding_blocks.", "", "MDX-Net (a TFC-TDF U-Net of version 2)"},
    {"band_net.", "", "Apollo"},
    {"lstm.weight_ih_l0", "encoder.0.", "Open-Unmix"},
    {"lstm.lstm.", "", "Demucs"},
    {"encoder.0.0.weight", "first_conv.weight", "Demucs"},
    {"separator.network.", "", "Conv-TasNet"},
}};

bool has(Shapes const& shapes, std::string_view part) {
    return std::ranges::any_of(shapes,
                               [&](auto const& s) { return s.first.find(part) != s.first.npos; });
}

}  // namespace

std::optional<std::string> other_network(Shapes const& shapes) {
    // Whatever else a file has, this is ours.
    if (shapes.contains("first_conv.weight") &&
        shapes.contains("encoder_blocks.0.tfc_tdf.blocks.0.tdf.2.weight"))
        return {};
    for (Sign const& s : signs)
        if (has(shapes, s.part) && (s.without.empty() || !has(shapes, s.without)))
            return std::string(s.network);
    return {};
}

}  // namespace sluice::music
