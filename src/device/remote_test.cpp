// The fake device catches what a GPU would: host access to its memory, and forgotten waits.
// SPDX-License-Identifier: Apache-2.0
#include "device/remote.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "device/isa.h"

namespace sluice {
namespace {

std::vector<int> const numbers{1, 2, 3, 4, 5};

TEST(FakeDeviceDeathTest, HostAccessEndsTheProgram) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    auto const buffer = Buffer<int>::of(fake_device(), numbers);
    ASSERT_TRUE(buffer);
    EXPECT_EQ(buffer->count(), 5);
    ASSERT_TRUE(fake_device().wait());
    int const volatile* const p = buffer->data();
    EXPECT_DEATH((void)*p, "");
    EXPECT_DEATH(*buffer->data() = 3, "");
    EXPECT_DEATH((void)p[4], "");
}

TEST(FakeDevice, NothingHappensBeforeWait) {
    auto const buffer = Buffer<int>::of(fake_device(), numbers);
    ASSERT_TRUE(buffer);
    std::vector<int> out(5, -1);
    bool ran = false;
    fake_device().submit([&] { ran = true; });
    ASSERT_TRUE(buffer->download(out));
    EXPECT_EQ(out, std::vector<int>(5, -1));
    EXPECT_FALSE(ran);
    ASSERT_TRUE(fake_device().wait());
    EXPECT_EQ(out, numbers);
    EXPECT_TRUE(ran);
    out.assign(5, -1);
    ASSERT_TRUE(fake_device().wait());
    EXPECT_EQ(out, std::vector<int>(5, -1)) << "work was done twice";
}

TEST(FakeDevice, WorkIsDoneInTheOrderItWasGiven) {
    auto buffer = Buffer<int>::allocate(fake_device(), 5);
    ASSERT_TRUE(buffer);
    std::vector<int> const first{1, 1, 1, 1, 1}, second{2, 2, 2, 2, 2};
    std::vector<int> between(5), after(5);
    int* const p = buffer->data();
    ASSERT_TRUE(fake_device().upload(p, std::as_bytes(std::span(first))));
    fake_device().submit([p] { p[3] += 10; });
    ASSERT_TRUE(buffer->download(between));
    ASSERT_TRUE(fake_device().upload(p, std::as_bytes(std::span(second))));
    ASSERT_TRUE(buffer->download(after));
    ASSERT_TRUE(fake_device().wait());
    EXPECT_EQ(between, (std::vector<int>{1, 1, 1, 11, 1}));
    EXPECT_EQ(after, second);
}

TEST(FakeDevice, BuffersMove) {
    auto a = Buffer<int>::of(fake_device(), numbers);
    auto b = Buffer<int>::allocate(fake_device(), 2);
    ASSERT_TRUE(a && b);
    Buffer<int> moved = std::move(*a);
    EXPECT_EQ(a->data(), nullptr);
    *b = std::move(moved);
    std::vector<int> out(5);
    EXPECT_EQ(b->count(), 5);
    ASSERT_TRUE(b->download(out));
    ASSERT_TRUE(fake_device().wait());
    EXPECT_EQ(out, numbers);
}

TEST(FakeDevice, EmptyBuffersAndAbsurdOnes) {
    auto const none = Buffer<int>::of(fake_device(), {});
    ASSERT_TRUE(none);
    ASSERT_TRUE(fake_device().wait());
    auto const absurd = Buffer<std::byte>::allocate(fake_device(), index{1} << 60);
    ASSERT_FALSE(absurd);
    EXPECT_EQ(absurd.error().code, Code::out_of_memory);
}

TEST(Device, ByName) {
    EXPECT_EQ(Device::named("reference").value().kind(), Device::Kind::reference);
    EXPECT_EQ(Device::named("fake").value().kind(), Device::Kind::fake);
    EXPECT_EQ(Device::named("cpu", 3).value().kind(), Device::Kind::cpu);
    EXPECT_EQ(Device::named("cpu", 3).value().threads(), 3);
    EXPECT_EQ(Device::named("cpu").value().isa(), chosen_isa());
    EXPECT_GE(Device::named("cpu").value().threads(), 1);
    EXPECT_GE(Device::named("cpu", -4).value().threads(), 1);
    EXPECT_EQ(Device::named("cpu:baseline").value().isa(), Isa::baseline);
    EXPECT_TRUE(Device::named("best"));
    EXPECT_FALSE(Device::cpu().remote());
    EXPECT_FALSE(Device::reference().remote());
    EXPECT_TRUE(Device::fake().remote());
    for (char const* name : {"reference", "fake", "cpu", "cpu:baseline", "best"}) {
        Device const d = Device::named(name).value();
        EXPECT_EQ(Device::named(d.name()).value().name(), d.name());
    }
}

TEST(Device, UnknownNamesAreAnsweredWithTheKnownOnes) {
    for (char const* name : {"", "gpu", "CPU", "cpu:", "cpu:avx1024", "cuda:0", "cpu "}) {
        auto const d = Device::named(name);
        ASSERT_FALSE(d) << name;
        EXPECT_EQ(d.error().code, Code::invalid_argument);
        EXPECT_NE(d.error().message.find("'" + std::string(name) + "'"), std::string::npos);
        EXPECT_NE(d.error().message.find("reference, cpu, fake, cuda, best, cpu:baseline"),
                  std::string::npos)
            << d.error().message;
    }
}

TEST(Device, CudaIsThereOrSaysWhyNot) {
    auto const d = Device::cuda();
    if (d) {
        EXPECT_EQ(d->kind(), Device::Kind::cuda);
        EXPECT_TRUE(d->remote());
        EXPECT_EQ(Device::named("best").value().kind(), Device::Kind::cuda);
        return;
    }
    EXPECT_EQ(d.error().code, Code::unavailable);
    EXPECT_NE(d.error().message.find("--device cpu"), std::string::npos) << d.error().message;
    EXPECT_EQ(Device::named("best").value().kind(), Device::Kind::cpu);
}

TEST(Isa, TheBaselineRunsEverywhere) {
    EXPECT_TRUE(runs_here(Isa::baseline));
    EXPECT_TRUE(runs_here(chosen_isa()));
    EXPECT_EQ(compiled_isas().front(), Isa::baseline);
    EXPECT_EQ(name_of(Isa::avx2), "avx2");
}

}  // namespace
}  // namespace sluice
