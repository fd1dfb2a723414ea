// launch::map() on every kind of device against the plain loop over the same functor.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>

#include "device/isa.h"
#include "device/mirror.h"
#include "domain/proton/dense/gather.h"
#include "kernel/dense/kernels.h"
#include "kernel/halve/halve.h"
#include "launch/map.h"

namespace sluice {
namespace {

constexpr index frames = 21, rows = 5, cols = 13;

std::vector<Device> devices() {
    std::vector<Device> all{Device::reference(), Device::fake()};
    for (Isa const isa : compiled_isas())
        if (runs_here(isa)) all.push_back(Device::cpu(3, isa));
    for (int gpu = 0; auto const device = Device::cuda(gpu); ++gpu) all.push_back(*device);
    return all;
}

template <class T>
std::vector<T> random_values(index n) {
    std::mt19937 random(3);
    std::vector<T> v;
    for (index i = 0; i < n; ++i) v.push_back(static_cast<T>(random() % 1000) / T{4});
    return v;
}

// Runs what `kernel_of` makes of frames and of room for the answer.
template <class Out, class T, class Make>
void compare(DType dtype, index n, index outs, Make const& kernel_of) {
    auto const values = random_values<T>(frames * rows * cols);
    std::vector<Out> expected(static_cast<std::size_t>(outs));
    dense::Frames const here{values.data(), dtype, frames, rows, cols};
    launch::map(n, kernel_of(here, expected.data(), nullptr));
    for (Device const& device : devices()) {
        Queue queue = Queue::of(device).value();
        Mirror mirror;
        T const* data = values.data();
        ASSERT_TRUE(mirror.carry(queue, data, std::ssize(values)));
        auto const out = Place<Out>::make(queue, outs);
        ASSERT_TRUE(out);
        dense::Frames const there{data, dtype, frames, rows, cols};
        auto const kernel = kernel_of(there, out->data(), [&](auto const*& view, auto list) {
            ASSERT_TRUE(mirror.carry(queue, view, std::move(list)));
        });
        ASSERT_TRUE(launch::map(queue, n, kernel));
        auto const found = out->read(queue).value();
        EXPECT_EQ(std::memcmp(found.data(), expected.data(), found.size() * sizeof(Out)), 0)
            << device.name();
    }
}

std::vector<dense::Run> const runs{{0, 2, 9}, {3, 0, 13}, {4, 5, 1}};
std::vector<index> const first_run{0, 2, 3};
std::vector<std::uint8_t> const take{1, 0, 1, 1, 0, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0, 1, 0, 1, 1, 1};

// Lets a view point at a list, on the device where there is one.
template <class Carry, class T>
void point(Carry const& carry, T const*& view, std::vector<T> const& list) {
    if constexpr (std::is_same_v<Carry, std::nullptr_t>)
        view = list.data();
    else
        carry(view, list);
}

template <class T>
void compare_all(DType dtype) {
    compare<double, T>(dtype, 2 * frames, 2 * frames, [](auto set, auto* out, auto const& carry) {
        dense::VirtualSum k{set, nullptr, nullptr, 2, out};
        point(carry, k.runs, runs);
        point(carry, k.first_run, first_run);
        return k;
    });
    compare<double, T>(dtype, frames, 3 * frames, [](auto set, auto* out, auto const& carry) {
        dense::Moments k{set, nullptr, std::ssize(runs), out};
        point(carry, k.runs, runs);
        return k;
    });
    compare<dense::PixelStats, T>(dtype, rows * cols, rows * cols,
                                  [](auto set, auto* out, auto const& carry) {
                                      dense::PatternStats k{set, nullptr, out};
                                      point(carry, k.take, take);
                                      return k;
                                  });
    static auto const weights = random_values<float>(rows * cols);
    compare<double, T>(dtype, frames, frames, [](auto set, auto* out, auto const& carry) {
        dense::WeightedSum k{set, nullptr, out};
        point(carry, k.weights, weights);
        return k;
    });
}

TEST(Launch, KernelsOnPlainValues) {
    compare_all<std::uint16_t>(DType::u16);
    compare_all<float>(DType::f32);
}

// One of the many that have no variant per instruction set; of sizes that no device likes.
TEST(Launch, AKernelWithoutVariants) {
    for (index const n : {0, 1, 2, 3, 255, 256, 257, 100'003}) {
        auto const values = random_values<double>(n);
        for (Device const& device : devices()) {
            Queue queue = Queue::of(device).value();
            auto const from = Place<double>::of(queue, values), to = Place<double>::make(queue, n);
            ASSERT_TRUE(from && to);
            proton::dense::Copy<double> const kernel{from->data(), to->data()};
            ASSERT_TRUE(launch::map(queue, n, kernel));
            EXPECT_EQ(to->read(queue).value(), values) << device.name();
        }
    }
}

// Sides that are odd and even, one row, one column; NaN and infinities among floats.
template <class T>
void halve_everywhere() {
    for (index const samples : {1, 3, 4})
        for (auto const& [width, height] :
             {std::pair<index, index>{7, 5}, {8, 6}, {1, 4}, {9, 1}}) {
            auto values = random_values<T>(width * height * samples);
            if constexpr (std::is_floating_point_v<T>) {
                values.front() = std::numeric_limits<T>::quiet_NaN();
                values.back() = std::numeric_limits<T>::infinity();
                values[values.size() / 2] = -std::numeric_limits<T>::infinity();
            }
            halve::Rows<T> here{values.data(), nullptr, width, height, samples};
            std::vector<T> expected(static_cast<std::size_t>(here.elements()));
            here.to = expected.data();
            launch::map(here.elements(), here);
            for (Device const& device : devices()) {
                Queue queue = Queue::of(device).value();
                auto const from = Place<T>::of(queue, values);
                auto const to = Place<T>::make(queue, here.elements());
                ASSERT_TRUE(from && to);
                ASSERT_TRUE(
                    launch::map(queue, here.elements(),
                                halve::Rows<T>{from->data(), to->data(), width, height, samples}));
                auto const found = to->read(queue).value();
                EXPECT_EQ(std::memcmp(found.data(), expected.data(), found.size() * sizeof(T)), 0)
                    << device.name() << " " << width << "x" << height << "x" << samples;
            }
        }
}

TEST(Launch, MeansOfPixels) {
    halve_everywhere<std::uint8_t>();
    halve_everywhere<std::uint16_t>();
    halve_everywhere<std::int32_t>();
    halve_everywhere<float>();
    halve_everywhere<double>();
}

}  // namespace
}  // namespace sluice
