// Dark and gain references beside the dense twin, which corrects every frame in double.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "format/nxmx/test_arina.h"
#include "sluice/memory_dataset.h"
#include "sluice/save.h"
#include "sluice/stem4d_parts.h"
#include "sluice/stem4d_references.h"

namespace sluice::stem4d {
namespace {

constexpr index points = 5, steps = 7, rows = 21, cols = 19;
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

template <class T>
Array<T> counts() {
    Array<T> out{{points, steps, rows, cols}, {}};
    std::mt19937 random(7);
    for (index i = 0; i < points * steps * rows * cols; ++i)
        out.values.push_back(static_cast<T>(20 + random() % 40));
    return out;
}

References some_references(index high = rows, index wide = cols) {
    References out{.dark = Array<float>::zeros({high, wide}),
                   .gain = Array<float>::zeros({high, wide})};
    std::mt19937 random(11);
    for (std::size_t i = 0; i < out.dark.values.size(); ++i) {
        out.dark.values[i] = static_cast<float>(random() % 1000) / 100;
        out.gain.values[i] = 0.5F + static_cast<float>(random() % 1000) / 1000;
    }
    // Pixels of which only the references know that they are dead.
    for (std::size_t i = 3; i < out.gain.values.size(); i += 97) out.gain.values[i] = 0;
    return out;
}

/// What each analysis says of frames that were corrected one by one. Values that are NaN were not
/// measured.
struct Twin {
    std::vector<double> sum, row, col;  ///< [frame]
    std::vector<double> mean, most, variance;
};

Twin twin_of(Scan const& scan, References const& r, Array<float> const& weights) {
    auto const [high, wide] = scan.detector_shape();
    auto const shape = scan.scan_shape();
    PixelGrid const grid = pixel_grid(scan);
    auto const full = r.any() ? (r.gain.size() > 0 ? r.gain.shape[1] : r.dark.shape[1]) : wide;
    auto const bad = scan.bad_pixels();
    Twin t;
    std::vector<std::vector<double>> of_pixel(static_cast<std::size_t>(high * wide));
    for (index f = 0; f < shape[0] * shape[1]; ++f) {
        auto const values = frame(scan, f / shape[1], f % shape[1]).value();
        double sum = 0, row = 0, col = 0;
        for (index y = 0; y < high; ++y)
            for (index x = 0; x < wide; ++x) {
                auto const at = static_cast<std::size_t>(y * wide + x);
                Point const place =
                    grid.to_detector({static_cast<double>(y), static_cast<double>(x)});
                auto const from =
                    static_cast<std::size_t>(place.row * static_cast<double>(full) + place.col);
                bool const masked = !bad.empty() && bad[at];
                double const dark =
                    masked || r.dark.size() == 0 ? 0 : static_cast<double>(r.dark.values[from]);
                double const gain = masked               ? 0
                                    : r.gain.size() == 0 ? 1
                                                         : static_cast<double>(r.gain.values[from]);
                double const v = (values.values[at] - dark) * gain;
                if (v != v) continue;
                of_pixel[at].push_back(v);
                double const w = static_cast<double>(weights.values[at]) * v;
                sum += w;
                row += w * place.row;
                col += w * place.col;
            }
        t.sum.push_back(sum);
        t.row.push_back(sum > 0 ? row / sum : std::numeric_limits<double>::quiet_NaN());
        t.col.push_back(sum > 0 ? col / sum : std::numeric_limits<double>::quiet_NaN());
    }
    for (auto const& all : of_pixel) {
        double mean = 0, squares = 0, most = -1e308;
        for (double const v : all) mean += v / static_cast<double>(all.size());
        for (double const v : all) {
            squares += (v - mean) * (v - mean) / static_cast<double>(all.size());
            most = std::max(most, v);
        }
        t.mean.push_back(mean);
        t.variance.push_back(squares);
        t.most.push_back(most);
    }
    return t;
}

void expect_near(std::vector<double> const& a, std::vector<double> const& b, double tolerance) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (b[i] != b[i])
            EXPECT_NE(a[i], a[i]) << i;
        else
            EXPECT_NEAR(a[i], b[i], tolerance * std::max(1.0, std::abs(b[i]))) << i;
    }
}

