// The words of the enumerations of models and songs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "config/words.h"
#include "domain/music/engine.h"
#include "sluice/music_song.h"

namespace sluice::music {

constexpr auto words(Preset /*of_this_type*/) {
    return std::to_array<config::Word<Preset>>(
        {{"sluice", Preset::sluice}, {"uvr", Preset::uvr}, {"msst", Preset::msst}});
}
constexpr auto words(Window /*of_this_type*/) {
    return std::to_array<config::Word<Window>>({{"hann", Window::hann},
                                                {"triangular", Window::triangular},
                                                {"rectangular", Window::rectangular}});
}
constexpr auto words(Arithmetic /*of_this_type*/) {
    return std::to_array<config::Word<Arithmetic>>({{"auto", Arithmetic::automatic},
                                                    {"fp32", Arithmetic::fp32},
                                                    {"bf16", Arithmetic::bf16},
                                                    {"tf32", Arithmetic::tf32}});
}
constexpr auto words(Precision /*of_this_type*/) {
    return std::to_array<config::Word<Precision>>(
        {{"fp32", Precision::fp32}, {"bf16", Precision::bf16}, {"tf32", Precision::tf32}});
}
constexpr auto words(Join /*of_this_type*/) {
    return std::to_array<config::Word<Join>>({{"mean", Join::mean}, {"median", Join::median}});
}
constexpr auto words(SoundFormat /*of_this_type*/) {
    return std::to_array<config::Word<SoundFormat>>(
        {{"auto", SoundFormat::automatic}, {"wav", SoundFormat::wav}, {"flac", SoundFormat::flac}});
}
constexpr auto words(Depth /*of_this_type*/) {
    return std::to_array<config::Word<Depth>>({{"auto", Depth::automatic},
                                               {"16", Depth::pcm16},
                                               {"24", Depth::pcm24},
                                               {"float", Depth::float32}});
}
constexpr auto words(Clip /*of_this_type*/) {
    return std::to_array<config::Word<Clip>>(
        {{"none", Clip::none}, {"clamp", Clip::clamp}, {"rescale", Clip::rescale}});
}
constexpr auto words(WeightType /*of_this_type*/) {
    return std::to_array<config::Word<WeightType>>({{"same", WeightType::same},
                                                    {"fp32", WeightType::fp32},
                                                    {"fp16", WeightType::fp16},
                                                    {"bf16", WeightType::bf16}});
}
constexpr auto words(Norm /*of_this_type*/) {
    return std::to_array<config::Word<Norm>>(
        {{"none", Norm::none}, {"per_channel", Norm::per_channel}, {"batch", Norm::batch}});
}
constexpr auto words(Origin /*of_this_type*/) {
    return std::to_array<config::Word<Origin>>({{"tensors", Origin::shapes},
                                                {"YAML", Origin::yaml},
                                                {"tensors and YAML", Origin::both},
                                                {"assumed", Origin::assumed},
                                                {"given with --assume", Origin::given}});
}

}  // namespace sluice::music
