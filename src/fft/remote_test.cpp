// Transforms on every kind of device have the bits of those on the host.
// SPDX-License-Identifier: Apache-2.0
#include "fft/remote.h"

#include <gtest/gtest.h>

#include <cstring>

#include "device/fake.h"
#include "fft/fft.h"
#include "fft/naive_test.h"

namespace sluice::fft {
namespace {

std::vector<Device> devices() {
    std::vector<Device> all{Device::reference(), Device::fake(), Device::cpu(1), Device::cpu(3)};
    if (auto const gpu = Device::cuda()) all.push_back(*gpu);
    return all;
}

template <class T>
bool same_bits(std::vector<T> const& a, std::vector<T> const& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

template <class Real>
class FftRemote : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(FftRemote, Reals);

TYPED_TEST(FftRemote, HasTheBitsOfTheHost) {
    using Z = Complex<TypeParam>;
    for (auto const& shape : shapes)
        for (Device const& device : devices()) {
            Layout const layout{.shape = shape, .batch = 3, .step = count_of(shape) + 2};
            auto const host = Plan<TypeParam>::make_own(layout).value();
            auto expected = random_numbers<Z>(host.sizes().data_extent());
            Queue queue = Queue::of(device).value();
            auto const place = Place<Z>::of(queue, expected).value();
            auto plan = RemotePlan<TypeParam>::make(queue, layout).value();
            ASSERT_TRUE(plan.forward(queue, place.data()));
            ASSERT_TRUE(host.forward(expected));
            EXPECT_TRUE(same_bits(place.read(queue).value(), expected))
                << name_of(shape) << " on " << device.name();
            ASSERT_TRUE(plan.inverse(queue, place.data()));
            ASSERT_TRUE(host.inverse(expected));
            EXPECT_TRUE(same_bits(place.read(queue).value(), expected))
                << name_of(shape) << " back on " << device.name();
        }
}

TYPED_TEST(FftRemote, OfRealSamplesHasTheBitsOfTheHost) {
    using Z = Complex<TypeParam>;
    for (auto const& shape : shapes)
        for (Device const& device : devices()) {
            Layout const layout{.shape = shape, .batch = 2, .numbers = Numbers::real};
            auto const host = Plan<TypeParam>::make_own(layout).value();
            auto samples = random_numbers<TypeParam>(host.sizes().data_extent());
            std::vector<Z> expected(host.sizes().spectrum_extent());
            Queue queue = Queue::of(device).value();
            auto const from = Place<TypeParam>::of(queue, samples).value();
            auto const to = Place<Z>::make(queue, std::ssize(expected)).value();
            auto plan = RemotePlan<TypeParam>::make(queue, layout).value();
            ASSERT_TRUE(plan.forward(queue, from.data(), to.data()));
            ASSERT_TRUE(host.forward(samples, expected));
            EXPECT_TRUE(same_bits(to.read(queue).value(), expected))
                << name_of(shape) << " on " << device.name();
            ASSERT_TRUE(plan.inverse(queue, to.data(), from.data()));
            ASSERT_TRUE(host.inverse(expected, samples));
            EXPECT_TRUE(same_bits(from.read(queue).value(), samples))
                << name_of(shape) << " back on " << device.name();
        }
}

TYPED_TEST(FftRemote, OfWindowsThatOverlap) {
    Layout const layout{{48}, 20, Numbers::real, 12, 25};
    auto const host = Plan<TypeParam>::make_own(layout).value();
    auto const samples = random_numbers<TypeParam>(host.sizes().data_extent());
    std::vector<Complex<TypeParam>> expected(host.sizes().spectrum_extent());
    ASSERT_TRUE(host.forward(samples, expected));
    for (Device const& device : devices()) {
        Queue queue = Queue::of(device).value();
        auto const from = Place<TypeParam>::of(queue, samples).value();
        auto const to = Place<Complex<TypeParam>>::make(queue, std::ssize(expected)).value();
        auto plan = RemotePlan<TypeParam>::make(queue, layout).value();
        ASSERT_TRUE(plan.forward(queue, from.data(), to.data()));
        EXPECT_TRUE(same_bits(to.read(queue).value(), expected)) << device.name();
    }
}

TEST(FftRemoteErrors, SayWhatMakesNoSense) {
    Queue queue = Queue::of(Device::fake()).value();
    EXPECT_EQ(RemotePlan<float>::make(queue, {{4, 0}}).error().code, Code::invalid_argument);
}

TEST(FftRemoteErrors, MemoryThatIsNotThereEndsNothing) {
    Queue queue = Queue::of(Device::fake()).value();
    fake_backend()->set_limit(1 << 20);
    auto const plan = RemotePlan<float>::make(queue, {{512, 512}});
    fake_backend()->set_limit(std::numeric_limits<std::size_t>::max());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().code, Code::out_of_memory);
    EXPECT_TRUE(RemotePlan<float>::make(queue, {{512, 512}}));
}

}  // namespace
}  // namespace sluice::fft