void expect_twin(Scan const& scan, References const& references, double tolerance = 1e-6) {
    Detector const disk = parse_detector("disk:r=6,center=9:8").value();
    Options const options{.references = references};
    Pattern const kinds[] = {Pattern::mean, Pattern::max, Pattern::variance};
    auto const p = products(
        scan, {.detectors = {&disk, 1}, .center_of_mass = true, .within = disk, .patterns = kinds},
        options);
    ASSERT_TRUE(p) << p.error().text();
    Twin const t = twin_of(scan, references, rasterize(scan, disk, {}).value());
    expect_near(p->images.values.values, t.sum, tolerance);
    expect_near(p->center_of_mass.sum.values, t.sum, tolerance);
    expect_near(p->center_of_mass.row.values, t.row, tolerance);
    expect_near(p->center_of_mass.col.values, t.col, tolerance);
    expect_near(p->patterns[0].values.values, t.mean, tolerance);
    expect_near(p->patterns[1].values.values, t.most, tolerance);
    expect_near(p->patterns[2].values.values, t.variance, 1e-8);
    EXPECT_TRUE(p->images.corrected && p->patterns[0].corrected);
    EXPECT_FALSE(p->center_of_mass.sum.counts);
    auto const whole = center_of_mass(scan, {}, options).value();
    Array<float> ones = Array<float>::zeros(p->patterns[0].values.shape);
    std::ranges::fill(ones.values, 1.0F);
    Twin const all = twin_of(scan, references, ones);
    expect_near(whole.row.values, all.row, tolerance);
    expect_near(whole.col.values, all.col, tolerance);
}

/// Bits of all products.
std::vector<double> bits_of(Products const& p) {
    std::vector<double> out = p.images.values.values;
    for (ScanMap const* const map : p.center_of_mass.maps())
        out.insert(out.end(), map->values.begin(), map->values.end());
    for (auto const& pattern : p.patterns)
        out.insert(out.end(), pattern.values.values.begin(), pattern.values.values.end());
    return out;
}

template <class T>
Scan scan_of(Array<T> const& data, DType type, LoadOptions load = {}) {
    return Scan::load(from_memory(
                          {data.values.data(), type, {points, steps, rows, cols}, {}, {}, "memory"})
                          .value(),
                      load)
        .value();
}

TEST(References, CountsHaveTheTwinsResults) {
    auto const data = counts<std::uint16_t>();
    References const both = some_references();
    for (Layout const layout : {Layout::planes, Layout::dense})
        for (Residency const where : {Residency::memory, Residency::stream}) {
            Scan const scan = scan_of(data, DType::u16, {.layout = layout, .residency = where});
            expect_twin(scan, both);
            expect_twin(scan, {.dark = both.dark});
            expect_twin(scan, {.gain = both.gain});
        }
}

TEST(References, MasksCutsAndChosenPointsHaveTheTwinsResults) {
    auto const data = counts<std::uint16_t>();
    References both = some_references();
    LoadOptions load{.scan_region = Region{1, 1, 4, 5}, .detector_region = Region{2, 3, 17, 14}};
    load.user_mask = Array<std::uint8_t>::zeros({rows, cols});
    for (std::size_t const i : {std::size_t{150}, std::size_t{171}}) {
        load.user_mask.values[i] = 1;
        both.dark.values[i] = nan;
        both.gain.values[i] = -1;
    }
    both.gain.values[0] = nan;  // it was not read
    for (Layout const layout : {Layout::planes, Layout::dense}) {
        load.layout = layout;
        expect_twin(scan_of(data, DType::u16, load), both);
    }
}

TEST(References, FloatsThatWereNotMeasuredHaveNoDark) {
    auto data = counts<float>();
    for (std::size_t i = 5; i < data.values.size(); i += 31) data.values[i] = nan;
    expect_twin(scan_of(data, DType::f32), some_references());
    expect_twin(scan_of(data, DType::f32), {.dark = some_references().dark});
}

TEST(References, AFrameThatIsDarkerThanTheDarkHasNoCentre) {
    auto const data = counts<std::uint16_t>();
    Scan const scan = scan_of(data, DType::u16);
    References dark{.dark = Array<float>::zeros({rows, cols})};
    std::ranges::fill(dark.dark.values, 100.0F);
    auto const com = center_of_mass(scan, {}, {.references = dark}).value();
    for (double const v : com.row.values) EXPECT_NE(v, v);
    ASSERT_EQ(com.row.reason.size(), com.row.values.size());
    EXPECT_EQ(com.row.reason[0], Missing::no_counts);
    EXPECT_LT(com.sum.values[0], 0);
}

