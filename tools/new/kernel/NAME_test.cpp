// Tests of @Name@: a value known by hand, and every device and instruction set against it.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "device/isa.h"
#include "device/place.h"
#include "kernel/@name@/kernels.h"
#include "launch/map.h"

namespace sluice::@name@ {
namespace {

constexpr index frames = 5, pixels = 37;

struct Case {
    std::vector<std::uint16_t> values = std::vector<std::uint16_t>(frames * pixels);
    std::vector<std::uint64_t> out = std::vector<std::uint64_t>(frames, 1);

    Case() {
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<std::uint16_t>(i * i + 7);
    }
    @Name@ kernel() { return {values.data(), pixels, out.data()}; }
    std::vector<std::uint64_t> reference() {
        launch::map(frames, kernel());
        return out;
    }
};

TEST(@Name@, SumsByHand) {
    std::vector<std::uint16_t> const values{1, 2, 65535, 65535};
    std::vector<std::uint64_t> out(2);
    launch::map(2, @Name@{values.data(), 2, out.data()});
    EXPECT_EQ(out, (std::vector<std::uint64_t>{3, 131070}));
}

void expect_same(Device const& device) {
    Case c;
    Queue queue = Queue::of(device).value();
    auto values = Place<std::uint16_t>::of(queue, c.values);
    auto out = Place<std::uint64_t>::make(queue, frames);
    ASSERT_TRUE(values && out);
    ASSERT_TRUE(launch::map(queue, frames, @Name@{values->data(), pixels, out->data()}));
    EXPECT_EQ(out->read(queue).value(), c.reference()) << device.name();
}

TEST(@Name@, EveryDeviceAgrees) {
    expect_same(Device::reference());
    expect_same(Device::fake());
    for (Isa const isa : compiled_isas())
        if (runs_here(isa)) expect_same(Device::cpu(2, isa));
}

TEST(@Name@, CudaAgrees) {
    auto const device = Device::cuda();
    if (!device) GTEST_SKIP() << "cuda: " << device.error().message;
    expect_same(*device);
}

}  // namespace
}  // namespace sluice::@name@
