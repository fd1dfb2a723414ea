// What was not measured takes no part, per pixel and per frame, on every road: in memory and
// streamed, on every device, floats and counts.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "property/stem4d_test.h"

namespace sluice::stem4d {
namespace {

constexpr index rows = 5, cols = 7, pixels = 12;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Frame 3 was not measured, and of frame 4 one pixel of the detector; pixel (2, 2) never was.
Counts with_gaps() {
    Counts c = random_counts(rows, cols, pixels, pixels, 77);
    for (index f = 0; f < c.frames(); ++f)
        for (index r = 0; r < pixels; ++r)
            for (index k = 0; k < pixels; ++k) {
                c.at(f, r, k) -= 1;  // negative noise is measured
                if (f == 3 || (f == 4 && r == 6 && k == 6) || (r == 2 && k == 2))
                    c.at(f, r, k) = f % 2 ? nan : std::numeric_limits<double>::infinity();
            }
    return c;
}

std::vector<LoadOptions> roads() {
    LoadOptions memory, stream;
    stream.residency = Residency::stream;
    return {memory, stream};
}

bool same(double a, double b) {
    return (a != a && b != b) || std::abs(a - b) < 1e-9 * (1 + std::abs(b));
}

struct Truth {
    double sum = 0, row = 0, col = 0;
    index measured = 0;
};
Truth truth_of(Counts c, index f, index first, index last) {
    Truth t;
    for (index r = first; r <= last; ++r)
        for (index k = first; k <= last; ++k) {
            double const v = c.at(f, r, k);
            if (!std::isfinite(v)) continue;
            ++t.measured;
            t.sum += v, t.row += v * static_cast<double>(r), t.col += v * static_cast<double>(k);
        }
    return t;
}

TEST(NotMeasured, ImagesAreOfWhatWas) {
    Counts const c = with_gaps();
    auto const d = detectors({"rectangle:rows=4..8,cols=4..8"});
    for (LoadOptions const& road : roads()) {
        Scan const scan = loaded(make_dataset(c, DType::f32, Encoding::values), road);
        for (Device const& device : {Device::cpu(), Device::reference()})
            for (bool const mean : {false, true}) {
                Options options;
                options.device = device, options.mean = mean;
                auto const values = image(images_of(scan, d, options), 0);
                for (index f = 0; f < c.frames(); ++f) {
                    Truth const t = truth_of(c, f, 4, 8);
                    double const want = t.measured == 0 ? nan
                                        : mean          ? t.sum / static_cast<double>(t.measured)
                                                        : t.sum;
                    EXPECT_TRUE(same(values[static_cast<std::size_t>(f)], want))
                        << "frame " << f << ": " << values[static_cast<std::size_t>(f)] << ", not "
                        << want;
                }
            }
    }
}

// A uniform frame has one mean, whatever lacks, whatever bins hold, and whatever weighs.
TEST(NotMeasured, MeansOfUniformFramesAreUniform) {
    Counts c{2, 3, 8, 8, std::vector<double>(6 * 64, 2)};
    for (index r = 0; r < 2; ++r)
        for (index k = 0; k < 2; ++k) c.at(1, r, k) = nan;
    for (index p = 0; p < 64; ++p)  // of frame 2 all but what the mask leaves out
        if (p != 2 && p != 3 && p != 10) c.at(2, p / 8, p % 8) = nan;
    Detector weights = parse_detector("rectangle:rows=0..1,cols=0..3").value();
    for (index const bin : {1, 2})
        for (bool const weighted : {false, true})
            for (Device const& device : {Device::cpu(), Device::reference(), Device::fake()}) {
                LoadOptions load;
                load.det_bin = bin;
                load.user_mask = Array<std::uint8_t>::zeros({8, 8});
                load.user_mask.values[2] = load.user_mask.values[3] = 1;
                load.user_mask.values[10] = 1;
                Scan const scan = loaded(make_dataset(c, DType::f32, Encoding::values), load);
                Detector d = weights;
                if (weighted) {
                    d = {};
                    d.shape = Detector::Shape::weights;
                    d.from = {8.0 / static_cast<double>(bin), 8.0 / static_cast<double>(bin)};
                    d.pixels.assign(static_cast<std::size_t>(64 / bin / bin), 0);
                    d.pixels[0] = 4, d.pixels[1] = 1, d.pixels[2] = 1;
                    if (bin == 1) d.pixels[11] = 2;
                }
                Options options;
                options.device = device, options.mean = true;
                auto const means = image(images_of(scan, {d}, options), 0);
                EXPECT_TRUE(same(means[1], means[0])) << means[1] << ", not " << means[0];
                EXPECT_TRUE(std::isnan(means[2])) << means[2];
            }
}

TEST(NotMeasured, CentresOfMassAreOfWhatWas) {
    Counts const c = with_gaps();
    for (LoadOptions const& road : roads()) {
        Scan const scan = loaded(make_dataset(c, DType::f32, Encoding::values), road);
        auto const com = center_of_mass(scan);
        ASSERT_TRUE(com);
        for (index f = 0; f < c.frames(); ++f) {
            auto const at = static_cast<std::size_t>(f);
            Truth const t = truth_of(c, f, 0, pixels - 1);
            bool const some = t.measured > 0 && t.sum > 0;
            EXPECT_TRUE(same(com->sum.values[at], t.measured > 0 ? t.sum : nan)) << f;
            EXPECT_TRUE(same(com->row.values[at], some ? t.row / t.sum : nan)) << f;
            EXPECT_TRUE(same(com->col.values[at], some ? t.col / t.sum : nan)) << f;
        }
    }
}

TEST(NotMeasured, PatternsAreOverTheFramesThatWere) {
    Counts c = with_gaps();
    for (LoadOptions const& road : roads()) {
        Scan const scan = loaded(make_dataset(c, DType::f32, Encoding::values), road);
        for (Device const& device : {Device::cpu(), Device::reference()}) {
            Options options;
            options.device = device;
            auto const mean = diffraction_pattern(scan, Pattern::mean, {}, options);
            auto const most = diffraction_pattern(scan, Pattern::max, {}, options);
            ASSERT_TRUE(mean && most);
            for (index p = 0; p < pixels * pixels; ++p) {
                double sum = 0, n = 0, max = -1e300;
                for (index f = 0; f < c.frames(); ++f) {
                    double const v = c.at(f, p / pixels, p % pixels);
                    if (std::isfinite(v)) sum += v, ++n, max = std::max(max, v);
                }
                auto const at = static_cast<std::size_t>(p);
                EXPECT_TRUE(same(mean->values.values[at], n > 0 ? sum / n : nan)) << p;
                EXPECT_TRUE(same(most->values.values[at], n > 0 ? max : nan)) << p;
            }
        }
        std::string notes;
        for (auto const& n : scan.notes()) notes += n;
        if (road.residency != Residency::stream) {
            EXPECT_NE(notes.find("were not measured"), std::string::npos) << notes;
        }
    }
}

// No file holds frames 8 and 9, of counts as of floats.
TEST(NotMeasured, LostFramesAreNaNAndLeftOut) {
    Counts c = random_counts(rows, cols, pixels, pixels, 78);
    for (index f = 8; f < 10; ++f)
        for (index p = 0; p < pixels * pixels; ++p) c.at(f, p / pixels, p % pixels) = 0;
    auto const d = detectors({"rectangle:rows=0..11,cols=0..11"});
    for (DType const dtype : {DType::u16, DType::f32})
        for (LoadOptions const& road : roads()) {
            Dataset dataset = make_dataset(c, dtype, Encoding::values);
            dataset.missing = 2;
            dataset.missing_runs = {{8, 2}};
            Scan const scan = loaded(dataset, road);
            auto const values = image(images_of(scan, d), 0);
            auto const com = center_of_mass(scan);
            auto const mean = diffraction_pattern(scan, Pattern::mean);
            ASSERT_TRUE(com && mean);
            for (index f = 0; f < c.frames(); ++f) {
                bool const lost = f == 8 || f == 9;
                auto const at = static_cast<std::size_t>(f);
                EXPECT_EQ(values[at] != values[at], lost) << f;
                EXPECT_EQ(com->row.values[at] != com->row.values[at], lost) << f;
            }
            EXPECT_EQ(mean->frames, c.frames() - 2);
            double sum = 0;
            for (index f = 0; f < c.frames(); ++f) sum += c.at(f, 5, 5);
            EXPECT_TRUE(same(mean->values.values[5 * pixels + 5],
                             sum / static_cast<double>(c.frames() - 2)));
            EXPECT_NE(frame(scan, 1, 1).value().values[0], frame(scan, 1, 1).value().values[0]);
            std::string notes;
            for (auto const& n : scan.notes()) notes += n;
            EXPECT_NE(notes.find("2 of 35 scan points were not measured"), std::string::npos)
                << notes;
        }
}

TEST(NotMeasured, BinsThatAreMeansAreOverTheRestAndSumsAreNaN) {
    Counts const c = with_gaps();
    for (BinMode const mode : {BinMode::sum, BinMode::mean}) {
        LoadOptions options;
        options.det_bin = 2, options.bin_mode = mode;
        Scan const scan = loaded(make_dataset(c, DType::f32, Encoding::values), options);
        Array<double> const first = frame(scan, 0, 0).value();
        double const three = truth_of(c, 0, 2, 3).sum;  // pixel (2, 2) lacks
        EXPECT_TRUE(same(first.values[pixels / 2 + 1],
                         mode == BinMode::mean ? static_cast<float>(three / 3) : nan))
            << first.values[pixels / 2 + 1];
    }
}

}  // namespace
}  // namespace sluice::stem4d
