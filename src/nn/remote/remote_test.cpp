// Layers, norms and activations on devices: beside plain loops, and the same bits on every device.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "device/place.h"
#include "launch/map.h"
#include "nn/normalise.h"
#include "nn/operator.h"
#include "nn/remote/convolver.h"
#include "nn/remote/kernels.h"
#include "nn/remote/tally.h"

namespace sluice::nn {
namespace {

std::vector<float> noise(index n, unsigned seed, float mean = 0.3F) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(mean, 1.0F);
    std::vector<float> v(static_cast<std::size_t>(n));
    for (float& x : v) x = normal(random);
    return v;
}

double snr(std::vector<float> const& right, std::vector<float> const& found) {
    double signal = 0, apart = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
        signal += std::pow(static_cast<double>(right[i]), 2);
        apart += std::pow(static_cast<double>(right[i]) - static_cast<double>(found[i]), 2);
    }
    return 10 * std::log10(signal / std::max(apart, 1e-300));
}

std::vector<Device> devices() {
    std::vector<Device> all{Device::reference(), Device::fake(), Device::cpu(2)};
    if (auto const gpu = Device::cuda()) all.push_back(*gpu);
    return all;
}

std::vector<Shape> shapes() {
    return {{Kind::pointwise, 7, 11, 3, 5},
            {Kind::pointwise, 4, 8, 16, 24},
            {Kind::pointwise, 1, 1, 1, 1},
            {Kind::square, 12, 20, 7, 9},
            {Kind::square, 5, 3, 16, 16},
            {Kind::square, 1, 5, 16, 16},
            {Kind::square, 3, 1, 2, 2},
            {Kind::shrink, 12, 18, 10, 20, {2, 2}},
            {Kind::shrink, 4, 16, 5, 6, {1, 4}},
            {Kind::shrink, 2, 36, 5, 6, {3, 2}},
            {Kind::grow, 12, 9, 10, 20, {2, 2}},
            {Kind::grow, 4, 8, 5, 6, {3, 1}},
            {Kind::grow, 3, 17, 5, 6, {2, 3}},
            {Kind::along_width, 24, 32, 16, 16, {1, 1}, 8},
            {Kind::along_width, 3, 8, 7, 7, {1, 1}, 33}};
}

std::vector<float> on_device(Device const& device, Shape const& s, bool add) {
    Queue queue = Queue::of(device).value();
    auto const weights = Place<float>::make(queue, s.weights()).value();
    auto const convolver = plain_convolver();
    auto const made = convolver->make(s, add, weights.data()).value();
    auto const arranged = made->arranged(noise(s.weights(), 1, 0));
    EXPECT_TRUE(queue.upload(weights.data(), std::as_bytes(std::span(arranged))));
    auto const x = noise(s.rows_in() * s.width * s.in, 2);
    auto const y = noise(s.rows_out() * s.width_out() * s.out, 3);
    auto const from = Place<float>::of(queue, x).value(), to = Place<float>::of(queue, y).value();
    EXPECT_TRUE(made->run(queue, from.data(), to.data(), nullptr));
    return to.read(queue).value();
}

// The host's twin wants the rows around the picture.
std::vector<float> by_plain_loops(Shape const& s, bool add) {
    auto x = noise(s.rows_in() * s.width * s.in, 2);
    std::vector<float> const zeros(static_cast<std::size_t>(s.halo() * s.width * s.in));
    x.insert(x.begin(), zeros.begin(), zeros.end());
    x.insert(x.end(), zeros.begin(), zeros.end());
    auto y = noise(s.rows_out() * s.width_out() * s.out, 3);
    plain_operator({.shape = s, .add = add}, noise(s.weights(), 1, 0))
        ->run(x.data(), y.data(), nullptr);
    return y;
}

TEST(NnRemote, LayersOfEveryKindAreThoseOfPlainLoops) {
    for (Shape const& s : shapes())
        for (bool const add : {false, true}) {
            auto const right = by_plain_loops(s, add), found = on_device(Device::fake(), s, add);
            EXPECT_GT(snr(right, found), 120)
                << static_cast<int>(s.kind) << ' ' << s.in << (add ? " added" : "");
        }
}