TEST(References, LayoutsThreadsAndPartsHaveTheSameBits) {
    // Large counts and gains of all sizes: these sums are rounded, so that their order shows.
    auto data = counts<std::uint32_t>();
    for (std::uint32_t& v : data.values) v *= v * v * 1031;
    Detector const detectors[] = {parse_detector("disk:r=6,center=9:8").value(),
                                  parse_detector("annulus:r=3..9,center=9:8").value()};
    Pattern const kinds[] = {Pattern::sum, Pattern::mean};
    Wanted const wanted{.detectors = detectors, .center_of_mass = true, .patterns = kinds};
    Options options{.references = some_references()};
    for (float& g : options.references.gain.values) g = std::pow(g, 20.0F);
    std::vector<double> first;
    for (Layout const layout : {Layout::planes, Layout::dense})
        for (int const threads : {1, 3}) {
            Scan const scan = scan_of(data, DType::u32, {.layout = layout});
            options.device = Device::cpu(threads);
            auto bits = bits_of(products(scan, wanted, options).value());
            if (first.empty()) first = bits;
            ASSERT_EQ(bits.size(), first.size());
            EXPECT_EQ(std::memcmp(bits.data(), first.data(), bits.size() * sizeof(double)), 0);
            ProductParts parts = ProductParts::begin(scan, wanted, options).value();
            for (index g = parts.groups() - 1; g >= 0; --g)
                ASSERT_TRUE(parts.add(parts.part(g, 1).value()));
            bits = bits_of(std::move(parts).finish().value());
            EXPECT_EQ(std::memcmp(bits.data(), first.data(), bits.size() * sizeof(double)), 0);
        }
}

TEST(References, ADeviceHasTheBitsOfAProcessorOrRefuses) {
    auto const data = counts<std::uint16_t>();
    Detector const detectors[] = {parse_detector("disk:r=6,center=9:8").value(),
                                  parse_detector("rectangle:rows=0..0,cols=0..18").value()};
    Pattern const kinds[] = {Pattern::mean, Pattern::max};
    References const both = some_references();
    for (References const& references : {both, References{.dark = both.dark}})
        for (Detector const& within : detectors) {
            Wanted const wanted{.detectors = detectors,
                                .center_of_mass = true,
                                .within = within,
                                .patterns = kinds};
            Scan const scan = scan_of(data, DType::u16, {.layout = Layout::planes});
            auto const near = bits_of(products(scan, wanted, {.references = references}).value());
            auto const far =
                bits_of(products(scan, wanted, {.device = Device::fake(), .references = references})
                            .value());
            ASSERT_EQ(near.size(), far.size());
            EXPECT_EQ(std::memcmp(near.data(), far.data(), near.size() * sizeof(double)), 0);
            Scan const plain = scan_of(data, DType::u16, {.layout = Layout::dense});
            EXPECT_EQ(products(plain, wanted, {.device = Device::fake(), .references = references})
                          .error()
                          .code,
                      Code::unsupported);
        }
}

TEST(References, AMeanDividesByPixelsThatHaveAGain) {
    auto const data = counts<std::uint16_t>();
    Scan const scan = scan_of(data, DType::u16);
    References gain{.gain = Array<float>::zeros({rows, cols})};
    for (std::size_t i = 0; i < gain.gain.values.size(); ++i)
        gain.gain.values[i] = i % 2 ? 2.0F : 0.0F;
    Detector const square = parse_detector("rectangle:rows=0..3,cols=0..18").value();
    auto const sum = virtual_image(scan, {&square, 1}, {.references = gain}).value();
    auto const mean = virtual_image(scan, {&square, 1}, {.mean = true, .references = gain}).value();
    EXPECT_EQ(sum.valid_pixels[0], 38);
    EXPECT_DOUBLE_EQ(mean.values.values[4], sum.values.values[4] / 38);
}

