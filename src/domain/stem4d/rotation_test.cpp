// The rotation is found to 0.05 degrees through noise and descan, as a search in steps finds it,
// with its sign told from the atoms; and fields that have no rotation are refused.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "domain/stem4d/phase_test.h"

namespace sluice::stem4d {
namespace {

double between(double a, double b) {
    return std::abs(std::remainder(a - b, 360));
}

VectorField atoms_seen_by(Rotation const& rotation, double noise, unsigned seed, index rows = 96) {
    VectorField f = seen_by(field_of(random_atoms(rows, 80, 40, seed), rows, 80), rotation);
    add_noise(f, noise, seed);
    shift(f, 95.5, 97.25);
    return f;
}

double mean(std::vector<double> const& v) {
    double sum = 0;
    for (double x : v) sum += x;
    return sum / v.size();
}

// Sum of the powers about the mean, over the positions that have neighbours on all sides.
double inner_moment(Array<double> const& image, int power) {
    std::vector<double> inner;
    for (index r = 1; r < image.shape[0] - 1; ++r)
        for (index c = 1; c < image.shape[1] - 1; ++c)
            inner.push_back(image.values[r * image.shape[1] + c]);
    double const middle = mean(inner);
    double sum = 0;
    for (double v : inner) sum += std::pow(v - middle, power);
    return sum;
}

double curl2_at(VectorField const& f, Rotation const& rotation) {
    VectorField const turned = rotate(f.row, f.col, rotation).value();
    return inner_moment(curl(turned.row, turned.col).value(), 2);
}

// The twin: every tenth of a degree of a half turn, both transposes, and then the sign.
Rotation search(VectorField const& f) {
    Rotation best;
    double least = 1e300;
    for (bool transpose : {false, true})
        for (int tenth = -899; tenth <= 900; ++tenth) {
            Rotation const here{tenth / 10.0, transpose, 0};
            double const curl2 = curl2_at(f, here);
            if (curl2 < least) least = curl2, best = here;
        }
    VectorField const turned = rotate(f.row, f.col, best).value();
    if (inner_moment(divergence(turned.row, turned.col).value(), 3) > 0) best.degrees += 180;
    return best;
}

TEST(FindRotation, ToATwentiethOfADegreeAtFivePercentNoise) {
    VectorField const truth = field_of(random_atoms(256, 256, 350, 1), 256, 256);
    unsigned seed = 1;
    double worst = 0;
    for (bool transpose : {false, true})
        for (double degrees : {0.0, 0.3, -12.34, 45.0, 89.9, 90.0, 91.7, 135.0, 179.8, -101.5}) {
            VectorField f = seen_by(truth, {degrees, transpose, 0});
            add_noise(f, 0.05, ++seed);
            shift(f, 95.5, 97.25);
            auto const found = find_rotation(f.row, f.col);
            ASSERT_TRUE(found) << found.error().text();
            EXPECT_EQ(found->transpose, transpose) << degrees;
            EXPECT_LT(between(found->degrees, degrees), 0.05) << degrees << " " << transpose;
            EXPECT_GT(found->degrees, -180);
            EXPECT_LE(found->degrees, 180);
            EXPECT_NEAR(found->curl_over_divergence, 0.08, 0.02);
            worst = std::max(worst, between(found->degrees, degrees));
        }
    RecordProperty("worst_degrees", std::to_string(worst));
}

TEST(FindRotation, WithoutNoiseToAHundredth) {
    VectorField const f = atoms_seen_by({-37.7, true, 0}, 0, 5);
    Rotation const found = find_rotation(f.row, f.col).value();
    EXPECT_TRUE(found.transpose);
    EXPECT_NEAR(found.degrees, -37.7, 1e-2);  // slopes over two steps are not quite free of curl
    EXPECT_LT(found.curl_over_divergence, 2e-2);
}

TEST(FindRotation, AsASearchInStepsFindsIt) {
    for (double degrees : {33.33, -160.0}) {
        VectorField const f = atoms_seen_by({degrees, degrees < 0, 0}, 0.3, 11, 24);
        Rotation const found = find_rotation(f.row, f.col).value(), twin = search(f);
        EXPECT_EQ(found.transpose, twin.transpose);
        EXPECT_LE(between(found.degrees, twin.degrees), 0.0501);
        EXPECT_LE(curl2_at(f, found), curl2_at(f, twin));
    }
}

TEST(FindRotation, ThroughDescan) {
    VectorField f = atoms_seen_by({28, false, 0}, 0.05, 3);
    for (index i = 0; i < 96 * 80; ++i) {
        Point const at = place(i, 80);
        f.row.values[i] += 0.02 * at.row - 0.05 * at.col;
        f.col.values[i] += 0.07 * at.row + 0.01 * at.col;
    }
    Rotation const found = find_rotation(f.row, f.col).value();
    EXPECT_FALSE(found.transpose);
    EXPECT_LT(between(found.degrees, 28), 0.2);  // a smaller scan
}

TEST(FindRotation, LeavesOutWhereThereIsNone) {
    VectorField f = atoms_seen_by({64, true, 0}, 0.05, 9);
    for (std::size_t i = 0; i < f.row.values.size(); i += 7)
        f.row.values[i] = f.col.values[i] = nan;
    Rotation const found = find_rotation(f.row, f.col).value();
    EXPECT_TRUE(found.transpose);
    EXPECT_LT(between(found.degrees, 64), 0.3);
    EXPECT_TRUE(std::isfinite(found.curl_over_divergence));
}

TEST(FindRotation, OfNoiseIsUndetermined) {
    for (unsigned seed = 1; seed <= 12; ++seed) {
        VectorField f = zeros(40, 48);
        std::mt19937 random(seed);
        std::normal_distribution<double> normal;
        for (auto* a : {&f.row, &f.col})
            for (double& v : a->values) v = 95 + normal(random);
        Rotation const found = find_rotation(f.row, f.col).value();
        EXPECT_FALSE(found.determined()) << seed << ": " << found.degrees;
        EXPECT_FALSE(found.angle_known) << seed << ": " << found.by_chance;
        EXPECT_GT(found.error_degrees.value(), 4);
        EXPECT_LT(found.curl_over_divergence, 1);
    }
}

// Where curl is 0.84 of divergence the angle is known, to as much as it says.
TEST(FindRotation, ThroughAsMuchNoiseAsSignalWithAnHonestError) {
    double chi2 = 0;
    int determined = 0;
    for (unsigned seed = 1; seed <= 16; ++seed) {
        double const degrees = 22.5 * seed - 170;
        bool const transpose = seed % 2 == 0;
        VectorField f =
            seen_by(field_of(random_atoms(64, 64, 27, seed), 64, 64), {degrees, transpose, 0});
        add_noise(f, 1, seed + 100);
        Rotation const found = find_rotation(f.row, f.col).value();
        if (!found.determined()) continue;
        ++determined;
        EXPECT_EQ(found.transpose, transpose) << seed;
        double const off =
            std::remainder(found.degrees - degrees, 180);  // the sign is another matter
        EXPECT_LT(std::abs(off), 4 * found.error_degrees.value()) << seed;
        chi2 += off * off / (*found.error_degrees * *found.error_degrees);
    }
    EXPECT_GE(determined, 12);
    EXPECT_LT(chi2 / determined, 2);
    EXPECT_GT(chi2 / determined, 0.3);
}

TEST(FindRotation, OfAtomsIsDeterminedInAllRespects) {
    VectorField const f = atoms_seen_by({-37.7, true, 0}, 0.05, 5);
    Rotation const found = find_rotation(f.row, f.col).value();
    EXPECT_TRUE(found.angle_known && found.transpose_known && found.sign_known);
    EXPECT_LT(found.error_degrees.value(), 0.5);
    EXPECT_LT(found.by_chance, 1e-4);
}

TEST(FindRotation, OfWhatVariesInOneDirectionLeavesTheTransposeOpen) {
    VectorField f = zeros(48, 48);
    for (index i = 0; i < f.row.size(); ++i) f.row.values[i] = std::sin(place(i, 48).row * 0.7);
    add_noise(f, 0.05, 3);
    Rotation const found = find_rotation(f.row, f.col).value();
    EXPECT_TRUE(found.angle_known);
    EXPECT_FALSE(found.transpose_known);
    EXPECT_FALSE(found.determined());
}

TEST(FindRotation, OfASpecimenWithoutAtomsLeavesTheSignOpen) {
    VectorField f = zeros(60, 60);
    for (index i = 0; i < f.row.size(); ++i) {
        Point const at = place(i, 60);
        f.row.values[i] = std::sin(at.row * 0.6) + 0.3 * std::cos(at.row * 0.4 + at.col * 0.5);
        f.col.values[i] = std::sin(at.col * 0.55) + 0.375 * std::cos(at.row * 0.4 + at.col * 0.5);
    }
    Rotation const found = find_rotation(f.row, f.col).value();
    EXPECT_TRUE(found.determined());
    EXPECT_FALSE(found.sign_known);
}

TEST(FindRotation, OfAFewPositionsSaysThatItCannotTell) {
    VectorField f = atoms_seen_by({20, false, 0}, 0, 2);
    VectorField few = zeros(6, 7);
    for (index i = 0; i < few.row.size(); ++i) {
        few.row.values[i] = f.row.values[i / 7 * 80 + i % 7 + 900];
        few.col.values[i] = f.col.values[i / 7 * 80 + i % 7 + 900];
    }
    Rotation const found = find_rotation(few.row, few.col).value();
    EXPECT_FALSE(found.determined());
    EXPECT_FALSE(found.error_degrees);
}

TEST(FindRotation, RefusesWhatHasNone) {
    auto const message = [](VectorField const& f) {
        auto const found = find_rotation(f.row, f.col);
        return found ? "" : found.error().message;
    };
    EXPECT_NE(message(zeros(2, 9)).find("2x9"), std::string::npos);
    EXPECT_NE(message(zeros(1, 1)).find("3x3"), std::string::npos);
    EXPECT_NE(message(zeros(8, 9)).find("same at all 42 positions"), std::string::npos);
    VectorField constant = zeros(8, 9);
    shift(constant, 95.1, 0.3);
    EXPECT_NE(message(constant).find("same at all 42"), std::string::npos);
    VectorField unknown = zeros(5, 5);
    shift(unknown, nan, nan);
    EXPECT_NE(message(unknown).find("same at all 0"), std::string::npos);
    VectorField linear = zeros(9, 9);  // descan alone
    for (index i = 0; i < 81; ++i) linear.row.values[i] = 96 + 0.1 * place(i, 9).row;
    EXPECT_NE(message(linear).find("same at all 49"), std::string::npos);
    VectorField other = zeros(4, 5);
    other.col = Array<double>::zeros({5, 4});
    EXPECT_NE(message(other).find("one shape"), std::string::npos);
    EXPECT_NE(message({}).find("not a field"), std::string::npos);
}

TEST(Rotate, TurnsAboutTheMean) {
    VectorField f = zeros(1, 2);
    f.row.values = {10, 14}, f.col.values = {7, 7};  // about the mean: (-2, 0), (2, 0)
    VectorField const quarter = rotate(f.row, f.col, {90, false, 0}).value();
    EXPECT_NEAR(quarter.row.values[1], 0, 1e-15);
    EXPECT_NEAR(quarter.col.values[1], 2, 1e-15);  // a row vector becomes a column vector
    VectorField const both = rotate(f.row, f.col, {90, true, 0}).value();
    EXPECT_NEAR(both.row.values[1], -2, 1e-15);  // exchanged first, then turned
    f.row.values = {10, nan}, f.col.values = {7, nan};
    VectorField const holes = rotate(f.row, f.col, {30, false, 0}).value();
    EXPECT_EQ(holes.row.values[0], 0);
    EXPECT_TRUE(std::isnan(holes.row.values[1]) && std::isnan(holes.col.values[1]));
    EXPECT_FALSE(rotate(f.row, f.col, {nan, false, 0}));
}

}  // namespace
}  // namespace sluice::stem4d
