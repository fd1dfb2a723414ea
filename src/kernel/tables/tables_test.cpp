// What answers from tables are made of, on every instruction set that runs here, beside plain
// loops. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "kernel/tables/cpu.h"

namespace sluice::tables {
namespace {

constexpr std::size_t count = 2053;  // more than two pieces, and some lanes over

std::vector<Isa> isas() {
    std::vector<Isa> all;
    for (Isa const isa : compiled_isas())
        if (runs_here(isa)) all.push_back(isa);
    return all;
}

template <class T>
std::vector<T> numbers_below(std::uint64_t end, unsigned seed) {
    std::mt19937_64 random(seed);
    std::vector<T> out(count);
    for (T& v : out) v = static_cast<T>(random() % end);
    return out;
}

template <class T>
Numbers of(std::vector<T> const& v) {
    return {reinterpret_cast<std::byte const*>(v.data()), sizeof(T)};
}

TEST(Tables, AddAndTakeNumbersOfEveryWidth) {
    auto const one = numbers_below<std::uint8_t>(256, 1);
    auto const two = numbers_below<std::uint16_t>(65536, 2);
    auto const four = numbers_below<std::uint32_t>(1ULL << 32, 3);
    auto const eight = numbers_below<std::uint64_t>(1ULL << 62, 4);
    for (Isa const isa : isas()) {
        CpuKernels const& k = cpu_kernels(isa);
        std::vector<std::uint64_t> sums(count, 7);
        for (Numbers const n : {of(one), of(two), of(four), of(eight), Numbers{nullptr, 0}})
            k.add(n, sums.data(), count);
        k.take(of(two), sums.data(), count);
        for (std::size_t i = 0; i < count; ++i)
            ASSERT_EQ(sums[i], 7 + std::uint64_t{one[i]} + four[i] + eight[i]) << i;
    }
}

TEST(Tables, DifferenceIsExactUpTo31Bits) {
    auto const small = numbers_below<std::uint8_t>(256, 5);
    auto const large = numbers_below<std::uint32_t>(1ULL << 30, 6);
    std::vector<std::uint32_t> sum(count);
    for (std::size_t i = 0; i < count; ++i) sum[i] = large[i] + (1U << 30) - 1;
    for (Isa const isa : isas()) {
        std::vector<double> out(count);
        cpu_kernels(isa).difference({of(sum), of(small)}, {of(large), {nullptr, 0}}, out.data(),
                                    count);
        for (std::size_t i = 0; i < count; ++i)
            ASSERT_EQ(out[i], static_cast<double>((1U << 30) - 1 + small[i])) << i;
    }
}

TEST(Tables, RangeLeavesPixelsOut) {
    auto numbers = numbers_below<std::uint16_t>(1000, 7);
    std::vector<std::uint8_t> bad(count);
    numbers[11] = 0, bad[11] = 1;
    numbers[12] = 65535, bad[12] = 1;
    numbers[20] = 1001;
    for (auto& n : numbers) n = std::max<std::uint16_t>(n, 3);
    for (Isa const isa : isas()) {
        Range const r = cpu_kernels(isa).range(numbers.data(), bad.data(), count);
        EXPECT_EQ(r.least, 3);
        EXPECT_EQ(r.most, 1001);
        EXPECT_EQ(r.count, static_cast<std::int32_t>(count) - 2);
        EXPECT_EQ(cpu_kernels(isa).range(numbers.data() + 11, bad.data() + 11, 2).count, 0);
    }
}

TEST(Tables, CentersAreTheSameBitsEverywhere) {
    std::mt19937_64 random(8);
    std::vector<planes::Moment> moments(count);
    for (auto& m : moments) {
        m.sum = random() % 5 == 0 ? 0 : random() % 100000;
        m.row = m.sum * (random() % 192), m.col = m.sum * 17;
    }
    moments[5] = {1ULL << 63, 1ULL << 63, 3ULL << 62};  // what no signed number holds
    for (Isa const isa : isas()) {
        std::vector<double> sum(count), row(count), col(count);
        Centers out{2, 3, 4, sum.data(), row.data(), col.data()};
        cpu_kernels(isa).centers(moments.data(), count, out);
        double lanes[8] = {};
        index some = 0;
        for (std::size_t i = 0; i < count; ++i) {
            auto const total = static_cast<double>(moments[i].sum);
            ASSERT_EQ(sum[i], total);
            if (moments[i].sum == 0) {
                ASSERT_TRUE(std::isnan(row[i]) && std::isnan(col[i])) << i;
                continue;
            }
            ASSERT_EQ(row[i], 2 + 4 * (static_cast<double>(moments[i].row) / total)) << i;
            ASSERT_EQ(col[i], 3 + 4 * (static_cast<double>(moments[i].col) / total)) << i;
            lanes[i % 8] += row[i];
            ++some;
        }
        EXPECT_EQ(out.row_total, std::accumulate(lanes, lanes + 8, 0.0));
        EXPECT_EQ(out.count, some);
    }
}

}  // namespace
}  // namespace sluice::tables
