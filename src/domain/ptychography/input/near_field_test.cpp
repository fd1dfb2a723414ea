// Near fields out of every kind of file: as the detector has them, in its own pixels, and what
// comes of them is the object.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "domain/ptychography/test_npz.h"
#include "domain/ptychography/test_simulate.h"
#include "sluice/load.h"
#include "sluice/ptychography_file.h"
#include "sluice/save.h"

namespace sluice::ptycho {
namespace {

namespace fs = std::filesystem;
using stem4d::PatternFileOptions;
using stem4d::Patterns;
using stem4d::Position;
using stem4d::Propagation;
using stem4d::PtychographyOptions;

constexpr double pixel_nm = 50, wavelength_nm = 0.1, distance_mm = 0.4;

Truth known() {
    return simulate({.side = 48,
                     .places = 7,
                     .step = 5,
                     .wavelength_nm = wavelength_nm,
                     .pixel_nm = pixel_nm,
                     .near_nm = distance_mm * 1e6});
}

std::vector<std::uint16_t> counts_of(Truth const& truth) {
    std::vector<std::uint16_t> counts;
    for (float v : std::get<std::vector<float>>(truth.patterns.counts))
        counts.push_back(static_cast<std::uint16_t>(std::lround(v)));
    return counts;
}

// [pattern][row, col], each times a number.
std::vector<double> places(std::vector<Position> const& positions, double by = 1) {
    std::vector<double> flat;
    for (Position const& p : positions) flat.insert(flat.end(), {p.row * by, p.col * by});
    return flat;
}

template <class T>
Hdf5Dataset entry(std::string name, DType dtype, std::vector<index> shape, std::vector<T> values) {
    Hdf5Dataset d{.name = std::move(name), .dtype = dtype, .shape = std::move(shape)};
    d.piece = [values = std::move(values)](index) { return std::as_bytes(std::span(values)); };
    return d;
}
Hdf5Dataset number(std::string name, double value) {
    return entry(std::move(name), DType::f64, {}, std::vector{value});
}

class NearField : public testing::Test {
  protected:
    Truth truth_ = known();
    std::vector<std::uint16_t> counts_ = counts_of(truth_);
    index patterns_ = truth_.patterns.count(), side_ = truth_.patterns.size;
    std::string path_;
    PatternFileOptions near_{.propagation = Propagation::near};

    void SetUp() override {
        path_ = (fs::path(testing::TempDir()) /
                 testing::UnitTest::GetInstance()->current_test_info()->name())
                    .string();
    }
    void TearDown() override { fs::remove(path_); }

    void write_npz() {
        TestNpz npz;
        npz.add("data", "<u2", {patterns_, side_, side_}, counts_);
        npz.add("scan", "<f8", {patterns_, 2}, places(truth_.patterns.positions));
        npz.add("wavelength_nm", "<f8", {}, std::vector{wavelength_nm});
        npz.add("pixel_nm", "<f8", {}, std::vector{pixel_nm});
        npz.save(path_);
    }
    // The sample goes where the probe comes from; rows along -y, columns along -x.
    void write_cxi() {
        std::vector<double> moved;
        for (auto const& p : truth_.patterns.positions)
            moved.insert(moved.end(), {p.col * pixel_nm * 1e-9, p.row * pixel_nm * 1e-9, 0});
        std::string const detector = "entry_1/instrument_1/detector_1/";
        ASSERT_TRUE(save_hdf5(
            path_,
            {entry("entry_1/data_1/data", DType::u16, {patterns_, side_, side_}, counts_),
             number(detector + "distance", distance_mm * 1e-3),
             number(detector + "x_pixel_size", pixel_nm * 1e-9),
             number(detector + "y_pixel_size", pixel_nm * 1e-9),
             number("entry_1/instrument_1/source_1/wavelength", wavelength_nm * 1e-9),
             entry("entry_1/sample_1/geometry_1/translation", DType::f64, {patterns_, 3}, moved)},
            {}));
    }
    void write_ptyd(std::string const& propagation) {
        ASSERT_TRUE(save_hdf5(
            path_,
            {entry("chunks/0/data", DType::u16, {patterns_, side_, side_}, counts_),
             entry("chunks/0/positions", DType::f64, {patterns_, 2},
                   places(truth_.patterns.positions, pixel_nm * 1e-9)),
             number("meta/energy", 1.239841984 / wavelength_nm),
             number("meta/distance", distance_mm * 1e-3), number("meta/psize", pixel_nm * 1e-9),
             // Of a far field; an image is not cut about it.
             entry("meta/center", DType::f64, {2}, std::vector<double>{20, 9}),
             Hdf5Text{"meta/propagation", propagation}},
            {}));
    }

