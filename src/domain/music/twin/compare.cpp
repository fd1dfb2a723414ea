// The fast network beside its slow twin.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/twin/compare.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "domain/music/benchmark/chunks.h"
#include "domain/music/twin/slow_network.h"

namespace sluice::music {
namespace {

float number(nn::Map const& map, index pixel, index channel) {
    auto const at = static_cast<std::size_t>(pixel * map.channels + channel);
    if (map.element == nn::Element::f32) return map.pixels<float>().data[at];
    return static_cast<float>(map.pixels<Bf16>().data[at]);
}

/// Sums over the numbers of a stage.
struct Sums {
    double signal = 0, noise = 0, largest = 0, n = 0;

    void add(double truth, double found) {
        signal += truth * truth;
        noise += (truth - found) * (truth - found);
        // A NaN is as far away as can be.
        double const off = std::abs(truth - found);
        largest = off <= largest ? largest : off;
        ++n;
    }
    StageFound found(std::string name) const {
        return {std::move(name), 10 * std::log10(signal / noise), largest, std::sqrt(signal / n)};
    }
};

}  // namespace

Result<std::vector<StageFound>> compare_with_twin(weights::Weights const& weights,
                                                  Inspection const& model, Precision precision,
                                                  Device const& device,
                                                  std::optional<Inspection> const& twin) {
    Chunk const& chunk = model.chunks.front();
    std::vector<float> const mix = test_sound(chunk.samples, 1);
    std::map<std::string, SlowMap, std::less<>> slow;
    SLUICE_TRY(std::vector<double> const truth,
               slow_separate(
                   weights, twin.value_or(model), mix,
                   [&](std::string_view stage, SlowMap const& map) { slow.emplace(stage, map); }));
    SLUICE_TRY(auto const fast, load_engine(weights, model, {chunk.frames, precision, device}));
    std::vector<StageFound> stages;
    std::vector<float> stems(truth.size());
    SLUICE_CHECK(fast->separate_watched(mix, stems, [&](std::string_view stage, nn::Map const& m) {
        auto const found = slow.find(stage);
        expects(found != slow.end());
        SlowMap const& s = found->second;
        expects(s.channels == m.channels && s.frames == m.height && s.bins == m.width);
        Sums sums;
        for (index c = 0; c < m.channels; ++c)
            for (index p = 0; p < m.height * m.width; ++p)
                sums.add(s.values[static_cast<std::size_t>(c * m.height * m.width + p)],
                         number(m, p, c));
        stages.push_back(sums.found(std::string(stage)));
    }));
    Sums sums;
    for (std::size_t i = 0; i < truth.size(); ++i) sums.add(truth[i], stems[i]);
    stages.push_back(sums.found("stems"));
    return stages;
}

}  // namespace sluice::music