TEST(NnRemote, LayersHaveTheSameBitsOnEveryDevice) {
    for (Shape const& s : shapes()) {
        auto const first = on_device(Device::reference(), s, true);
        for (Device const& device : devices())
            EXPECT_EQ(first, on_device(device, s, true)) << device.name();
    }
}

struct Counted {
    std::vector<double> tally;
    std::vector<float> affine;
};

struct Pixels {
    index pixels, channels;
};
// One part, several, and parts of parts of parts.
std::vector<Pixels> const maps{{1, 3}, {63, 5}, {64, 4}, {65, 8}, {5000, 6}, {64 * 64 * 3 + 7, 2}};

Counted counted(Device const& device, Pixels const& m, std::vector<float> const& x, index split,
                index group) {
    Queue queue = Queue::of(device).value();
    auto const map = Place<float>::of(queue, x).value();
    auto const scratch =
        Place<double>::make(queue, tally_scratch_doubles(m.pixels, m.channels)).value();
    auto const tally_of = Place<double>::make(queue, 2 * m.channels).value();
    auto const gamma = noise(m.channels, 5), beta = noise(m.channels, 6);
    auto const g = Place<float>::of(queue, gamma).value(),
               b = Place<float>::of(queue, beta).value();
    auto const affine = Place<float>::make(queue, 2 * m.channels).value();
    EXPECT_TRUE(tally(queue, map.data(), m.pixels, m.channels, scratch.data(), tally_of.data()));
    // As if the channels after `split` were those of another map.
    std::vector<double> whole = tally_of.read(queue).value(), first, second;
    auto const part = [&](index from, index to) {
        std::vector<double> t(whole.begin() + from, whole.begin() + to);
        t.insert(t.end(), whole.begin() + m.channels + from, whole.begin() + m.channels + to);
        return t;
    };
    first = part(0, split), second = part(split, m.channels);
    auto const one = Place<double>::of(queue, first).value();
    auto const other = Place<double>::of(queue, second).value();
    EXPECT_TRUE(launch::map(
        queue, m.channels,
        AffineOf{one.data(), other.data(), split, m.channels, group, static_cast<double>(m.pixels),
                 1e-5, g.data(), b.data(), affine.data()}));
    return {whole, affine.read(queue).value()};
}

TEST(NnRemote, MomentsAreThoseOfTheHost) {
    for (Pixels const& m : maps) {
        auto const x = noise(m.pixels * m.channels, 9, 100.0F);
        Counted const found = counted(Device::fake(), m, x, m.channels, 1);
        Moments const right =
            moments<float>(Device::reference(), {x.data(), m.pixels, m.channels, m.channels});
        Affine const affine = normalising(right, noise(m.channels, 5), noise(m.channels, 6), 1e-5);
        auto const n = static_cast<double>(m.pixels);
        for (index c = 0; c < m.channels; ++c) {
            auto const at = static_cast<std::size_t>(c);
            EXPECT_NEAR(found.tally[at], right.mean[at], 1e-6);
            EXPECT_NEAR(found.tally[static_cast<std::size_t>(m.channels) + at] / n,
                        right.variance[at], 1e-5 * right.variance[at] + 1e-9);
            // One pixel has no variance, so that what is left of it is divided by next to nothing.
            if (m.pixels == 1) continue;
            EXPECT_NEAR(found.affine[at], affine.scale[at], 1e-5 * std::abs(affine.scale[at]));
            EXPECT_NEAR(found.affine[static_cast<std::size_t>(m.channels) + at], affine.shift[at],
                        1e-5 * std::abs(affine.shift[at]));
        }
    }
}

