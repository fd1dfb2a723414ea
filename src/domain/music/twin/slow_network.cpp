// The network and its transforms by their definitions.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/twin/slow_network.h"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <numbers>

#include "domain/music/twin/slow_layers.h"
#include "format/weights/rounding.h"

namespace sluice::music {
namespace {

using Complex = std::complex<double>;

std::vector<double> window_of(index n) {
    std::vector<double> w(static_cast<std::size_t>(n));
    for (index i = 0; i < n; ++i)
        w[static_cast<std::size_t>(i)] =
            0.5 -
            0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n));
    return w;
}

// exp(2 pi i k / n) for all k below n.
std::vector<Complex> roots_of(index n) {
    std::vector<Complex> r(static_cast<std::size_t>(n));
    for (index k = 0; k < n; ++k)
        r[static_cast<std::size_t>(k)] =
            std::polar(1.0, 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
    return r;
}

// Mirrored at both ends, without the end itself.
index mirrored(index i, index n) {
    if (i < 0) i = -i;
    return i < n ? i : 2 * (n - 1) - i;
}

class SlowNetwork {
  public:
    SlowNetwork(weights::Weights const& weights, Inspection const& model, Settings settings,
                SlowWatch const& watch)
        : weights_(weights),
          n_(model.network),
          s_(settings),
          window_(window_of(s_.n_fft)),
          roots_(roots_of(s_.n_fft)),
          watch_(watch) {}

    std::vector<double> separate(std::span<float const> mix) {
        index const samples = static_cast<index>(mix.size()) / 2;
        SlowMap const spectra = forward(mix, samples);
        see("mix", spectra);
        SlowMap const out = network(spectra);
        std::vector<double> stems;
        for (index stem = 0; stem < n_.stems; ++stem)
            for (index sound = 0; sound < 2; ++sound) {
                std::vector<double> const one = inverse(out, 2 * stem + sound, samples);
                stems.insert(stems.end(), one.begin(), one.end());
            }
        return stems;
    }

  private:
    weights::Weights const& weights_;
    Network const& n_;
    Settings s_;
    std::vector<double> window_;
    std::vector<Complex> roots_;
    SlowWatch const& watch_;

    void see(std::string const& stage, SlowMap const& map) const {
        if (watch_) watch_(stage, map);
    }

    std::vector<double> numbers(std::string const& name) const {
        weights::Tensor const& t = *weights_.find(name);
        weights::Rounded ignored;
        auto const bytes = weights::rounded(weights::read_tensor(weights_, t).value(), t.element,
                                            weights::Element::f64, name, ignored)
                               .value();
        std::vector<double> v(bytes.size() / sizeof(double));
        std::memcpy(v.data(), bytes.data(), bytes.size());
        return v;
    }

    // Channel ((sound * 2 + imaginary) * subbands + band) holds the bins of a band.
    index channel(index sound, index part, index bin) const {
        return (sound * 2 + part) * n_.subbands + bin / n_.bins;
    }

    SlowMap forward(std::span<float const> mix, index samples) const {
        index const frames = samples / s_.hop + 1;
        SlowMap map = SlowMap::of(n_.inputs(), frames, n_.bins);
        for (index sound = 0; sound < 2; ++sound)
            for (index t = 0; t < frames; ++t)
                for (index bin = 0; bin < n_.bins * n_.subbands; ++bin) {
                    Complex sum = 0;
                    for (index i = 0; i < s_.n_fft; ++i) {
                        index const at = mirrored(t * s_.hop + i - s_.n_fft / 2, samples);
                        sum += window_[static_cast<std::size_t>(i)] *
                               static_cast<double>(
                                   mix[static_cast<std::size_t>(sound * samples + at)]) *
                               std::conj(roots_[static_cast<std::size_t>(bin * i % s_.n_fft)]);
                    }
                    map.at(channel(sound, 0, bin), t, bin % n_.bins) = sum.real();
                    map.at(channel(sound, 1, bin), t, bin % n_.bins) = sum.imag();
                }
        return map;
    }

    std::vector<double> inverse(SlowMap const& map, index sound, index samples) const {
        std::vector<double> sum(static_cast<std::size_t>(samples)), weight(sum.size());
        for (index t = 0; t < map.frames; ++t)
            for (index i = 0; i < s_.n_fft; ++i) {
                index const at = t * s_.hop + i - s_.n_fft / 2;
                if (at < 0 || at >= samples) continue;
                double v = 0;
                for (index bin = 0; bin < n_.bins * n_.subbands; ++bin) {
                    Complex const x = {map.at(channel(sound, 0, bin), t, bin % n_.bins),
                                       map.at(channel(sound, 1, bin), t, bin % n_.bins)};
                    // Bins but the first and the last stand for two.
                    bool const alone = bin == 0 || 2 * bin == s_.n_fft;
                    v += (alone ? 1 : 2) *
                         (x * roots_[static_cast<std::size_t>(bin * i % s_.n_fft)]).real();
                }
                double const w = window_[static_cast<std::size_t>(i)];
                sum[static_cast<std::size_t>(at)] += w * v / static_cast<double>(s_.n_fft);
                weight[static_cast<std::size_t>(at)] += w * w;
            }
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] /= weight[i];
        return sum;
    }

    // act(norm(x)), which stands before every layer.
    SlowMap ready(SlowMap const& x, std::string const& name) const {
        if (n_.norm == Norm::none) return slow_activation(x, s_.activation);
        bool const batch = n_.norm == Norm::batch;
        return slow_activation(
            slow_norm(x, s_.norm, numbers(name + "weight"), numbers(name + "bias"),
                      batch ? numbers(name + "running_mean") : std::vector<double>{},
                      batch ? numbers(name + "running_var") : std::vector<double>{}),
            s_.activation);
    }

    SlowMap stack(SlowMap x, std::string const& name, index channels) const {
        for (index j = 0; j < n_.blocks; ++j) {
            std::string const b = fmt::format("{}.blocks.{}.", name, j);
            SlowMap const around =
                slow_convolution(x, numbers(b + "shortcut.weight"), channels, 1, 1, {1, 1});
            x = slow_convolution(ready(x, b + "tfc1.0."), numbers(b + "tfc1.2.weight"), channels, 3,
                                 3, {1, 1});
            SlowMap narrow = slow_linear(ready(x, b + "tdf.0."), numbers(b + "tdf.2.weight"),
                                         x.bins / n_.bottleneck);
            x = slow_sum(
                slow_linear(ready(narrow, b + "tdf.3."), numbers(b + "tdf.5.weight"), x.bins), x);
            x = slow_sum(slow_convolution(ready(x, b + "tfc2.0."), numbers(b + "tfc2.2.weight"),
                                          channels, 3, 3, {1, 1}),
                         around);
            see(fmt::format("{}.blocks.{}", name, j), x);
        }
        return x;
    }

    SlowMap network(SlowMap const& mix) const {
        SlowMap const first =
            slow_convolution(mix, numbers("first_conv.weight"), n_.channels, 1, 1, {1, 1});
        see("first_conv", first);
        SlowMap x = first;
        std::vector<SlowMap> skips;
        for (index i = 0; i < n_.scales; ++i) {
            std::string const level = fmt::format("encoder_blocks.{}.", i);
            x = stack(std::move(x), level + "tfc_tdf", n_.channels_of(i));
            skips.push_back(x);
            x = slow_convolution(ready(x, level + "downscale.conv.0."),
                                 numbers(level + "downscale.conv.2.weight"), n_.channels_of(i + 1),
                                 n_.scale[0], n_.scale[1], n_.scale);
            see(level + "downscale", x);
        }
        x = stack(std::move(x), "bottleneck_block", n_.channels_of(n_.scales));
        for (index i = 0; i < n_.scales; ++i) {
            std::string const level = fmt::format("decoder_blocks.{}.", i);
            index const channels = n_.channels_of(n_.scales - 1 - i);
            x = slow_transposed(ready(x, level + "upscale.conv.0."),
                                numbers(level + "upscale.conv.2.weight"), channels, n_.scale);
            see(level + "upscale", x);
            x = stack(slow_joined(x, skips.back()), level + "tfc_tdf", channels);
            skips.pop_back();
        }
        x = slow_product(std::move(x), first);
        see("gate", x);
        x = slow_convolution(slow_joined(mix, x), numbers("final_conv.0.weight"), n_.channels, 1, 1,
                             {1, 1});
        x = slow_convolution(slow_activation(std::move(x), s_.activation),
                             numbers("final_conv.2.weight"), n_.stems * n_.inputs(), 1, 1, {1, 1});
        see("final_conv", x);
        return x;
    }
};

}  // namespace

Result<std::vector<double>> slow_separate(weights::Weights const& weights, Inspection const& model,
                                          std::span<float const> mix, SlowWatch const& watch) {
    SLUICE_TRY(Settings const settings, settings_of(model, weights.file->name()));
    return SlowNetwork(weights, model, settings, watch).separate(mix);
}

}  // namespace sluice::music
