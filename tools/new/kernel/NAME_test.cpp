// Tests of @Name@: a value known by hand, and every device and instruction set against it.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "kernel/@name@/cpu.h"
#include "kernel/@name@/remote.h"
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

TEST(@Name@, EveryInstructionSetAgrees) {
    auto const expected = Case().reference();
    Isa const best = Device::cpu().isa();
    for (Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512}) {
        if (isa > best) continue;
        Case c;
        cpu_kernels(isa).run(c.kernel(), 0, frames);
        EXPECT_EQ(c.out, expected) << static_cast<int>(isa);
    }
}

void expect_same(RemoteDevice& device) {
    Case c;
    auto values = Buffer<std::uint16_t>::of(device, c.values);
    auto out = Buffer<std::uint64_t>::allocate(device, frames);
    ASSERT_TRUE(values && out);
    ASSERT_TRUE(map_remote(device, frames, {values->data(), pixels, out->data()}));
    std::vector<std::uint64_t> result(frames);
    ASSERT_TRUE(out->download(result));
    ASSERT_TRUE(device.wait());
    EXPECT_EQ(result, c.reference());
}

TEST(@Name@, FakeDeviceAgrees) { expect_same(fake_device()); }

TEST(@Name@, CudaAgrees) {
    auto device = cuda_device();
    if (!device) GTEST_SKIP() << "cuda: " << device.error().message;
    expect_same(**device);
}

}  // namespace
}  // namespace sluice::@name@