TEST(NnRemote, MomentsHaveTheSameBitsOnEveryDeviceAndAgain) {
    for (Pixels const& m : maps) {
        auto const x = noise(m.pixels * m.channels, 9);
        Counted const first = counted(Device::reference(), m, x, m.channels, 1);
        for (Device const& device : devices())
            for (int again = 0; again < 2; ++again) {
                Counted const other = counted(device, m, x, m.channels, 1);
                EXPECT_EQ(first.tally, other.tally) << device.name();
                EXPECT_EQ(first.affine, other.affine) << device.name();
            }
    }
}

TEST(NnRemote, TwoMapsSideBySideAreNormalisedAsOne) {
    Pixels const m{300, 12};
    auto const x = noise(m.pixels * m.channels, 9);
    for (index const group : {1, 2, 6, 12}) {
        auto const whole = counted(Device::fake(), m, x, m.channels, group).affine;
        EXPECT_EQ(whole, counted(Device::fake(), m, x, 5, group).affine) << group;
        auto const alone = counted(Device::fake(), m, x, m.channels, 1).affine;
        EXPECT_EQ(group == 1, whole == alone) << group;
    }
}

std::vector<float> activated_there(Device const& device, std::vector<float> const& x,
                                   std::vector<float> const& affine, Activation activation,
                                   index stride) {
    Queue queue = Queue::of(device).value();
    auto const channels = static_cast<index>(affine.size() / 2);
    index const pixels = std::ssize(x) / channels;
    auto const from = Place<float>::of(queue, x).value(),
               a = Place<float>::of(queue, affine).value();
    std::vector<float> const before(static_cast<std::size_t>(pixels * stride), -7.0F);
    auto const to = Place<float>::of(queue, before).value();
    EXPECT_TRUE(launch::map(queue, std::ssize(x),
                            NormaliseInto{from.data(), a.data(), a.data() + channels, activation,
                                          channels, to.data(), stride}));
    return to.read(queue).value();
}

TEST(NnRemote, ActivationsHaveTheBitsOfTheHost) {
    index const channels = 3, pixels = 4000;
    auto x = noise(pixels * channels, 4);
    for (std::size_t i = 0; i < x.size(); i += 2) x[i] *= 8;
    x[0] = 0, x[1] = -0.0F, x[2] = 1e30F, x[3] = -1e30F, x[4] = -25, x[5] = 1e-30F;
    auto const affine = noise(2 * channels, 8);
    Affine const host{{affine.begin(), affine.begin() + channels},
                      {affine.begin() + channels, affine.end()}};
    for (Activation const a :
         {Activation::identity(), Activation::relu(), Activation::elu(0.25F), Activation::gelu()}) {
        std::vector<float> y(x.size());
        normalise_activate<float, float>(Device::cpu(1), {x.data(), pixels, channels, channels},
                                         host, a, {y.data(), pixels, channels, channels});
        for (Device const& device : devices())
            EXPECT_EQ(y, activated_there(device, x, affine, a, channels)) << device.name();
    }
}

TEST(NnRemote, NormalisedNumbersMayGoIntoWiderPixels) {
    auto const x = noise(20, 4), affine = noise(8, 8);
    auto const dense = activated_there(Device::fake(), x, affine, Activation::gelu(), 4);
    auto const wide = activated_there(Device::fake(), x, affine, Activation::gelu(), 7);
    for (std::size_t pixel = 0; pixel < 5; ++pixel)
        for (std::size_t c = 0; c < 7; ++c)
            EXPECT_EQ(wide[7 * pixel + c], c < 4 ? dense[4 * pixel + c] : -7.0F);
}

TEST(NnRemote, MapsAreAddedAndMultiplied) {
    Queue queue = Queue::of(Device::fake()).value();
    std::vector<float> const x{1, 2, 3}, y{4, 5, 6};
    auto const from = Place<float>::of(queue, x).value(), to = Place<float>::of(queue, y).value();
    ASSERT_TRUE(launch::map(queue, 3, AddTo{from.data(), to.data()}));
    ASSERT_TRUE(launch::map(queue, 3, MultiplyBy{from.data(), to.data()}));
    EXPECT_EQ(to.read(queue).value(), (std::vector<float>{5, 14, 27}));
}

}  // namespace
}  // namespace sluice::nn
