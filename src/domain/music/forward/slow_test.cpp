// The slow twin: each module of the network as one function, which makes a new tensor.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/forward/slow_test.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace sluice::music {
namespace {

using Complex = std::complex<double>;

class Slow {
  public:
    Slow(SlowModel const& m, std::map<std::string, SlowTensor>& stages) : m_(m), stages_(stages) {}

    SlowTensor run(SlowTensor const& mix) {
        Network const& n = m_.network;
        SlowTensor const first = pointwise(mix, "first_conv.weight", n.channels);
        keep("first_conv", first);
        SlowTensor x = turned(first);
        std::vector<SlowTensor> skips;
        for (index i = 0; i < n.scales; ++i) {
            std::string const name = "encoder_blocks." + std::to_string(i);
            x = stack(x, name + ".tfc_tdf", n.channels_of(i));
            skips.push_back(x);
            x = down(x, name + ".downscale.conv", n.channels_of(i + 1));
            keep(name + ".downscale", x);
        }
        x = stack(x, "bottleneck_block", n.channels_of(n.scales));
        for (index i = 0; i < n.scales; ++i) {
            std::string const name = "decoder_blocks." + std::to_string(i);
            index const c = n.channels_of(n.scales - 1 - i);
            x = up(x, name + ".upscale.conv", c);
            keep(name + ".upscale", x);
            x = stack(concatenated(x, skips.back()), name + ".tfc_tdf", c);
            skips.pop_back();
        }
        x = turned(x);
        for (std::size_t i = 0; i < x.values.size(); ++i) x.values[i] *= first.values[i];
        keep("gate", x);
        x = pointwise(concatenated(mix, x), "final_conv.0.weight", n.channels);
        for (double& v : x.values) v = active(v);
        x = pointwise(x, "final_conv.2.weight", n.stems * n.inputs());
        keep("final_conv", x);
        return x;
    }

  private:
    SlowModel const& m_;
    std::map<std::string, SlowTensor>& stages_;

    void keep(std::string const& name, SlowTensor const& t) { stages_.insert_or_assign(name, t); }
    double weight(std::string const& name, index i) const {
        return m_.tensors.at(name)[static_cast<std::size_t>(i)];
    }

    double active(double v) const {
        switch (m_.settings.activation.kind) {
            case nn::Activation::Kind::gelu:
                return v * std::erfc(-v / std::numbers::sqrt2) / 2;
            case nn::Activation::Kind::relu:
                return std::max(v, 0.0);
            case nn::Activation::Kind::elu:
                return v > 0 ? v
                             : static_cast<double>(m_.settings.activation.alpha) * std::expm1(v);
            default:
                return v;
        }
    }

    // The norm of a name, and the activation behind it.
    SlowTensor normalised(SlowTensor x, std::string const& name) const {
        using Kind = NormKind::Kind;
        NormKind const kind = m_.settings.norm;
        index const size = kind.kind == Kind::groups ? x.channels / kind.groups : 1;
        for (index first = 0; first < x.channels; first += size) {
            double mean = 0, variance = 0;
            auto const begin = x.values.begin() + first * x.height * x.width;
            auto const end = begin + size * x.height * x.width;
            auto const n = static_cast<double>(end - begin);
            for (auto v = begin; v != end; ++v) mean += *v / n;
            for (auto v = begin; v != end; ++v) variance += (*v - mean) * (*v - mean) / n;
            for (index c = first; c < first + size; ++c) {
                if (kind.kind == Kind::batch) {
                    mean = weight(name + ".running_mean", c);
                    variance = weight(name + ".running_var", c);
                }
                for (index i = 0; i < x.height * x.width; ++i) {
                    double& v = x.values[static_cast<std::size_t>(c * x.height * x.width + i)];
                    if (kind.kind != Kind::none)
                        v = (v - mean) / std::sqrt(variance + 1e-5) * weight(name + ".weight", c) +
                            weight(name + ".bias", c);
                    v = active(v);
                }
            }
        }
        return x;
    }

