// Orientations of simulated crystals: how far they are off, and what their errors say of that.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "domain/orientation/match/test_crystals.h"
#include "sluice/match_orientations.h"

namespace sluice::orient::test {
namespace {

using stem4d::MatchOptions;
using stem4d::OrientationLibrary;
using stem4d::OrientationMap;
using stem4d::OrientationReason;

OrientationLibrary library_of(std::vector<TrueCrystal> const& crystals, double kilovolts = 300,
                              double zone_step = 2) {
    std::vector<stem4d::UnitCell> cells;
    for (auto const& c : crystals) cells.push_back(c.cell());
    return OrientationLibrary::build(cells, {.kilovolts = kilovolts, .zone_step = zone_step})
        .value();
}

bool told(OrientationMap const& map, std::string const& what) {
    return std::ranges::any_of(
        map.notes, [&](std::string const& n) { return n.find(what) != std::string::npos; });
}

double median(std::vector<double> v) {
    if (v.empty()) return 180;
    std::ranges::nth_element(v, v.begin() + std::ssize(v) / 2);
    return v[v.size() / 2];
}

// A scan of patterns of one of some crystals each, and what a map of it is worth.
struct Trial {
    std::vector<TrueCrystal> crystals;
    std::vector<std::size_t> which = {};
    std::vector<Matrix> truth = {};
    stem4d::BraggVectors vectors = {};
    stem4d::Calibration calibration = {};

    Trial(std::vector<TrueCrystal> some, Beam const& beam, index rows, index columns, unsigned seed)
        : crystals(std::move(some)) {
        Patterns patterns(beam, columns, seed);
        for (index i = 0; i < rows * columns; ++i) {
            which.push_back(static_cast<std::size_t>(i) % crystals.size());
            truth.push_back(patterns.any());
            patterns.add({{&crystals[which.back()], truth.back()}});
        }
        vectors = patterns.vectors();
        calibration = patterns.calibration();
    }

