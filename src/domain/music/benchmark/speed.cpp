// How long a model takes here, by a short chunk of it.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/benchmark/speed.h"

#include <algorithm>

#include "bench/stopwatch.h"
#include "domain/music/benchmark/chunks.h"

namespace sluice::music {

Result<Speed> measure_speed(std::string const& model, Inspection const& inspection,
                            Device const& device) {
    Network const& n = inspection.network;
    index multiple = 1;
    for (index i = 0; i < n.scales; ++i) multiple *= n.scale[0];
    Chunk const& chunk = inspection.chunks.front();
    Speed speed;
    speed.frames = std::max(multiple, chunk.frames / 4 / multiple * multiple);
    Engine::Wish wish;
    wish.frames = speed.frames;
    wish.precision.reset();
    wish.device = device;
    SLUICE_TRY(weights::Weights const weights, weights::open_weights(model));
    SLUICE_TRY(auto const network, load_engine(weights, inspection, wish));
    std::vector<float> const mix = test_sound(network->samples(), 1);
    std::vector<float> out(mix.size() * static_cast<std::size_t>(network->stems()));
    SLUICE_CHECK(network->separate(mix, out, 1));
    bench::Stopwatch const watch;
    SLUICE_CHECK(network->separate(mix, out, 1));
    double const of_chunk =
        watch.lap().wall_s * static_cast<double>(chunk.frames) / static_cast<double>(speed.frames);
    speed.factor =
        of_chunk * static_cast<double>(inspection.sample_rate) / static_cast<double>(chunk.samples);
    speed.precision = network->precision();
    speed.threads = device.threads();
    return speed;
}

}  // namespace sluice::music
