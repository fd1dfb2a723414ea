// Calibrations: applied, taken off, saved; and strain that is measured from theory.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "domain/crystal/calibrate/test_patterns.h"
#include "domain/crystal/vectors/columns.h"
#include "save/folder_test.h"

namespace sluice::crystal::test {
namespace {

using stem4d::Calibration;

PatternPlan distorted() {
    PatternPlan plan;
    plan.ellipse = {1.02, 0.99, 25};
    plan.sigma = 0.03;
    plan.origin = [](double row, double col) {
        return std::array{126 + 0.5 * row, 130 - 0.4 * col + 0.1 * row};
    };
    return plan;
}

constexpr std::array<double, 4> square{30 * 0.8, 30 * 0.6, -30 * 0.6, 30 * 0.8};

stem4d::BraggVectors disks_of(PatternPlan const& plan, double stretch = 0) {
    Vectors draw(plan, 3);
    for (index p = 0; p < plan.scan[0] * plan.scan[1]; ++p) {
        auto g = square;
        g[0] *= 1 + stretch, g[2] *= 1 + stretch;
        draw.add(lattice_disks(g, 100, draw));
    }
    return draw.v;
}

Calibration calibration_of(stem4d::BraggVectors const& v) {
    Calibration c;
    c.scan_shape = v.scan_shape, c.detector_shape = v.detector_shape;
    c.origins = stem4d::fit_origins(stem4d::measure_origins(v).value()).value();
    stem4d::UnitCell cell;
    cell.a = cell.b = cell.c = 4;
    auto const fit =
        stem4d::match_lattice(stem4d::fit_lattice(v, stem4d::find_basis(v).value()).value(), cell,
                              {.zone = stem4d::Indices{0, 0, 1}});
    auto const& found = *fit;
    c.distortion = found.distortion;
    c.pixel_size = found.pixel_size, c.pixel_size_error = found.error;
    c.lattice = found.lattice;
    c.rotation = stem4d::Rotation{.degrees = -12.5, .transpose = true};
    c.crystal = "a cube";
    c.provenance.add("command", "by hand");
    c.notes = {"one", "two"};
    return c;
}

TEST(ApplyCalibration, DisksLieWhereAnUndistortedDetectorHasThem) {
    PatternPlan plan = distorted();
    auto const v = disks_of(plan);
    Calibration const c = calibration_of(v);
    auto const applied = stem4d::apply_calibration(v, c);
    ASSERT_TRUE(applied) << applied.error().text();
    // About the centre, all patterns are one square lattice; det 1 keeps the mean pixel.
    double const scale = std::sqrt(1.02 * 0.99),
                 det = square[0] * square[3] - square[1] * square[2];
    double worst = 0;
    for (std::size_t j = 0; j < v.row.size(); ++j) {
        double const y = static_cast<double>(applied->vectors.row[j]) - c.center().row,
                     x = static_cast<double>(applied->vectors.col[j]) - c.center().col;
        double const h = (y * square[3] - x * square[2]) / det / scale,
                     k = (-y * square[1] + x * square[0]) / det / scale;
        // A symmetric correction leaves a turn of the lattice that an ellipse makes: below 0.1.
        worst = std::max(worst, std::max(std::abs(h - std::round(h)), std::abs(k - std::round(k))));
    }
    EXPECT_LT(worst, 0.02);
    // Errors are stretched as the places are.
    auto const [rr, rc, cc] = c.distortion->correction();
    EXPECT_NEAR(applied->vectors.var_row[0], 9e-4 * (rr * rr + rc * rc), 1e-8);
    EXPECT_NEAR(applied->vectors.cov_row_col[0], 9e-4 * rc * (rr + cc), 1e-8);
}

TEST(ApplyCalibration, ItIsUndoneBitByBit) {
    auto v = disks_of(distorted());
    v.row[3] = NAN, v.var_col[5] = -NAN, v.cov_row_col[7] = 1e-42F, v.col[9] = -0.0F;
    auto const before = digest_of(v);
    auto applied = stem4d::apply_calibration(v, calibration_of(disks_of(distorted()))).value();
    EXPECT_NE(digest_of(applied.vectors), before);
    EXPECT_EQ(digest_of(stem4d::remove_calibration(std::move(applied))), before);
}

TEST(ApplyCalibration, AnotherScanOrDetectorIsRefused) {
    auto v = disks_of(distorted());
    Calibration c = calibration_of(v);
    c.detector_shape = {128, 128};
    EXPECT_FALSE(stem4d::apply_calibration(v, c));
    c = calibration_of(v);
    c.origins->scan_shape = {4, 16};
    EXPECT_FALSE(stem4d::apply_calibration(v, c));
    c = calibration_of(v);
    c.origins->row.pop_back();
    EXPECT_FALSE(stem4d::apply_calibration(v, c));
    // Without origins it is of any scan.
    c.origins.reset(), c.scan_shape = {1, 1};
    EXPECT_TRUE(stem4d::apply_calibration(v, c));
}

// Calibrated on a crystal without strain, another one shows how its lattice differs from theory.
TEST(ApplyCalibration, StrainFromTheoryIsAbsolute) {
    auto const reference = disks_of(distorted());
    Calibration const c = calibration_of(reference);
    for (double stretch : {0.0, 0.01}) {
        auto const applied = stem4d::apply_calibration(disks_of(distorted(), stretch), c).value();
        auto const basis = stem4d::find_basis(applied.vectors).value();
        auto const fit = stem4d::fit_lattice(applied.vectors, basis).value();
        auto const theory = stem4d::theory_of(c, basis);
        ASSERT_TRUE(theory) << theory.error().text();
        auto const maps = stem4d::strain(fit, {.reference = *theory}).value();
        double xx = 0, yy = 0;
        for (std::size_t p = 0; p < 64; ++p)
            xx += maps.e_xx.values[p] / 64, yy += maps.e_yy.values[p] / 64;
        EXPECT_NEAR(xx, 1 / (1 + stretch) - 1, 3e-4) << stretch;
        EXPECT_NEAR(yy, 0, 3e-4);
    }
    Calibration none = c;
    none.lattice.reset();
    EXPECT_FALSE(stem4d::theory_of(none, {}));
}

class CalibrationFile : public testing::Test {
  protected:
    Status write(std::string const& text) {
        std::ofstream(path_) << text;
        auto const loaded = stem4d::load_calibration(path_);
        return loaded ? Status() : Status(loaded.error());
    }
    std::string text() {
        std::ifstream in(path_);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    save::TestFolder folder_;
    std::string path_ = folder_.file("a.calibration.json");
};

TEST_F(CalibrationFile, EveryNumberComesBackWithItsBits) {
    auto const v = disks_of(distorted());
    Calibration const c = calibration_of(v);
    ASSERT_TRUE(stem4d::save_calibration(path_, c));
    auto const back = stem4d::load_calibration(path_);
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(digest_of(stem4d::apply_calibration(v, c).value().vectors),
              digest_of(stem4d::apply_calibration(v, *back).value().vectors));
    EXPECT_EQ(back->pixel_size, c.pixel_size);
    EXPECT_EQ(back->distortion->covariance, c.distortion->covariance);
    EXPECT_EQ(back->origins->covariance, c.origins->covariance);
    EXPECT_EQ(back->lattice->angle_degrees, c.lattice->angle_degrees);
    EXPECT_EQ(back->rotation->degrees, -12.5);
    EXPECT_TRUE(back->rotation->transpose);
    EXPECT_EQ(back->notes, c.notes);
    EXPECT_EQ(back->provenance.fields, c.provenance.fields);
    std::string const first = text();
    ASSERT_TRUE(stem4d::save_calibration(path_, *back));
    EXPECT_EQ(text(), first);
    Calibration bare;
    bare.scan_shape = {1, 1}, bare.detector_shape = {2, 3};
    ASSERT_TRUE(stem4d::save_calibration(path_, bare));
    auto const read = stem4d::load_calibration(path_);
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_FALSE(read->origins);
    EXPECT_EQ(read->pixel_size, 0);
}

TEST_F(CalibrationFile, DamageIsToldByItsKey) {
    ASSERT_TRUE(stem4d::save_calibration(path_, calibration_of(disks_of(distorted()))));
    std::string const good = text();
    for (auto const& [from, to, key] :
         {std::array{"\"scan_shape\": [\n    8", "\"scan_shape\": [\n    0", "scan_shape"},
          std::array{"\"surface\": \"plane\"", "\"surface\": \"flat\"", "origins.surface"},
          std::array{"\"order\": 2", "\"order\": 7", "origins.order"},
          std::array{"\"surface\": \"plane\"", "\"surface\": \"mean\"", "origins.row"},
          std::array{"\"along\": ", "\"along\": 3, \"x\": ", "distortion.along"},
          std::array{"\"pixel_size\": ", "\"pixel_size\": -1, \"x\": ", "pixel_size"},
          std::array{"\"transpose\": true", "\"transpose\": 1", "rotation.transpose"},
          std::array{"\"one\"", "1", "notes"}, std::array{"\"by hand\"", "null", "provenance"}}) {
        std::string bad = good;
        auto const at = bad.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        bad.replace(at, std::strlen(from), to);
        auto const read = write(bad);
        ASSERT_FALSE(read) << to;
        EXPECT_NE(read.error().message.find(std::string("'") + key), std::string::npos)
            << read.error().message;
        EXPECT_EQ(read.error().file, path_);
    }
    EXPECT_FALSE(write(""));
    EXPECT_FALSE(write("{}"));
    EXPECT_FALSE(write("[1]"));
    EXPECT_FALSE(write("{\"kind\": \"probe template\"}"));
    for (std::size_t n = 0; n < good.size(); n += 7) EXPECT_FALSE(write(good.substr(0, n))) << n;
    EXPECT_FALSE(stem4d::load_calibration("/nowhere.json"));
}

}  // namespace
}  // namespace sluice::crystal::test
