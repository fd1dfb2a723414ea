// Layers beside plain loops: every kind, strips, several inputs, sums, moments, threads, bf16.
// SPDX-License-Identifier: Apache-2.0
#include "nn/layer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "nn/block.h"

namespace sluice::nn {
namespace {

/// A map that owns its numbers.
struct Owned {
    Block block;
    Map map;

    Owned(Element e, index height, index width, index channels, unsigned seed) {
        map = {nullptr, e, height, width, channels};
        block = std::move(*Block::make(on_line(map.bytes())));
        map.data = block.data();
        std::mt19937 random(seed);
        std::normal_distribution<float> normal(0.3F, 1.0F);
        for (index i = 0; i < height * width * channels; ++i) set(i, normal(random));
    }
    void set(index i, float value) const {
        if (map.element == Element::f32)
            map.pixels<float>().data[i] = value;
        else
            map.pixels<Bf16>().data[i] = Bf16::of(value);
    }
    double at(index i) const {
        if (map.element == Element::f32) return static_cast<double>(map.pixels<float>().data[i]);
        return static_cast<double>(static_cast<float>(map.pixels<Bf16>().data[i]));
    }
    index size() const { return map.height * map.width * map.channels; }
};

struct Case {
    Shape shape;
    std::vector<index> channels;
    Before before = Before::normalised;
    bool add = false;
    Method method = Method::direct;
    Element element = Element::f32;
    Element multiplied = Element::f32;
};

struct Answer {
    std::vector<double> numbers;
    Moments moments;
};

Answer answer(Case c, Device const& device) {
    std::mt19937 random(7);
    std::normal_distribution<float> normal(0.0F, 1.0F);
    auto const numbers = [&](index n) {
        std::vector<float> v(static_cast<std::size_t>(n));
        for (float& x : v) x = normal(random);
        return v;
    };
    std::vector<Owned> maps;
    std::vector<Affine> affine;
    std::vector<Input> inputs;
    c.shape.in = 0;
    for (index const n : c.channels) {
        Element const e = c.before == Before::normalised ? c.element : c.multiplied;
        maps.emplace_back(e, c.shape.rows_in(), c.shape.width, n, static_cast<unsigned>(n));
        affine.push_back({numbers(n), numbers(n)});
        c.shape.in += n;
    }
    for (std::size_t i = 0; i < maps.size(); ++i)
        inputs.push_back({maps[i].map, &affine[i], Activation::gelu()});
    if (c.shape.kind == Kind::along_width) c.shape.out = c.shape.in;
    auto const layer =
        Layer::make({c.shape, c.channels, c.before, c.multiplied, c.element, c.method, c.add},
                    numbers(c.shape.weights()), device);
    EXPECT_TRUE(layer) << layer.error().text();
    Owned out(c.element, c.shape.rows_out(), c.shape.width_out(), c.shape.out, 99);
    Workspace space;
    space.step = on_line(layer->scratch_bytes());
    auto const room = Block::make(space.step * device.threads());
    space.data = room->data();
    auto moments = layer->run(device, inputs, out.map, true, space);
    EXPECT_TRUE(moments);
    Answer a{{}, std::move(*moments)};
    for (index i = 0; i < out.size(); ++i) a.numbers.push_back(out.at(i));
    return a;
}

double snr(std::vector<double> const& right, std::vector<double> const& found) {
    double signal = 0, noise = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
        signal += right[i] * right[i];
        noise += (right[i] - found[i]) * (right[i] - found[i]);
    }
    return 10 * std::log10(signal / std::max(noise, 1e-300));
}

std::vector<Case> cases() {
    std::vector<Case> all;
    for (Method const method : {Method::direct, Method::winograd}) {
        all.push_back({{Kind::square, 12, 20, 0, 9}, {7}, Before::normalised, false, method});
        all.push_back({{Kind::square, 16, 9, 0, 32}, {16, 24}, Before::normalised, true, method});
        all.push_back({{Kind::square, 1, 5, 0, 16}, {16}, Before::normalised, false, method});
    }
    all.push_back({{Kind::pointwise, 32, 11, 0, 48}, {16}, Before::as_they_are});
    all.push_back({{Kind::pointwise, 7, 11, 0, 5}, {3, 6}, Before::as_they_are});
    all.push_back({{Kind::shrink, 12, 18, 0, 20, {2, 2}}, {10}});
    all.push_back({{Kind::shrink, 4, 16, 0, 6, {1, 4}}, {5}});
    all.push_back({{Kind::grow, 12, 9, 0, 20, {2, 2}}, {10}});
    all.push_back({{Kind::grow, 4, 8, 0, 6, {3, 1}}, {5}});
    all.push_back({{Kind::along_width, 24, 32, 0, 0, {1, 1}, 8}, {16}});
    all.push_back({{Kind::along_width, 24, 8, 0, 0, {1, 1}, 33}, {7}, Before::normalised, true});
    return all;
}

TEST(NnLayer, OfEveryKindIsThatOfPlainLoops) {
    for (Case const& c : cases()) {
        Answer const right = answer(c, Device::reference()), found = answer(c, Device::cpu(2));
        EXPECT_GT(snr(right.numbers, found.numbers), 115) << static_cast<int>(c.shape.kind);
        EXPECT_GT(snr(right.moments.mean, found.moments.mean), 100);
        EXPECT_GT(snr(right.moments.variance, found.moments.variance), 100);
    }
}

TEST(NnLayer, HasTheMomentsOfWhatItMade) {
    for (Case const& c : cases()) {
        Answer const a = answer(c, Device::cpu(2));
        std::size_t const channels = a.moments.mean.size(), n = a.numbers.size() / channels;
        for (std::size_t k = 0; k < channels; ++k) {
            double mean = 0, variance = 0;
            for (std::size_t i = 0; i < n; ++i) mean += a.numbers[i * channels + k];
            mean /= static_cast<double>(n);
            for (std::size_t i = 0; i < n; ++i)
                variance += std::pow(a.numbers[i * channels + k] - mean, 2);
            variance /= static_cast<double>(n);
            EXPECT_NEAR(a.moments.mean[k], mean, 1e-5 * std::sqrt(variance));
            EXPECT_NEAR(a.moments.variance[k], variance, 1e-5 * variance);
        }
    }
}

TEST(NnLayer, HasTheSameBitsForAnyNumberOfThreads) {
    for (Case const& c : cases()) {
        Answer const one = answer(c, Device::cpu(1));
        for (int const threads : {2, 3}) {
            Answer const more = answer(c, Device::cpu(threads));
            EXPECT_EQ(one.numbers, more.numbers);
            EXPECT_EQ(one.moments.mean, more.moments.mean);
            EXPECT_EQ(one.moments.variance, more.moments.variance);
        }
    }
}

TEST(NnLayer, OfBf16IsThatOfPlainLoops) {
    if (!multiplies_bf16()) GTEST_SKIP() << "this processor does not multiply bf16";
    for (Case c : cases()) {
        c.element = c.multiplied = Element::bf16;
        Answer const right = answer(c, Device::reference()), found = answer(c, Device::cpu(2));
        EXPECT_GT(snr(right.numbers, found.numbers), 44) << static_cast<int>(c.shape.kind);
    }
}

TEST(NnLayer, OfFloatsCanBecomeBf16) {
    Case const c = {{Kind::pointwise, 32, 11, 0, 48},
                    {16},
                    Before::as_they_are,
                    false,
                    Method::direct,
                    Element::bf16,
                    Element::f32};
    EXPECT_GT(snr(answer(c, Device::reference()).numbers, answer(c, Device::cpu(2)).numbers), 50);
}

}  // namespace
}  // namespace sluice::nn