    double off(OrientationMap const& map, std::size_t p) const {
        if (map.phase[p] != static_cast<std::int32_t>(which[p])) return 180;
        return degrees_off(euler_of(map.orientation[p]), truth[p], crystals[which[p]]);
    }
};

struct Worth {
    double median_of_right = 0, right = 0, indexed = 0, wrong_of_indexed = 0;
};
Worth worth(Trial const& trial, OrientationMap const& map) {
    std::vector<double> right;
    double indexed = 0, wrong = 0;
    for (std::size_t p = 0; p < trial.truth.size(); ++p) {
        double const off = trial.off(map, p);
        if (off < 3) right.push_back(off);
        if (map.reason[p] != OrientationReason::indexed) continue;
        ++indexed;
        wrong += off >= 3;
    }
    auto const n = static_cast<double>(trial.truth.size());
    return {median(right), static_cast<double>(right.size()) / n, indexed / n, wrong / indexed};
}

TEST(Orientation, OfGoldAsAUserHasIt) {
    Trial const trial({gold()}, {}, 16, 32, 1);
    // Through files.
    std::string const folder = testing::TempDir() + "/sluice_orientation";
    std::filesystem::create_directories(folder);
    ASSERT_TRUE(save_vectors(folder + "/disks.h5", trial.vectors));
    ASSERT_TRUE(save_calibration(folder + "/calibration.json", trial.calibration));
    auto const vectors = stem4d::load_vectors(folder + "/disks.h5");
    auto const calibration = stem4d::load_calibration(folder + "/calibration.json");
    ASSERT_TRUE(vectors && calibration);
    auto const map = orientation(*vectors, *calibration, library_of({gold()}));
    ASSERT_TRUE(map);
    Worth const w = worth(trial, *map);
    EXPECT_LT(w.median_of_right, 0.15);
    EXPECT_GT(w.right, 0.9);
    EXPECT_GT(w.indexed, 0.85);
    EXPECT_LT(w.wrong_of_indexed, 0.01);
    for (std::size_t p = 0; p < trial.truth.size(); ++p) {
        EXPECT_GT(map->score[p], 0.5);
        EXPECT_LE(map->score[p], 1.0001);
        EXPECT_GT(map->explained[p], 0.8);
        EXPECT_TRUE(map->probability[p] >= 0 && map->probability[p] <= 1);
    }
    EXPECT_NEAR(map->common_factor, 1, 5 * map->common_factor_error);
    EXPECT_LT(map->common_factor_error, 1e-3);
    EXPECT_TRUE(told(*map, "512 patterns are indexed"));
    EXPECT_TRUE(told(*map, "indexed patterns about"));
    EXPECT_TRUE(told(*map, "thickness and dynamical scattering are not modelled"));
    std::filesystem::remove_all(folder);
}

// The errors that are told, against the truth.
TEST(Orientation, ErrorsAreRight) {
    Beam beam;
    for (double const counts : {1e3, 1e4}) {
        beam.counts = counts;
        Trial const trial({gold()}, beam, 16, 32, 3);
        auto const map =
            orientation(trial.vectors, trial.calibration, library_of({gold()})).value();
        std::vector<double> chi2;
        for (std::size_t p = 0; p < trial.truth.size(); ++p) {
            if (trial.off(map, p) > 3 || map.reason[p] != OrientationReason::indexed) continue;
            // The small turn w of the sample by which the map is off: equal map = truth turn(-w).
            auto const e = euler_of(map.orientation[p]);
            Matrix const is = bunge(e[0], e[1], e[2]);
            double least = INFINITY;
            std::array<double, 3> w{};
            for (Matrix const& s : trial.crystals[0].rotations) {
                Matrix d{};  // truth^-1 s is, near one
                for (std::size_t i = 0; i < 3; ++i)
                    for (std::size_t j = 0; j < 3; ++j)
                        for (std::size_t k = 0; k < 3; ++k)
                            for (std::size_t l = 0; l < 3; ++l)
                                d[i][j] += trial.truth[p][k][i] * s[k][l] * is[l][j];
                double const trace = d[0][0] + d[1][1] + d[2][2];
                if (3 - trace >= least) continue;
                least = 3 - trace;
                w = {(d[2][1] - d[1][2]) / 2, (d[0][2] - d[2][0]) / 2, (d[1][0] - d[0][1]) / 2};
            }
            // w' C^-1 w by Gauss.
            auto const& c = map.covariance[p];
            double m[3][4] = {
                {c[0], c[3], c[4], w[0]}, {c[3], c[1], c[5], w[1]}, {c[4], c[5], c[2], w[2]}};
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j) {
                    if (i == j) continue;
                    double const f = m[j][i] / m[i][i];
                    for (int k = 0; k < 4; ++k) m[j][k] -= f * m[i][k];
                }
            chi2.push_back(
                (w[0] * m[0][3] / m[0][0] + w[1] * m[1][3] / m[1][1] + w[2] * m[2][3] / m[2][2]) /
                3);
        }
        ASSERT_GT(chi2.size(), 300U);
        // Of three degrees of freedom the median is 0.789; in a hundred 95 are below 2.6.
        EXPECT_NEAR(median(chi2), 0.789, 0.2) << counts;
        EXPECT_LT(
            static_cast<double>(std::ranges::count_if(chi2, [](double x) { return x > 2.6; })),
            0.09 * static_cast<double>(chi2.size()))
            << counts;
    }
}

TEST(Orientation, OfAHexagonalCrystal) {
    Trial const trial({titanium()}, {}, 8, 32, 5);
    auto const map =
        orientation(trial.vectors, trial.calibration, library_of({titanium()})).value();
    Worth const w = worth(trial, map);
    EXPECT_LT(w.median_of_right, 0.15);
    EXPECT_GT(w.right, 0.94);
    EXPECT_GT(w.indexed, 0.9);
    EXPECT_LT(w.wrong_of_indexed, 0.01);
}

// Close spacings: 2.078 and 2.027 ångström.
TEST(Orientation, OfTwoPhases) {
    Trial const trial({austenite(), ferrite()}, {}, 16, 32, 6);
    auto const map =
        orientation(trial.vectors, trial.calibration, library_of({austenite(), ferrite()})).value();
    double right = 0, indexed = 0;
    for (std::size_t p = 0; p < trial.truth.size(); ++p) {
        if (map.reason[p] != OrientationReason::indexed) continue;
        ++indexed;
        right += map.phase[p] == static_cast<std::int32_t>(trial.which[p]);
    }
    EXPECT_GT(right / indexed, 0.99);
    EXPECT_LT(worth(trial, map).median_of_right, 0.15);
    EXPECT_EQ(map.phases[1].name, "ferrite");
}

TEST(Orientation, OfADetectorThatIsTurnedAndMirrored) {
    for (bool const transpose : {false, true}) {
        Beam beam;
        beam.rotation_degrees = 37;
        beam.transpose = transpose;
        Trial const trial({gold()}, beam, 4, 32, 7);
        auto const library = library_of({gold()});
        Worth const w =
            worth(trial, orientation(trial.vectors, trial.calibration, library).value());
        EXPECT_GT(w.right, 0.88) << transpose;
        EXPECT_LT(w.median_of_right, 0.15) << transpose;
        // Without the calibration's rotation the orientations are those of the detector.
        auto without = trial.calibration;
        without.rotation.reset();
        auto const map = orientation(trial.vectors, without, library).value();
        EXPECT_LT(worth(trial, map).right, 0.1) << transpose;
        EXPECT_TRUE(told(map, "has no rotation"));
    }
}

// A pattern and its mirror image are two orientations.
TEST(Orientation, OfMirrorImages) {
    Trial const trial({gold()}, {}, 4, 32, 8);
    auto mirrored = trial.vectors;
    for (float& row : mirrored.row) row = 400 - row;
    auto const library = library_of({gold()});
    auto const one = orientation(trial.vectors, trial.calibration, library).value();
    auto const other = orientation(mirrored, trial.calibration, library).value();
    int same = 0, right = 0;
    for (std::size_t p = 0; p < trial.truth.size(); ++p) {
        // With y negated, half a turn about y gives the crystal's own pattern.
        Matrix turned = trial.truth[p];
        for (auto& row : turned) row[0] = -row[0], row[2] = -row[2];
        right += degrees_off(euler_of(other.orientation[p]), turned, trial.crystals[0]) < 3;
        same += degrees_off(euler_of(other.orientation[p]), trial.truth[p], trial.crystals[0]) < 3;
        EXPECT_NEAR(one.score[p], other.score[p], 0.02);
    }
    EXPECT_GT(right, 112);
    EXPECT_LT(same, 10);
}

TEST(Orientation, OfAPrecessingBeam) {
    Beam beam;
    beam.precession = 0.015;
    Trial const trial({gold()}, beam, 4, 32, 9);
    stem4d::UnitCell const cell = gold().cell();
    auto const library =
        OrientationLibrary::build(std::span(&cell, 1), {.kilovolts = 300, .precession_mrad = 15})
            .value();
    Worth const w = worth(trial, orientation(trial.vectors, trial.calibration, library).value());
    EXPECT_LT(w.median_of_right, 0.15);
    EXPECT_GT(w.right, 0.93);
}

TEST(Orientation, OfPatternsThatCannotBeIndexed) {
    TrueCrystal const crystal = gold();
    Patterns patterns({}, 8, 10);
    for (int i = 0; i < 8; ++i) patterns.add_few({&crystal, patterns.any()}, 3);
    for (int i = 0; i < 8; ++i) patterns.add_few({&crystal, patterns.any()}, 0);
    for (int i = 0; i < 8; ++i) patterns.add_nonsense(14);
    for (int i = 0; i < 8; ++i) patterns.add({{&crystal, bunge(17, 40 + i, 52)}});
    auto vectors = patterns.vectors();
    auto const map = orientation(vectors, patterns.calibration(), library_of({crystal})).value();
    for (std::size_t p = 0; p < 8; ++p) {
        EXPECT_EQ(map.reason[p], OrientationReason::too_few);
        EXPECT_EQ(map.disks[p], 3);
        EXPECT_EQ(map.phase[p], -1);
        EXPECT_TRUE(std::isnan(map.score[p]));
        EXPECT_EQ(map.reason[8 + p], OrientationReason::no_disks);
        EXPECT_NE(map.reason[16 + p], OrientationReason::indexed) << map.explained[16 + p];
        EXPECT_EQ(map.reason[24 + p], OrientationReason::indexed);
    }
}

TEST(Orientation, OfOverlappingGrains) {
    TrueCrystal const crystal = gold();
    Patterns patterns({.counts = 2e4}, 32, 11);
    std::vector<std::array<Matrix, 2>> truth;
    for (int i = 0; i < 96; ++i) {
        truth.push_back({patterns.any(), patterns.any()});
        patterns.add({{&crystal, truth.back()[0], 0.7}, {&crystal, truth.back()[1], 0.3}});
    }
    auto const map = orientation(patterns.vectors(), patterns.calibration(), library_of({crystal}),
                                 {.grains = 2})
                         .value();
    ASSERT_EQ(map.overlapping.size(), 1U);
    auto const& under = map.overlapping[0];
    int first = 0, second = 0;
    for (std::size_t p = 0; p < truth.size(); ++p) {
        auto const off = [&](OrientationMap const& m, std::size_t which) {
            return m.phase[p] < 0
                       ? 180
                       : degrees_off(euler_of(m.orientation[p]), truth[p][which], crystal);
        };
        bool const exchanged = off(map, 1) < 3;
        first += off(map, exchanged ? 1 : 0) < 3;
        second += off(under, exchanged ? 0 : 1) < 3;
    }
    EXPECT_GT(first, 86);
    EXPECT_GT(second, 67) << [&] {
        std::string text;
        for (std::size_t p = 0; p < truth.size(); ++p)
            text += std::to_string(static_cast<int>(map.reason[p])) +
                    std::to_string(static_cast<int>(under.reason[p])) + "/" +
                    std::to_string(under.disks[p]) + " ";
        return text;
    }();
}

TEST(Orientation, AWrongPixelSizeIsTold) {
    Trial trial({gold()}, {}, 4, 32, 12);
    trial.calibration.pixel_size *= 1.012;
    auto const map = orientation(trial.vectors, trial.calibration, library_of({gold()})).value();
    EXPECT_NEAR(map.common_factor, 1.012, 0.002);
    EXPECT_TRUE(told(map, "farther from the direct beam"));
    EXPECT_GT(worth(trial, map).right, 0.85);
}

TEST(Orientation, AWrongVoltageIsTold) {
    Beam beam;
    beam.kilovolts = 80;
    Trial const trial({gold()}, beam, 4, 32, 13);
    auto const library = library_of({gold()}, 300);
    auto const map = orientation(trial.vectors, trial.calibration, library).value();
    EXPECT_TRUE(told(map, "check the voltage of the library"));
    auto const right = library_of({gold()}, 80);
    EXPECT_FALSE(told(orientation(trial.vectors, trial.calibration, right).value(),
                      "check the voltage of the library"));
}

// A sigma of the library that is not the beam's: it is measured.
TEST(Orientation, TheWidthOfTheEnvelopeIsMeasured) {
    Beam beam;
    beam.sigma = 0.012;
    Trial const trial({gold()}, beam, 8, 32, 14);
    auto const map = orientation(trial.vectors, trial.calibration, library_of({gold()})).value();
    EXPECT_TRUE(told(map, "a sigma of 0.012") || told(map, "a sigma of 0.011")) << map.notes[2];
    EXPECT_LT(worth(trial, map).median_of_right, 0.15);
    EXPECT_LT(worth(trial, map).wrong_of_indexed, 0.02);
}

TEST(Orientation, WithoutRefinementItIsAZonesOwn) {
    Trial const trial({gold()}, {}, 4, 32, 15);
    auto const map = orientation(trial.vectors, trial.calibration, library_of({gold()}, 300, 1),
                                 {.refine = false})
                         .value();
    for (auto const& c : map.covariance) EXPECT_TRUE(std::isnan(c[0]));
    Worth const w = worth(trial, map);
    EXPECT_GT(w.right, 0.8);
    EXPECT_GT(w.median_of_right, 0.3);
    EXPECT_LT(w.median_of_right, 1.5);
}

TEST(Orientation, NeedsWhatItNeeds) {
    Trial const trial({gold()}, {}, 1, 4, 16);
    auto const library = library_of({gold()}, 300, 5);
    auto const message = [&](stem4d::Calibration const& c, MatchOptions const& o = {}) {
        auto const map = orientation(trial.vectors, c, library, o);
        return map ? std::string() : map.error().message;
    };
    auto c = trial.calibration;
    c.pixel_size = 0;
    EXPECT_NE(message(c).find("has no pixel size"), std::string::npos);
    c = trial.calibration;
    c.origins.reset();
    EXPECT_NE(message(c).find("has no origins"), std::string::npos);
    EXPECT_NE(message(trial.calibration, {.least_disks = 2}).find("least_disks"),
              std::string::npos);
    EXPECT_NE(message(trial.calibration, {.tolerance = NAN}).find("tolerance"), std::string::npos);
}

}  // namespace
}  // namespace sluice::orient::test