TEST(References, AMeanTakesFloatsThatAreLackingAsLikeTheOthers) {
    auto data = counts<float>();
    Array<float> const whole = data;
    data.values[0] = nan;
    References const some = some_references();
    Detector const square = parse_detector("rectangle:rows=0..3,cols=0..3").value();
    auto const mean =
        virtual_image(scan_of(data, DType::f32), {&square, 1}, {.mean = true, .references = some})
            .value();
    double sum = 0, measured = 0;
    for (index r = 0; r < 4; ++r)
        for (index c = 0; c < 4; ++c) {
            auto const at = static_cast<std::size_t>(r * cols + c);
            if (at == 0 || some.gain.values[at] == 0) continue;
            sum += (static_cast<double>(whole.values[at]) -
                    static_cast<double>(some.dark.values[at])) *
                   static_cast<double>(some.gain.values[at]);
            ++measured;
        }
    EXPECT_NEAR(mean.values.values[0], sum / measured, 1e-6);
}

// What a command reads: the scan and its references are files.
class ReferenceFiles : public nxmx::Arina {};

TEST_F(ReferenceFiles, OfNpyAndOfCompressedHdf5HaveTheTwinsResults) {
    References const some = some_references();
    ASSERT_TRUE(save_npy(folder + "/scan.npy", counts<std::uint16_t>()));
    ASSERT_TRUE(save_npy(folder + "/dark.npy", some.dark));
    ASSERT_TRUE(save_npy(folder + "/gain.npy", some.gain));
    References const read = load_references(folder + "/dark.npy", folder + "/gain.npy").value();
    expect_twin(Scan::load(open(folder + "/scan.npy").value()).value(), read);

    write_acquisition();
    References const arina = some_references(nxmx::rows, nxmx::cols);
    Scan const scan =
        Scan::load(open(master, {.scan_shape = std::array<index, 2>{6, 6}}).value()).value();
    Detector const all = parse_detector("rectangle:rows=0..5,cols=0..7").value();
    auto const image = virtual_image(scan, {&all, 1}, {.references = arina}).value();
    auto const com = center_of_mass(scan, {}, {.references = arina}).value();
    Twin const t = twin_of(scan, arina, rasterize(scan, all, {}).value());
    expect_near(image.values.values, t.sum, 1e-6);
    expect_near(com.row.values, t.row, 1e-6);
    expect_near(com.col.values, t.col, 1e-6);
}

TEST(References, WhatDoesNotFitIsRefused) {
    auto const data = counts<std::uint16_t>();
    Scan const scan = scan_of(data, DType::u16);
    auto const refused = [&](References const& references, Scan const& of) {
        Status const s = check_references(of, references);
        return s ? std::string() : s.error().text();
    };
    References wrong = some_references(rows, cols - 1);
    wrong.dark_file = "dark.npy";
    EXPECT_NE(refused(wrong, scan).find("dark.npy"), std::string::npos);
    EXPECT_NE(refused(wrong, scan).find("21x18 pixels (the full, unbinned detector has 21x19)"),
              std::string::npos);
    for (float const v : {nan, -1.0F, std::numeric_limits<float>::infinity()}) {
        References gain{.gain = some_references().gain};
        gain.gain.values[cols + 2] = v;
        EXPECT_NE(refused(gain, scan).find("in 1 pixel that counts, the first"), std::string::npos)
            << refused(gain, scan);
    }
    References dark = some_references();
    dark.dark.values[0] = nan;
    EXPECT_NE(refused(dark, scan).find("the first nan at row 0, column 0"), std::string::npos);
    EXPECT_NE(refused({.gain = Array<float>::zeros({rows, cols})}, scan).find("every pixel"),
              std::string::npos);
    for (LoadOptions const& load : {LoadOptions{.det_bin = 2}, LoadOptions{.scan_bin = 2}})
        EXPECT_NE(refused(some_references(), scan_of(data, DType::u16, load)).find("bins of 1"),
                  std::string::npos);
    References hole{.gain = some_references().gain};
    hole.gain.values[0] = 0;
    Detector const point = parse_detector("point:row=0,col=0").value();
    EXPECT_FALSE(virtual_image(scan, {&point, 1}, {.references = hole}));
    EXPECT_FALSE(center_of_mass(scan, point, {.references = hole}));
    EXPECT_EQ(RadialCache::build(scan, {9, 9}, {.references = some_references()}).error().code,
              Code::unsupported);
}

}  // namespace
}  // namespace sluice::stem4d