    PtychographyOptions options() const {
        PtychographyOptions options;
        options.stages = {{.iterations = 60}};
        options.propagation = Propagation::near;
        options.probe = truth_.probe_as_given();
        return options;
    }
    // Where the truth is.
    void expect_object(Patterns const& patterns, PtychographyOptions const& options) const {
        auto const found = stem4d::ptychography(patterns, options);
        ASSERT_TRUE(found) << found.error().message;
        EXPECT_NEAR(found->pixel_nm, pixel_nm, 1e-6 * pixel_nm);
        EXPECT_LT(phase_error(*found, truth_), 0.1);
        EXPECT_EQ(found->propagation, Propagation::near);
        for (auto const& finding : found->findings) EXPECT_NE(finding.name, "probe edge");
    }
    void expect_as_measured(Patterns const& patterns) const {
        EXPECT_EQ(patterns.size, side_);
        ASSERT_TRUE(std::holds_alternative<std::vector<std::uint16_t>>(patterns.counts));
        EXPECT_EQ(std::get<std::vector<std::uint16_t>>(patterns.counts), counts_);
        EXPECT_NEAR(patterns.pixel_nm, pixel_nm, 1e-6 * pixel_nm);
        EXPECT_NEAR(patterns.wavelength_nm, wavelength_nm, 1e-6 * wavelength_nm);
        EXPECT_LT(apart(patterns.positions, truth_.patterns.positions), 1e-6);
    }
    // A window as large as the detector, whose size is unusual.
    void expect_file(double said_mm) {
        near_.size = side_;
        std::vector<std::string> notes;
        auto const file = stem4d::read_patterns(path_, near_, &notes);
        ASSERT_TRUE(file) << file.error().message;
        expect_as_measured(file->patterns);
        EXPECT_NEAR(file->patterns.distance_mm, said_mm, 1e-9);
        for (auto const& note : notes) {
            EXPECT_EQ(note.find("zero frequency"), std::string::npos) << note;
            EXPECT_EQ(note.find("direct beam"), std::string::npos) << note;
        }
        auto how = options();
        if (said_mm == 0) how.distance_mm = distance_mm;
        expect_object(file->patterns, how);
        how.propagation = Propagation::far;
        how.distance_mm = 0;
        auto const far = stem4d::ptychography(file->patterns, how);
        ASSERT_FALSE(far);
        EXPECT_NE(far.error().message.find("laid out for a near field"), std::string::npos);
    }
};

TEST_F(NearField, OfAnNpzFile) {
    write_npz();
    expect_file(0);
}

TEST_F(NearField, OfACxiFileHasTheDetectorsPixel) {
    write_cxi();
    expect_file(distance_mm);
}

TEST_F(NearField, OfAPtydFile) {
    write_ptyd("nearfield");
    expect_file(distance_mm);
    auto const far = stem4d::read_patterns(path_);
    ASSERT_FALSE(far);
    EXPECT_NE(far.error().message.find("set propagation to near"), std::string::npos);
    write_ptyd("farfield");
    auto const near = stem4d::read_patterns(path_, near_);
    ASSERT_FALSE(near);
    EXPECT_NE(near.error().message.find("set propagation to far"), std::string::npos);
}

TEST_F(NearField, OfAScan) {
    path_ += ".npy";
    index const places = 7;
    ASSERT_TRUE(save_npy(
        path_,
        Elements{DType::u16, {places, places, side_, side_}, std::as_bytes(std::span(counts_))}));
    Scan const scan = Scan::load(open(path_).value()).value();
    stem4d::PatternsOptions how{.size = side_,
                                .wavelength_nm = wavelength_nm,
                                .propagation = Propagation::near,
                                .detector_pixel_um = pixel_nm * 1e-3,
                                .positions = truth_.patterns.positions};
    auto const patterns = stem4d::patterns_of(scan, how);
    ASSERT_TRUE(patterns) << patterns.error().message;
    expect_as_measured(*patterns);
    auto near = options();
    near.distance_mm = distance_mm;
    expect_object(*patterns, near);
    auto const refused = [&](auto const& change, std::string const& word) {
        auto other = how;
        change(other);
        auto const found = stem4d::patterns_of(scan, other);
        ASSERT_FALSE(found) << word;
        EXPECT_NE(found.error().message.find(word), std::string::npos) << found.error().message;
    };
    refused([](auto& o) { o.detector_pixel_um = 0; }, "give the detector pixel in um");
    refused([](auto& o) { o.detector_step_mrad = 1; }, "belongs to far fields");
    refused([](auto& o) { o.center = Position{24, 24}; }, "has no direct beam");
    refused([](auto& o) { o.kilovolts = 300; }, "give one of them");
    refused([](auto& o) { o.propagation = Propagation::far; }, "belongs to near fields");
}

// Larger and smaller windows are about the detector's middle, with its pixels.
TEST_F(NearField, IsCutAndPaddedInPlace) {
    write_cxi();
    for (index const size : {32, 64}) {
        near_.size = size;
        auto const file = stem4d::read_patterns(path_, near_).value();
        EXPECT_NEAR(file.patterns.pixel_nm, pixel_nm, 1e-6 * pixel_nm);
        auto const& counts = std::get<std::vector<std::uint16_t>>(file.patterns.counts);
        index const by = (side_ - size) / 2;
        for (index r = 0; r < size; ++r)
            for (index c = 0; c < size; ++c) {
                index const y = r + by, x = c + by;
                bool const there = y >= 0 && y < side_ && x >= 0 && x < side_;
                auto const at = static_cast<std::size_t>(r * size + c);
                ASSERT_EQ(counts[at], there ? counts_[static_cast<std::size_t>(y * side_ + x)] : 0);
                if (!file.patterns.bad.empty()) {
                    ASSERT_EQ(file.patterns.bad[at], there ? 0 : 1);
                }
            }
        EXPECT_EQ(file.patterns.bad.empty(), size < side_);
    }
    auto const padded = stem4d::read_patterns(path_, near_).value();
    auto how = options();
    how.probe.clear();
    auto const found = stem4d::ptychography(padded.patterns, how).value();
    EXPECT_LT(found.rounds.back().r, 0.05);
}

// What the wave of a point source does on its way, as Fresnel's integral has it, along one axis:
// [detector pixel][pixel of the object].
std::vector<std::complex<double>> fresnel(index n, double pixel, double by, double long_nm) {
    std::vector<std::complex<double>> sums;
    auto const middle = static_cast<double>(n) / 2;
    for (index i = 0; i < n; ++i)
        for (index k = 0; k < n; ++k) {
            double const from = (static_cast<double>(k) - middle) * pixel;
            double const to = (static_cast<double>(i) - middle) * pixel * by;
            sums.push_back(std::polar(
                1.0, std::numbers::pi * (to - from) * (to - from) / (wavelength_nm * long_nm)));
        }
    return sums;
}

// A cone beam by Fresnel's integral: no code of the product, and no scaling theorem.
TEST_F(NearField, InAConeBeamIsScaled) {
    constexpr double focus_mm = 2, far_mm = 2, magnified = 2;
    index const n = side_;
    auto const turn = fresnel(n, pixel_nm, magnified, far_mm * 1e6);
    auto const middle = static_cast<double>(n) / 2;
    Patterns patterns{.size = n,
                      .positions = truth_.patterns.positions,
                      .wavelength_nm = wavelength_nm,
                      .pixel_nm = magnified * pixel_nm,
                      .propagation = Propagation::near,
                      .distance_mm = far_mm};
    std::vector<float> counts;
    auto const at = [n](index r, index c) { return static_cast<std::size_t>(r * n + c); };
    for (auto& p : patterns.positions) {
        std::vector<std::complex<double>> wave, half(static_cast<std::size_t>(n * n));
        for (index r = 0; r < n; ++r)
            for (index c = 0; c < n; ++c) {
                double const y = (static_cast<double>(r) - middle) * pixel_nm;
                double const x = (static_cast<double>(c) - middle) * pixel_nm;
                wave.push_back(
                    truth_.probe[at(r, c)] *
                    std::polar(1.0, std::numbers::pi * (x * x + y * y) /
                                        (wavelength_nm * focus_mm * 1e6)) *
                    truth_.object[static_cast<std::size_t>((r + std::lround(p.row)) * truth_.cols +
                                                           c + std::lround(p.col))]);
            }
        for (index r = 0; r < n; ++r)
            for (index l = 0; l < n; ++l)
                for (index c = 0; c < n; ++c) half[at(r, l)] += wave[at(r, c)] * turn[at(l, c)];
        for (index k = 0; k < n; ++k)
            for (index l = 0; l < n; ++l) {
                std::complex<double> sum{};
                for (index r = 0; r < n; ++r) sum += half[at(r, l)] * turn[at(k, r)];
                counts.push_back(static_cast<float>(
                    std::norm(sum) / std::pow(wavelength_nm * 1e6 / pixel_nm / pixel_nm, 2)));
            }
        // In pixels of the detector.
        p = {p.row / magnified, p.col / magnified};
    }
    patterns.counts = std::move(counts);
    auto how = options();
    how.focus_distance_mm = focus_mm;
    expect_object(patterns, how);
    auto const found = stem4d::ptychography(patterns, how).value();
    EXPECT_LT(found.rounds.back().r, 0.06);  // the window's edges cut the integral
    EXPECT_TRUE(std::ranges::any_of(found.notes, [](std::string const& note) {
        return note.find(
                   "magnifies 2 times: the wave spreads as over 1 mm, a detector pixel of "
                   "100 nm is 50 nm") != std::string::npos;
    }));
}

}  // namespace
}  // namespace sluice::ptycho
