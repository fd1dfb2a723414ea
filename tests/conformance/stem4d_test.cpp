// Every kernel on every device and instruction set against the reference, and that against sums
// written out in the test.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/stem4d.h"

#include <gtest/gtest.h>

#include <cmath>

#include "device/isa.h"
#include "support/memory_dataset.h"

namespace sluice::stem4d {
namespace {

using testing_support::Counts;

struct Case {
    std::string name;
    DType dtype;
    index rows, cols;
    double largest;
    Layout layout;
};

std::vector<Case> cases() {
    return {
        {"u8_24x24", DType::u8, 24, 24, 200, Layout::planes},
        {"u16_96x96", DType::u16, 96, 96, 300, Layout::planes},
        {"u16_65x65", DType::u16, 65, 65, 60000, Layout::planes},
        {"u32_40x72", DType::u32, 40, 72, 3e9, Layout::planes},
        {"u16_5x3", DType::u16, 5, 3, 100, Layout::planes},
        {"u16_lines_65x65", DType::u16, 65, 65, 60000, Layout::lines},
        {"u32_lines_40x72", DType::u32, 40, 72, 3e9, Layout::lines},
        {"u8_lines_24x24", DType::u8, 24, 24, 200, Layout::lines},
        {"u8_dense_33x47", DType::u8, 33, 47, 200, Layout::dense},
        {"u16_dense_64x64", DType::u16, 64, 64, 60000, Layout::dense},
        {"u32_dense_20x30", DType::u32, 20, 30, 3e9, Layout::dense},
        {"f32_dense_31x17", DType::f32, 31, 17, 1e4, Layout::dense},
    };
}

std::vector<std::string> devices() {
    std::vector<std::string> names{"fake", "cuda"};
    for (Isa isa : compiled_isas()) names.push_back("cpu:" + std::string(name_of(isa)));
    return names;
}

Detector mask_of(Case const& c, unsigned seed, bool weights) {
    Detector d;
    d.name = weights ? "weights" : "mask";
    d.shape = weights ? Detector::Shape::weights : Detector::Shape::mask;
    d.from = {static_cast<double>(c.rows), static_cast<double>(c.cols)};
    std::mt19937 random(seed);
    for (index i = 0; i < c.rows * c.cols; ++i)
        d.pixels.push_back(weights ? static_cast<float>(random() % 1000) / 250 - 1
                                   : random() % 3 == 0);
    return d;
}

Detector everything() {
    Detector d;
    d.name = "everything";
    d.shape = Detector::Shape::rectangle;
    d.to = {1e6, 1e6};
    return d;
}

class Kernels : public ::testing::TestWithParam<std::tuple<Case, std::string>> {
  protected:
    void SetUp() override {
        auto device = Device::named(std::get<1>(GetParam()), 2);
        if (!device) GTEST_SKIP() << device.error().text();
        device_ = *device;
        Case const& c = std::get<0>(GetParam());
        counts_ = testing_support::random_counts(7, 11, c.rows, c.cols, 5, c.largest);
        LoadOptions options;
        options.layout = c.layout;
        options.device = Device::cpu(2);
        options.tables = Tables::none;  // so that kernels answer
        auto scan =
            Scan::load(testing_support::make_dataset(counts_, c.dtype, Encoding::values), options);
        ASSERT_TRUE(scan) << scan.error().text();
        scan_ = std::make_unique<Scan>(std::move(*scan));
    }
    Options on(Device device) const {
        Options o;
        o.device = device;
        return o;
    }
    Device device_;
    Counts counts_;
    std::unique_ptr<Scan> scan_;
};

TEST_P(Kernels, VirtualImage) {
    Case const& c = std::get<0>(GetParam());
    std::vector<Detector> detectors{mask_of(c, 1, false), everything(), mask_of(c, 2, false)};
    detectors.back().name = "another mask";
    auto const found = virtual_image(*scan_, detectors, on(device_));
    auto const reference = virtual_image(*scan_, detectors, on(Device::reference()));
    ASSERT_TRUE(found) << found.error().text();
    ASSERT_TRUE(reference) << reference.error().text();
    EXPECT_EQ(found->values.values, reference->values.values);
    for (index f = 0; f < counts_.frames(); ++f) {
        double masked = 0, all = 0;
        for (index i = 0; i < c.rows * c.cols; ++i) {
            double const v = static_cast<float>(
                counts_.values[static_cast<std::size_t>(f * c.rows * c.cols + i)]);
            double const exact =
                c.dtype == DType::f32
                    ? v
                    : counts_.values[static_cast<std::size_t>(f * c.rows * c.cols + i)];
            all += exact;
            if (detectors[0].pixels[static_cast<std::size_t>(i)] != 0) masked += exact;
        }
        double const slack = c.dtype == DType::f32 ? 1e-12 * (1 + std::abs(all)) : 0;
        ASSERT_NEAR(found->values.values[static_cast<std::size_t>(f)], masked, slack);
        ASSERT_NEAR(found->values.values[static_cast<std::size_t>(counts_.frames() + f)], all,
                    slack);
    }
}

TEST_P(Kernels, Weights) {
    Case const& c = std::get<0>(GetParam());
    std::vector<Detector> const detectors{mask_of(c, 3, true)};
    auto const found = virtual_image(*scan_, detectors, on(device_));
    auto const reference = virtual_image(*scan_, detectors, on(Device::reference()));
    ASSERT_TRUE(found && reference);
    EXPECT_EQ(found->values.values, reference->values.values);  // the order of addition is fixed
    double sum = 0, size = 0;
    for (index i = 0; i < c.rows * c.cols; ++i) {
        double const term = counts_.values[static_cast<std::size_t>(i)] *
                            static_cast<double>(detectors[0].pixels[static_cast<std::size_t>(i)]);
        sum += term, size += std::abs(term);
    }
    EXPECT_NEAR(found->values.values[0], sum, 1e-6 * size);
}

TEST_P(Kernels, CenterOfMass) {
    Case const& c = std::get<0>(GetParam());
    for (bool const masked : {false, true}) {
        std::optional<Detector> mask;
        if (masked) {
            mask = mask_of(c, 4, false);
            mask->center = Point{};
        }
        auto const found = center_of_mass(*scan_, mask, on(device_));
        auto const reference = center_of_mass(*scan_, mask, on(Device::reference()));
        ASSERT_TRUE(found && reference);
        EXPECT_EQ(found->sum.values, reference->sum.values);
        for (index f = 0; f < counts_.frames(); ++f) {
            double sum = 0, row = 0, col = 0;
            for (index r = 0; r < c.rows; ++r)
                for (index k = 0; k < c.cols; ++k) {
                    if (mask && mask->pixels[static_cast<std::size_t>(r * c.cols + k)] == 0)
                        continue;
                    double const v = counts_.at(f, r, k);
                    sum += v, row += v * static_cast<double>(r), col += v * static_cast<double>(k);
                }
            auto const at = static_cast<std::size_t>(f);
            if (sum == 0) {
                EXPECT_TRUE(std::isnan(found->row.values[at]));
                continue;
            }
            double const slack = c.dtype == DType::f32 ? 1e-5 : 1e-12;
            ASSERT_NEAR(found->row.values[at], row / sum, slack * static_cast<double>(c.rows));
            ASSERT_NEAR(found->col.values[at], col / sum, slack * static_cast<double>(c.cols));
            ASSERT_EQ(found->row.values[at], reference->row.values[at]);
        }
    }
}

TEST_P(Kernels, DiffractionPattern) {
    Case const& c = std::get<0>(GetParam());
    std::vector<std::uint8_t> some(static_cast<std::size_t>(counts_.frames()));
    for (std::size_t f = 0; f < some.size(); ++f) some[f] = f % 3 == 1 || f > 70;
    for (auto const& take : {std::vector<std::uint8_t>{}, some})
        for (Pattern kind : {Pattern::sum, Pattern::mean, Pattern::max, Pattern::variance}) {
            auto const found = diffraction_pattern(*scan_, kind, take, on(device_));
            auto const reference = diffraction_pattern(*scan_, kind, take, on(Device::reference()));
            ASSERT_TRUE(found && reference);
            for (index i = 0; i < c.rows * c.cols; ++i) {
                double sum = 0, squares = 0, max = 0, n = 0;
                for (index f = 0; f < counts_.frames(); ++f) {
                    if (!take.empty() && !take[static_cast<std::size_t>(f)]) continue;
                    double const v =
                        counts_.values[static_cast<std::size_t>(f * c.rows * c.cols + i)];
                    sum += v, squares += v * v, max = std::max(max, v), ++n;
                }
                double const variance = squares / n - sum / n * (sum / n);
                double const expected = kind == Pattern::sum    ? sum
                                        : kind == Pattern::mean ? sum / n
                                        : kind == Pattern::max  ? max
                                                                : variance;
                double const slack = c.dtype == DType::f32 || kind == Pattern::variance
                                         ? 1e-6 * (1 + squares / n)
                                         : 0;
                double const value = found->values.values[static_cast<std::size_t>(i)];
                ASSERT_NEAR(value, expected, slack) << static_cast<int>(kind) << " pixel " << i;
                // Sums of such counts and of their squares are exact.
                if (c.dtype == DType::u8 || c.dtype == DType::u16) {
                    ASSERT_EQ(value, reference->values.values[static_cast<std::size_t>(i)]);
                }
                // The tree in which floats are added may differ between a GPU and a processor.
                ASSERT_NEAR(value, reference->values.values[static_cast<std::size_t>(i)], slack);
            }
        }
}

INSTANTIATE_TEST_SUITE_P(All, Kernels,
                         ::testing::Combine(::testing::ValuesIn(cases()),
                                            ::testing::ValuesIn(devices())),
                         [](auto const& info) {
                             std::string name =
                                 std::get<0>(info.param).name + "_on_" + std::get<1>(info.param);
                             for (char& ch : name)
                                 if (ch == ':') ch = '_';
                             return name;
                         });

}  // namespace
}  // namespace sluice::stem4d
