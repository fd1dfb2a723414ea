// Runs a model on chunks and writes what each stage gives, for comparisons with other programs.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <iostream>

#include "domain/music/engine.h"

namespace sluice::music {
namespace {

template <class T>
std::vector<T> read_file(std::string const& path) {
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    std::vector<T> out(static_cast<std::size_t>(in.tellg()) / sizeof(T));
    in.seekg(0);
    in.read(reinterpret_cast<char*>(out.data()),
            static_cast<std::streamsize>(out.size() * sizeof(T)));
    return out;
}

void write_file(std::string const& path, std::span<float const> numbers) {
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<char const*>(numbers.data()),
              static_cast<std::streamsize>(numbers.size_bytes()));
}

std::vector<float> floats_of(nn::Map const& map) {
    std::vector<float> out(static_cast<std::size_t>(map.height * map.width * map.channels));
    if (map.element == nn::Element::f32) {
        std::memcpy(out.data(), map.data, out.size() * sizeof(float));
    } else {
        auto const* const from = reinterpret_cast<Bf16 const*>(map.data);
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(from[i]);
    }
    return out;
}

}  // namespace

/// music_stages MODEL YAML MIX OUT fp32|bf16 DEVICE THREADS: the mix is float [batch][2][samples].
/// Without the last three: fp32, cpu and one thread for each processor. Stages are those of the
/// first chunk; where OUT ends with a slash, they are written, each as float
/// [height][width][channels].
void run_stages(std::vector<std::string> const& words) {
    auto const word = [&](std::size_t i, char const* otherwise) {
        return words.size() > i ? words[i] : std::string(otherwise);
    };
    auto const model = inspect(words.at(0), words.at(1)).value();
    Engine::Wish wish;
    wish.frames = model.chunks.front().frames;
    wish.precision = word(4, "fp32") == "bf16" ? Precision::bf16 : Precision::fp32;
    wish.device = Device::named(word(5, "cpu"), std::stoi(word(6, "0"))).value();
    auto const weights = weights::open_weights(words[0]).value();
    auto const forward = load_engine(weights, model, wish).value();
    auto const mix = read_file<float>(words.at(2));
    index const chunk = 2 * forward->samples(), batch = static_cast<index>(mix.size()) / chunk;
    std::vector<float> out(static_cast<std::size_t>(batch * chunk * forward->stems()));
    std::string const folder = words.at(3);
    forward->separate(mix, out, batch).value();
    write_file(folder + "out.f32", out);
    if (!folder.ends_with('/')) return;
    std::ofstream list(folder + "stages.txt");
    auto const first = static_cast<std::size_t>(chunk);
    forward
        ->separate_watched(std::span(mix).first(first),
                           std::span(out).first(first * static_cast<std::size_t>(forward->stems())),
                           [&](std::string_view stage, nn::Map const& map) {
                               list << fmt::format("{} {} {} {}\n", stage, map.height, map.width,
                                                   map.channels);
                               write_file(fmt::format("{}{}.f32", folder, stage), floats_of(map));
                           })
        .value();
}

}  // namespace sluice::music

int main(int argc, char** argv) {
    try {
        sluice::music::run_stages({argv + 1, argv + argc});
    } catch (std::exception const& e) {
        std::cerr << "music_stages: " << e.what() << '\n';
        return 1;
    }
    return 0;
}
