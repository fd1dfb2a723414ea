// Tests of the sums of a joint fit: every instruction set agrees with the twin in double.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "domain/crystal/fit/render.h"
#include "domain/crystal/refine/joint_kernels.h"

namespace sluice::crystal {
namespace {

constexpr index rows = 40, cols = 48;

// Pictures with two disks, made by some kernels, and what these say of them.
struct Made {
    Tables tables{{.radius = 6}, 9.9};
    index side = tables.side(), pitch = cols + 2 * side, first = side * pitch + side;
    std::vector<AlignedFloats> pictures;
    AlignedFloats counts{size()}, good{size()},
        plane[3] = {AlignedFloats{size()}, AlignedFloats{size()}, AlignedFloats{size()}};
    AlignedFloats own[2] = {AlignedFloats{2 * side * side + 64},
                            AlignedFloats{2 * side * side + 64}},
                  weighted{2 * side * side + 64};
    JointPictures all{};
    JointSums sums;
    JointHeight height;
    double overlaps[3] = {};

    index size() const { return pitch * (rows + 2 * side); }

    explicit Made(JointKernels const& k) {
        for (int i = 0; i < 9; ++i) pictures.emplace_back(size());
        auto const at = [&](std::size_t i) { return pictures[i].data() + first; };
        all = {at(0), at(1), at(2), {at(3), at(4), at(5), at(6), at(7), at(8)}, pitch};
        std::mt19937 random(4);
        for (index i = 0; i < size(); ++i) {
            index const r = i / pitch - side, c = i % pitch - side;
            bool const in = r >= 0 && c >= 0 && r < rows && c < cols;
            plane[0].data()[i] = 1;
            plane[1].data()[i] = 0.1F * static_cast<float>(r);
            plane[2].data()[i] = 0.1F * static_cast<float>(c);
            pictures[0].data()[i] = 3 + 0.2F * plane[1].data()[i];
            std::poisson_distribution<int> draw(9);
            counts.data()[i] = in ? static_cast<float>(draw(random)) : 0;
            good.data()[i] = in && i % 29 ? 1.0F : 0.0F;
        }
        index places[2][2];
        double const centers[2][2] = {{15.3, 17.1}, {21.9, 25.6}};
        for (std::size_t d = 0; d < 2; ++d) {
            Phase const p = phase_at(tables, centers[d][0], centers[d][1]);
            places[d][0] = p.row, places[d][1] = p.col;
            k.add(all,
                  {p.table, side, p.row * pitch + p.col, d ? 7.0F : 20.0F,
                   static_cast<float>(p.d_row), static_cast<float>(p.d_col), d ? -1.0F : 2.0F, 3},
                  own[d].data());
        }
        JointRow row{counts.data() + first,
                     good.data() + first,
                     {plane[0].data() + first, plane[1].data() + first, plane[2].data() + first},
                     3,
                     0.15F,
                     0,
                     cols};
        for (index r = 0; r < rows; ++r) {
            row.at = r * pitch;
            k.row(all, row, sums);
        }
        height = k.height(all, row, side, places[0][0] * pitch + places[0][1], own[0].data(),
                          weighted.data());
        index const dr = places[0][0] - places[1][0], dc = places[0][1] - places[1][1];
        overlaps[0] = k.overlap(weighted.data(), own[1].data(), side, dr, dc);
        overlaps[1] = k.overlap(own[1].data(), weighted.data(), side, -dr, -dc);
        overlaps[2] = k.overlap(weighted.data(), own[0].data(), side, 0, 0);
    }
};

TEST(JointKernels, EveryInstructionSetAgreesWithTheTwin) {
    Made const twin(joint_twin());
    EXPECT_GT(twin.overlaps[0], 0);
    EXPECT_NEAR(twin.overlaps[0], twin.overlaps[1], 1e-9);
    for (Isa const isa : compiled_isas()) {
        if (!runs_here(isa)) continue;
        SCOPED_TRACE(name_of(isa));
        Made const made(joint_kernels(isa));
        for (std::size_t a = 0; a < 9; ++a) {
            double const own = std::sqrt(twin.sums.fisher[a][a]);
            EXPECT_NEAR(made.sums.slopes[a], twin.sums.slopes[a], 1e-4 * own * 40);
            EXPECT_NEAR(made.height.fisher[a], twin.height.fisher[a],
                        1e-4 * std::abs(twin.height.fisher[a]) + 1e-3);
            for (std::size_t b = 0; b <= a; ++b)
                EXPECT_NEAR(made.sums.fisher[a][b], twin.sums.fisher[a][b],
                            2e-5 * own * std::sqrt(twin.sums.fisher[b][b]));
        }
        EXPECT_NEAR(made.height.slope, twin.height.slope, 1e-3);
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_NEAR(made.overlaps[i], twin.overlaps[i], 2e-5 * twin.overlaps[2]);
    }
}

TEST(JointKernels, FactorsMultiplyToTheMatrix) {
    constexpr index n = 23, pitch = 24;
    std::vector<double> matrix(n * pitch);
    std::vector<index> first(n);
    for (index i = 0; i < n; ++i) {
        first[static_cast<std::size_t>(i)] = i > 8 && i < 20 ? (i - 6) / 4 * 4 : 0;
        for (index j = first[static_cast<std::size_t>(i)]; j <= i; ++j)
            matrix[static_cast<std::size_t>(i * pitch + j)] =
                i == j ? 30 + static_cast<double>(i) : std::sin(static_cast<double>(i * j));
    }
    for (Isa const isa : compiled_isas()) {
        if (!runs_here(isa)) continue;
        auto factors = matrix;
        ASSERT_TRUE(joint_kernels(isa).decompose(factors.data(), n, pitch, first.data()));
        for (index i = 0; i < n; ++i)
            for (index j = 0; j <= i; ++j) {
                double sum = 0;
                for (index k = 0; k <= j; ++k)
                    sum += factors[static_cast<std::size_t>(i * pitch + k)] *
                           factors[static_cast<std::size_t>(j * pitch + k)];
                EXPECT_NEAR(sum, matrix[static_cast<std::size_t>(i * pitch + j)], 1e-12);
            }
    }
    auto bad = matrix;
    bad[5 * pitch + 5] = -1;
    EXPECT_FALSE(joint_twin().decompose(bad.data(), n, pitch, first.data()));
}

}  // namespace
}  // namespace sluice::crystal