    SlowTensor pointwise(SlowTensor const& x, std::string const& name, index out) const {
        SlowTensor y(out, x.height, x.width);
        for (index c = 0; c < out; ++c)
            for (index i = 0; i < x.channels; ++i)
                for (index h = 0; h < x.height; ++h)
                    for (index w = 0; w < x.width; ++w)
                        y.at(c, h, w) += weight(name, c * x.channels + i) * x.at(i, h, w);
        return y;
    }

    SlowTensor square(SlowTensor const& x, std::string const& name, index out) const {
        SlowTensor y(out, x.height, x.width);
        for (index c = 0; c < out; ++c)
            for (index i = 0; i < x.channels; ++i)
                for (index h = 0; h < x.height; ++h)
                    for (index w = 0; w < x.width; ++w)
                        for (index k = 0; k < 9; ++k) {
                            index const row = h + k / 3 - 1, column = w + k % 3 - 1;
                            if (row < 0 || row >= x.height || column < 0 || column >= x.width)
                                continue;
                            y.at(c, h, w) +=
                                weight(name, (c * x.channels + i) * 9 + k) * x.at(i, row, column);
                        }
        return y;
    }

    SlowTensor down(SlowTensor const& before, std::string const& name, index out) const {
        SlowTensor const x = normalised(before, name + ".0");
        auto const [rows, columns] = m_.network.scale;
        SlowTensor y(out, x.height / rows, x.width / columns);
        for (index c = 0; c < out; ++c)
            for (index i = 0; i < x.channels; ++i)
                for (index h = 0; h < x.height; ++h)
                    for (index w = 0; w < x.width; ++w)
                        y.at(c, h / rows, w / columns) +=
                            weight(
                                name + ".2.weight",
                                ((c * x.channels + i) * rows + h % rows) * columns + w % columns) *
                            x.at(i, h, w);
        return y;
    }

    SlowTensor up(SlowTensor const& before, std::string const& name, index out) const {
        SlowTensor const x = normalised(before, name + ".0");
        auto const [rows, columns] = m_.network.scale;
        SlowTensor y(out, x.height * rows, x.width * columns);
        for (index c = 0; c < out; ++c)
            for (index i = 0; i < x.channels; ++i)
                for (index h = 0; h < y.height; ++h)
                    for (index w = 0; w < y.width; ++w)
                        y.at(c, h, w) +=
                            weight(name + ".2.weight",
                                   ((i * out + c) * rows + h % rows) * columns + w % columns) *
                            x.at(i, h / rows, w / columns);
        return y;
    }

    SlowTensor along(SlowTensor const& x, std::string const& name, index out) const {
        SlowTensor y(x.channels, x.height, out);
        for (index c = 0; c < x.channels; ++c)
            for (index h = 0; h < x.height; ++h)
                for (index w = 0; w < out; ++w)
                    for (index i = 0; i < x.width; ++i)
                        y.at(c, h, w) += weight(name, w * x.width + i) * x.at(c, h, i);
        return y;
    }

    static SlowTensor sum(SlowTensor a, SlowTensor const& b) {
        for (std::size_t i = 0; i < a.values.size(); ++i) a.values[i] += b.values[i];
        return a;
    }
    static SlowTensor concatenated(SlowTensor const& a, SlowTensor const& b) {
        SlowTensor out(a.channels + b.channels, a.height, a.width);
        std::copy(b.values.begin(), b.values.end(),
                  std::copy(a.values.begin(), a.values.end(), out.values.begin()));
        return out;
    }
    static SlowTensor turned(SlowTensor const& x) {
        SlowTensor y(x.channels, x.width, x.height);
        for (index c = 0; c < x.channels; ++c)
            for (index h = 0; h < x.height; ++h)
                for (index w = 0; w < x.width; ++w) y.at(c, w, h) = x.at(c, h, w);
        return y;
    }

