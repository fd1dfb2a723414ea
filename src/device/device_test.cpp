// Devices by name, and the instruction sets of this processor.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/device.h"

#include <gtest/gtest.h>

#include "device/isa.h"

namespace sluice {
namespace {

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

TEST(Device, ThreadsAreForProcessors) {
    EXPECT_EQ(Device::cpu(2, Isa::baseline).with_threads(5).threads(), 5);
    EXPECT_EQ(Device::cpu(2, Isa::baseline).with_threads(5).isa(), Isa::baseline);
    EXPECT_EQ(Device::cpu(2).with_threads(0).threads(), 2);
    EXPECT_EQ(Device::reference().with_threads(5).threads(), 1);
    EXPECT_EQ(Device::fake().with_threads(5).kind(), Device::Kind::fake);
    EXPECT_EQ(Device::cpu(2, Isa::baseline).host(3).name(), "cpu:baseline");
    EXPECT_EQ(Device::fake().host(3).kind(), Device::Kind::cpu);
    EXPECT_EQ(Device::reference().host(3).threads(), 3);
}

TEST(Device, UnknownNamesAreAnsweredWithTheKnownOnes) {
    for (char const* name :
         {"", "gpu", "CPU", "cpu:", "cpu:avx1024", "cuda:", "cuda:x", "cuda:-1", "cpu "}) {
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
        EXPECT_EQ(d->name(), Device::named("cuda:0").value().name());
        EXPECT_EQ(Device::cuda(1000).error().code, Code::unavailable);
        EXPECT_EQ(Device::named("best").value().kind(), Device::Kind::cuda);
        return;
    }
    EXPECT_EQ(d.error().code, Code::unavailable);
    EXPECT_EQ(Device::named("cuda:0").error().code, Code::unavailable);
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
