// How long JPEG XR tiles take to decode, here and by libjxr, turn by turn.
// SPDX-License-Identifier: Apache-2.0
//
//     jxr_bench [rounds [size]]    one thread; its processor time in milliseconds, median of the
//     rounds
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <random>

#include "codec/jxr/jxr.h"
#include "jxrlib/jxrlib.h"

namespace sluice {
namespace {

using jxrlib::Pixels;

/// Noise that is smooth on a scale of `cell` pixels, -1 .. 1.
class SmoothNoise {
  public:
    SmoothNoise(index size, index cell, unsigned seed) : cell_(cell), across_(size / cell + 2) {
        std::mt19937 random(seed);
        corners_.resize(static_cast<std::size_t>(across_ * across_));
        for (float& v : corners_) v = static_cast<float>(random() % 20001) / 10000 - 1;
    }
    float at(index y, index x) const {
        float const fy = static_cast<float>(y % cell_) / static_cast<float>(cell_);
        float const fx = static_cast<float>(x % cell_) / static_cast<float>(cell_);
        float const* const p = corners_.data() + y / cell_ * across_ + x / cell_;
        return (p[0] * (1 - fx) + p[1] * fx) * (1 - fy) +
               (p[across_] * (1 - fx) + p[across_ + 1] * fx) * fy;
    }

  private:
    index cell_, across_;
    std::vector<float> corners_;
};

/// Something like stained tissue: structure on many scales, colours that go together, little noise.
std::vector<std::byte> picture(index size, Pixels as) {
    std::vector<SmoothNoise> octaves;
    for (index cell = 2; cell <= 256; cell *= 2)
        octaves.emplace_back(size, cell, static_cast<unsigned>(cell));
    SmoothNoise const hue(size, 32, 7);
    std::mt19937 random(1);
    bool const wide = as == Pixels::gray16 || as == Pixels::rgb48;
    index const samples = jxrlib::bytes_per_pixel(as) / (wide ? 2 : 1);
    std::vector<std::byte> out(static_cast<std::size_t>(size * size * samples * (wide ? 2 : 1)));
    std::byte* to = out.data();
    for (index y = 0; y < size; ++y)
        for (index x = 0; x < size; ++x) {
            float light = 0.6F, weight = 0.015F;
            for (SmoothNoise const& octave : octaves) {
                light += weight * octave.at(y, x);
                weight *= 1.5F;
            }
            for (index c = 0; c < samples; ++c) {
                float const noise = static_cast<float>(random() % 1000) / 1000 - 0.5F;
                float v = light + 0.1F * hue.at(y, x) * static_cast<float>(c - 1) + 0.016F * noise;
                v = std::clamp(v, 0.0F, 1.0F);
                if (wide) {
                    // A camera of 14 bits.
                    auto const value = static_cast<std::uint16_t>(std::lround(v * 16383));
                    std::memcpy(to, &value, 2);
                    to += 2;
                } else {
                    *to++ = static_cast<std::byte>(std::lround(v * 255));
                }
            }
        }
    return out;
}

// Of the processor, so that what else runs on the machine matters less.
double now_ms() {
    return 1000 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

double median(std::vector<double> v) {
    std::ranges::sort(v);
    return v[v.size() / 2];
}

struct Case {
    char const* name;
    Pixels as;
    double quality;
    bool frequency;
    index reduction = 1;
};

bool run(Case const& c, int rounds, index size) {
    jxrlib::Settings settings;
    settings.quality = c.quality;
    settings.frequency = c.frequency;
    auto const pixels = picture(size, c.as);
    auto const file = jxrlib::encode(pixels, size, size, c.as, settings);
    if (!file) return false;
    index const side = (size + c.reduction - 1) / c.reduction;
    std::vector<std::byte> out(
        static_cast<std::size_t>(side * side * jxrlib::bytes_per_pixel(c.as)));
    codec::JxrOptions const options = {static_cast<int>(c.reduction), c.as != Pixels::bgr24};
    std::vector<double> ours, theirs;
    bool same = true;
    for (int i = 0; i < rounds; ++i) {
        double const start = now_ms();
        auto const expected = jxrlib::decode(*file, c.reduction);
        double const middle = now_ms();
        if (!codec::jxr_decode(*file, options, out)) return false;
        double const end = now_ms();
        theirs.push_back(middle - start);
        ours.push_back(end - middle);
        same = same && expected && *expected == out;
    }
    double const ms = median(ours), reference = median(theirs);
    auto const pixels_ms = static_cast<double>(size * size) / 1000 / ms;
    fmt::print("{:28} {:5.1f}:1 {:9.1f} {:9.1f} {:6.2f}x {:8.1f} {}\n", c.name,
               static_cast<double>(pixels.size()) / static_cast<double>(file->size()), reference,
               ms, reference / ms, pixels_ms, same ? "same pixels" : "DIFFERENT PIXELS");
    return same;
}

}  // namespace
}  // namespace sluice

int main(int argc, char** argv) {
    using sluice::jxrlib::Pixels;
    int const rounds = argc > 1 ? std::atoi(argv[1]) : 9;
    sluice::index const size = argc > 2 ? std::atoi(argv[2]) : 2048;
    fmt::print("{:28} {:>7} {:>9} {:>9} {:>7} {:>8}\n", "", "packed", "libjxr ms", "here ms", "",
               "Mpixel/s");
    sluice::Case const cases[] = {
        {"bgr24 lossless", Pixels::bgr24, 1.0, false},
        {"bgr24 lossless frequency", Pixels::bgr24, 1.0, true},
        {"bgr24 q 0.9", Pixels::bgr24, 0.9, false},
        {"bgr24 q 0.8", Pixels::bgr24, 0.8, false},
        {"bgr24 q 0.5", Pixels::bgr24, 0.5, false},
        {"bgr24 q 0.4 (4:2:0)", Pixels::bgr24, 0.4, false},
        {"gray8 lossless", Pixels::gray8, 1.0, false},
        {"gray16 lossless", Pixels::gray16, 1.0, false},
        {"gray16 q 0.8", Pixels::gray16, 0.8, false},
        {"rgb48 lossless", Pixels::rgb48, 1.0, false},
        {"bgr24 lossless 1/4", Pixels::bgr24, 1.0, true, 4},
        {"bgr24 lossless 1/16", Pixels::bgr24, 1.0, true, 16},
        {"bgr24 q 0.8 1/4", Pixels::bgr24, 0.8, true, 4},
    };
    bool all = true;
    for (auto const& c : cases) all = sluice::run(c, rounds, size) && all;
    return all ? 0 : 1;
}