    SlowTensor stack(SlowTensor x, std::string const& name, index out) {
        for (index j = 0; j < m_.network.blocks; ++j) {
            std::string const b = name + ".blocks." + std::to_string(j);
            SlowTensor const around = pointwise(x, b + ".shortcut.weight", out);
            SlowTensor const y = square(normalised(x, b + ".tfc1.0"), b + ".tfc1.2.weight", out);
            SlowTensor const narrow = along(normalised(y, b + ".tdf.0"), b + ".tdf.2.weight",
                                            x.width / m_.network.bottleneck);
            SlowTensor const z =
                sum(y, along(normalised(narrow, b + ".tdf.3"), b + ".tdf.5.weight", x.width));
            x = sum(square(normalised(z, b + ".tfc2.0"), b + ".tfc2.2.weight", out), around);
            keep(b, x);
        }
        return x;
    }
};

double window(index n_fft, index i) {
    return 0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(i) /
                                static_cast<double>(n_fft));
}

Complex turn(index n_fft, index k) {
    return std::polar(
        1.0, 2 * std::numbers::pi * static_cast<double>(k % n_fft) / static_cast<double>(n_fft));
}

// [channel * 2 + real or imaginary][band] of the mirrored sound, by sums.
SlowTensor subbands(SlowModel const& m, std::vector<float> const& mix, index frames) {
    index const n = m.settings.n_fft, samples = m.settings.hop * (frames - 1);
    index const bands = m.network.subbands, bins = m.network.bins;
    SlowTensor out(m.network.inputs(), bins, frames);
    for (index c = 0; c < 2; ++c)
        for (index t = 0; t < frames; ++t)
            for (index f = 0; f < bands * bins; ++f) {
                Complex sum = 0;
                for (index i = 0; i < n; ++i) {
                    index at = std::abs(t * m.settings.hop + i - n / 2);
                    if (at >= samples) at = 2 * (samples - 1) - at;
                    sum += window(n, i) * std::conj(turn(n, f * i)) *
                           static_cast<double>(mix[static_cast<std::size_t>(c * samples + at)]);
                }
                out.at(2 * c * bands + f / bins, f % bins, t) = sum.real();
                out.at((2 * c + 1) * bands + f / bins, f % bins, t) = sum.imag();
            }
    return out;
}

std::vector<double> sound(SlowModel const& m, SlowTensor const& x) {
    index const n = m.settings.n_fft, hop = m.settings.hop, samples = hop * (x.width - 1);
    index const bands = m.network.subbands, bins = m.network.bins;
    std::vector<double> out(static_cast<std::size_t>(2 * m.network.stems * samples));
    for (index c = 0; c < 2 * m.network.stems; ++c)
        for (index s = 0; s < samples; ++s) {
            double sum = 0, weight = 0;
            for (index t = 0; t < x.width; ++t) {
                index const i = s + n / 2 - t * hop;
                if (i < 0 || i >= n) continue;
                double value = 0;
                for (index f = 0; f < bands * bins; ++f) {
                    Complex const number(x.at(2 * c * bands + f / bins, f % bins, t),
                                         x.at((2 * c + 1) * bands + f / bins, f % bins, t));
                    // All bins but the first and the one of half the rate stand for two.
                    double const twice = f == 0 || 2 * f == n ? 1 : 2;
                    value += twice * (number * turn(n, f * i)).real() / static_cast<double>(n);
                }
                sum += window(n, i) * value;
                weight += window(n, i) * window(n, i);
            }
            out[static_cast<std::size_t>(c * samples + s)] = sum / weight;
        }
    return out;
}

}  // namespace

std::vector<double> separate_slowly(SlowModel const& model, std::vector<float> const& mix,
                                    index frames, std::map<std::string, SlowTensor>& stages) {
    SlowTensor const bands = subbands(model, mix, frames);
    stages.insert_or_assign("mix", bands);
    return sound(model, Slow(model, stages).run(bands));
}

}  // namespace sluice::music
