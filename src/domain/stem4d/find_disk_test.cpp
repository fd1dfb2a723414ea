// The bright-field disk is found to a tenth of a pixel through noise, Bragg disks, a beam stop, hot
// and bad pixels and the detector's edge; and a pattern without one is refused.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "domain/stem4d/circle_fit.h"
#include "domain/stem4d/disk_family.h"

namespace sluice::stem4d {
namespace {

constexpr double height = 3000, flat = 20;  // counts per pixel inside the disk, and everywhere

Array<double> background(index rows, index cols) {
    Array<double> out = Array<double>::zeros({rows, cols});
    std::ranges::fill(out.values, flat);
    return out;
}

double& at(Array<double>& a, index r, index c) {
    return a.values.at(static_cast<std::size_t>(r * a.shape[1] + c));
}

// Pixels on the edge get the part of them that lies inside.
void add_disk(Array<double>& onto, Disk const& disk, double counts) {
    constexpr int fine = 16;
    for (index r = 0; r < onto.shape[0]; ++r)
        for (index c = 0; c < onto.shape[1]; ++c) {
            double const dr = static_cast<double>(r) - disk.center.row;
            double const dc = static_cast<double>(c) - disk.center.col;
            double const distance = std::hypot(dr, dc);
            int inside = 0;
            if (distance < disk.radius + 1)
                for (int i = 0; i < fine * fine; ++i)
                    inside += std::hypot(dr + (i / fine + 0.5) / fine - 0.5,
                                         dc + (i % fine + 0.5) / fine - 0.5) <= disk.radius;
            at(onto, r, c) += counts * inside / (fine * fine);
        }
}

void add_noise(Array<double>& a, unsigned seed) {
    std::mt19937 random(seed);
    for (double& v : a.values) v = std::poisson_distribution<int>(v)(random);
}

void expect_found(Array<double> const& pattern, Disk const& truth, double tolerance,
                  std::span<std::uint8_t const> bad = {}) {
    auto const found = find_disk(pattern, bad);
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_NEAR(found->center.row, truth.center.row, tolerance);
    EXPECT_NEAR(found->center.col, truth.center.col, tolerance);
    EXPECT_NEAR(found->radius, truth.radius, 2 * tolerance);
}

// Pixels that were not measured are as good as masked ones.
TEST(FindDisk, BesideWhatWasNotMeasured) {
    Array<double> pattern = background(48, 48);
    Disk const truth{{22.3, 25.1}, 9.5, {}};
    add_disk(pattern, truth, height);
    add_noise(pattern, 5);
    Array<double> holes = pattern;
    std::vector<std::uint8_t> bad(pattern.values.size());
    for (index r = 18; r < 26; ++r)
        for (index c = 18; c < 26; ++c) {
            at(holes, r, c) = std::nan("");
            bad[static_cast<std::size_t>(r * 48 + c)] = 1;
        }
    auto const masked = find_disk(pattern, bad), lacking = find_disk(holes);
    ASSERT_TRUE(masked && lacking);
    EXPECT_EQ(lacking->center.row, masked->center.row);
    EXPECT_EQ(lacking->radius, masked->radius);
    EXPECT_EQ(lacking->quality, masked->quality);
}

constexpr double radii[] = {5, 12.3, 20, 60};
constexpr Point centers[] = {{95, 96}, {95.5, 95.5}, {88.3, 101.7}, {100.06, 90.42}};

TEST(FindDisk, ToATenthOfAPixelThroughNoise) {
    for (double const radius : radii)
        for (Point const center : centers)
            for (unsigned seed = 1; seed <= 1; ++seed) {
                SCOPED_TRACE(testing::Message() << "r " << radius << " at " << center.row << ", "
                                                << center.col << " seed " << seed);
                Array<double> pattern = background(192, 192);
                add_disk(pattern, {center, radius}, height);
                add_noise(pattern, seed);
                expect_found(pattern, {center, radius}, 0.1);
            }
}

TEST(FindDisk, ToHalfAPixelInFewCounts) {
    for (double const radius : radii)
        for (Point const center : centers) {
            SCOPED_TRACE(testing::Message() << "r " << radius << " at " << center.row);
            Array<double> pattern = Array<double>::zeros({192, 192});
            add_disk(pattern, {center, radius}, 25);
            add_noise(pattern, 4);
            expect_found(pattern, {center, radius}, 0.5);
        }
}

TEST(FindDisk, BraggDisksBesideIt) {
    for (double const radius : {5.0, 12.3, 20.0}) {
        for (double const away : {2.3, 3.0}) {  // in radii: apart from each other
            SCOPED_TRACE(testing::Message() << "r " << radius << ", Bragg disks at " << away);
            Disk const truth{{94.4, 97.1}, radius};
            Array<double> pattern = background(192, 192);
            add_disk(pattern, truth, height);
            for (int i = 0; i < 6; ++i) {
                double const angle = 0.3 + i * 3.14159265 / 3;
                add_disk(pattern,
                         {{94.4 + away * radius * std::sin(angle),
                           97.1 + away * radius * std::cos(angle)},
                          radius},
                         0.8 * height);
            }
            add_noise(pattern, 5);
            expect_found(pattern, truth, 0.1);
        }
    }
}

// A beam stop throws a shadow: it hides a part of the disk, and no edge of it is the disk's.
TEST(FindDisk, BeamStopFromTheEdgeToTheCentre) {
    for (double const radius : {12.3, 20.0, 60.0}) {
        SCOPED_TRACE(radius);
        Disk const truth{{94.4, 97.1}, radius};
        Array<double> pattern = background(192, 192);
        add_disk(pattern, truth, height);
        auto const half = static_cast<index>(radius / 6);
        for (index r = 0; r <= 94; ++r)
            for (index c = 97 - half; c <= 97 + half; ++c) at(pattern, r, c) = 5;
        add_noise(pattern, 6);
        expect_found(pattern, truth, 0.2);
    }
}

TEST(FindDisk, BeamStopAcrossIt) {
    for (double const radius : {12.3, 20.0, 60.0})
        for (index const offset : {0, 4}) {
            SCOPED_TRACE(testing::Message()
                         << "r " << radius << " bar beside the centre by " << offset);
            Disk const truth{{94.4, 97.1}, radius};
            Array<double> pattern = background(192, 192);
            add_disk(pattern, truth, height);
            auto const half = static_cast<index>(radius / 8);
            for (index r = 0; r < 192; ++r)
                for (index c = 97 + offset - half; c <= 97 + offset + half; ++c)
                    at(pattern, r, c) = 5;
            add_noise(pattern, 7);
            expect_found(pattern, truth, 0.3);
        }
}

TEST(FindDisk, HotPixelsMaskedOrNot) {
    for (bool const masked : {false, true})
        for (double const radius : radii) {
            SCOPED_TRACE(testing::Message()
                         << "r " << radius << (masked ? " masked" : " not masked"));
            Disk const truth{{94.4, 97.1}, radius};
            Array<double> pattern = background(192, 192);
            add_disk(pattern, truth, height);
            add_noise(pattern, 8);
            std::vector<std::uint8_t> bad(pattern.values.size());
            // Outside, inside, on the edge, in a corner.
            auto const edge = static_cast<index>(97.1 + radius);
            for (auto const& [r, c] :
                 {std::pair<index, index>{20, 30}, {95, 96}, {94, edge}, {0, 191}}) {
                at(pattern, r, c) = 1e6;
                bad[static_cast<std::size_t>(r * 192 + c)] = masked;
            }
            expect_found(pattern, truth, 0.15, bad);
        }
}

TEST(FindDisk, BadPixelsInGroupsAreIgnored) {
    Disk const truth{{94.4, 97.1}, 20};
    Array<double> pattern = background(192, 192);
    add_disk(pattern, truth, height);
    add_noise(pattern, 9);
    std::vector<std::uint8_t> bad(pattern.values.size());
    for (index r = 40; r < 46; ++r)
        for (index c = 40; c < 46; ++c)
            at(pattern, r, c) = 1e6, bad[static_cast<std::size_t>(r * 192 + c)] = 1;
    for (index r = 0; r < 192; ++r)
        at(pattern, r, 90) = 65535, bad[static_cast<std::size_t>(r * 192 + 90)] = 1;
    expect_found(pattern, truth, 0.15, bad);
}

TEST(FindDisk, PartlyOutsideTheDetector) {
    for (Disk const truth : {Disk{{5.3, 97.1}, 20}, {{94.4, 182.6}, 12.3}, {{20.2, 15.4}, 60}}) {
        SCOPED_TRACE(testing::Message() << "r " << truth.radius << " at " << truth.center.row
                                        << ", " << truth.center.col);
        Array<double> pattern = background(192, 192);
        add_disk(pattern, truth, height);
        add_noise(pattern, 10);
        expect_found(pattern, truth, 0.3);
    }
}

TEST(FindDisk, OnDetectorsThatAreNotSquare) {
    Disk const truth{{31.4, 140.2}, 12.3};
    Array<double> pattern = background(64, 256);
    add_disk(pattern, truth, height);
    add_noise(pattern, 11);
    expect_found(pattern, truth, 0.1);
}

TEST(FindDisk, NothingToBeSeenIsAnErrorWithAdvice) {
    Array<double> empty = Array<double>::zeros({64, 64}), even = background(64, 64), noisy = even;
    std::ranges::fill(noisy.values, 1000);
    add_noise(noisy, 12);
    for (auto const& pattern : {empty, even, noisy, Array<double>{{1, 1}, {0}}}) {
        auto const found = find_disk(pattern);
        ASSERT_FALSE(found) << found->center.row << " " << found->center.col << " "
                            << found->radius;
        EXPECT_EQ(found.error().code, Code::not_found);
        EXPECT_NE(found.error().message.find("center="), std::string::npos)
            << found.error().message;
    }
}

bool is_right(Disk const& found, Disk const& truth) {
    double const tolerance = std::max(1.0, 0.1 * truth.radius);
    return std::hypot(found.center.row - truth.center.row, found.center.col - truth.center.col) <=
               tolerance &&
           std::abs(found.radius - truth.radius) <= tolerance;
}

void expect_right(DiskCase const& k) {
    SCOPED_TRACE(k.text());
    auto const found = find_disk(draw(k));
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_TRUE(is_right(*found, k.truth))
        << found->center.row << ", " << found->center.col << " r " << found->radius;
    EXPECT_GE(found->quality.value(), 0.3);
    EXPECT_LE(found->quality.value(), 1);
}

TEST(FindDisk, FromTwoPixelsToMoreThanTheDetector) {
    unsigned seed = 0;
    for (double const radius : {2.0, 3.0, 5.5, 11.0, 22.0, 33.0, 43.0, 50.0, 57.6})
        for (double const counts : {3.0, 3000.0}) {
            if (counts * radius * radius < 100) continue;
            DiskCase k;
            k.truth = {{46.3, 48.9}, radius};
            k.counts = counts;
            k.seed = ++seed;
            expect_right(k);
        }
}

// What hid it: 30 for 12 where six Bragg disks of 0.6 touched, and nothing at 1.
TEST(FindDisk, BraggDisksAsBrightAsItselfThatTouch) {
    unsigned seed = 100;
    for (double const radius : {5.0, 8.0, 12.0})
        for (int const neighbours : {2, 4, 6})
            for (double const bragg : {0.6, 1.0}) {
                DiskCase k;
                k.truth = {{46.3, 48.9}, radius};
                k.neighbours = neighbours, k.bragg = bragg, k.angle = 0.2 * ++seed;
                k.counts = 1000, k.seed = seed;
                expect_right(k);
            }
}

TEST(FindDisk, BesideTheMiddleOfOblongDetectorsWithAHaloAndHotPixels) {
    for (unsigned seed = 1; seed <= 4; ++seed) {
        DiskCase k;
        k.rows = seed % 2 ? 64 : 128, k.cols = seed % 2 ? 112 : 48;
        k.truth = {{20.0 + 3 * seed, 18.2 + seed}, 3.0 * seed};
        k.halo = 0.1, k.hot = 6, k.counts = 500, k.edge = 0.3 + 0.2 * seed, k.seed = seed;
        expect_right(k);
    }
}

struct Answers {
    unsigned right = 0, wrong = 0, refused = 0;
};

// As many as SLUICE_DISK_CASES says, from SLUICE_DISK_SEED on; those that are wrong are printed.
Answers answers_to(DiskCase (*family)(unsigned seed), unsigned cases) {
    char const* const more = std::getenv("SLUICE_DISK_CASES");
    char const* const from = std::getenv("SLUICE_DISK_SEED");
    if (more) cases = static_cast<unsigned>(std::atoi(more));
    unsigned const first = from ? static_cast<unsigned>(std::atoi(from)) : 1;
    Answers out;
    for (unsigned seed = first; seed < first + cases; ++seed) {
        DiskCase const k = family(seed);
        auto const found = find_disk(draw(k));
        bool const right = found && is_right(*found, k.truth);
        ++(!found ? out.refused : right ? out.right : out.wrong);
        if (found && !right && more) std::puts(k.text().c_str());
    }
    std::printf("%u disks: %u right, %u wrong, %u refused\n", cases, out.right, out.wrong,
                out.refused);
    return out;
}

// No member may be taken for another disk, but ambiguous ones may be refused.
TEST(FindDisk, OfARandomFamily) {
    Answers const a = answers_to(random_case, 24);
    unsigned const cases = a.right + a.wrong + a.refused;
    EXPECT_LE(a.wrong, cases / 25);
    EXPECT_LE(a.refused, cases / 20);
}

// What is left of a disk beside a wide stop was taken for the direct beam, of a tenth of its
// radius.
TEST(FindDisk, BesideAWideBeamStopItIsRightOrRefused) {
    Answers const a = answers_to(wide_stop_case, 24);
    unsigned const cases = a.right + a.wrong + a.refused;
    EXPECT_LE(a.wrong, cases / 24);
    EXPECT_GE(a.right, cases / 4);
    DiskCase k;  // 9 of 28 pixels hidden, past the centre
    k.truth = {{48, 48}, 14};
    k.stop = 1, k.stop_width = 0.65, k.counts = 5000;
    auto const found = find_disk(draw(k));
    EXPECT_TRUE(!found || is_right(*found, k.truth)) << found->radius;
}

TEST(FindDisk, AFieldOfEqualDisksHasNoDirectBeam) {
    DiskCase k;  // two of one brightness, side by side
    k.truth = {{47, 30}, 9};
    k.neighbours = 1, k.bragg = 1, k.away = 4;
    auto const found = find_disk(draw(k));
    ASSERT_FALSE(found) << found->center.row << ", " << found->center.col;
    EXPECT_NE(found.error().message.find("as likely as"), std::string::npos)
        << found.error().message;
    EXPECT_NE(found.error().message.find("--disk ROW:COL:RADIUS"), std::string::npos);
}

TEST(FindDisk, NoDiskAmongNoiseRingsRampsAndHotPixels) {
    std::mt19937 random(3);
    for (int kind = 0; kind < 5; ++kind)
        for (double const counts : {0.1, 2.0, 500.0}) {
            SCOPED_TRACE(testing::Message() << "kind " << kind << " counts " << counts);
            Array<double> pattern = Array<double>::zeros({64, 64});
            for (index r = 0; r < 64; ++r)
                for (index c = 0; c < 64; ++c) {
                    double const away =
                        std::hypot(static_cast<double>(r) - 31, static_cast<double>(c) - 33);
                    double const shape = kind == 1   ? static_cast<double>(r + c) / 63
                                         : kind == 2 ? std::exp(-(away - 20) * (away - 20) / 8)
                                                     : 1;
                    at(pattern, r, c) = std::poisson_distribution<int>(counts * shape)(random);
                }
            for (int i = 0; kind == 3 && i < 8; ++i)
                pattern.values[random() % pattern.values.size()] = 1000 * counts + 1000;
            if (kind == 4) std::ranges::fill(pattern.values, counts);
            auto const found = find_disk(pattern);
            EXPECT_FALSE(found) << found->center.row << ", " << found->center.col << " r "
                                << found->radius << " quality " << *found->quality;
        }
}

TEST(FitCircle, HoldsOutLiars) {
    std::vector<Point> points;
    for (int i = 0; i < 180; ++i) {
        double const angle = 2 * 3.141592653589793 * i / 180;
        bool const lies = i >= 40 && i < 100;
        double const r = lies ? 7 + 0.05 * i : 30.25;
        points.push_back({50.5 + r * std::sin(angle), 61.25 + r * std::cos(angle)});
    }
    Disk const found = fit_circle(points, 0.5, 100);
    EXPECT_NEAR(found.center.row, 50.5, 1e-6);
    EXPECT_NEAR(found.center.col, 61.25, 1e-6);
    EXPECT_NEAR(found.radius, 30.25, 1e-6);
}

TEST(FitCircle, NothingOutOfTooLittle) {
    std::vector<Point> const few{{0, 1}, {1, 0}, {0, -1}};
    EXPECT_EQ(fit_circle(few, 0.5, 100).radius, 0);
    std::vector<Point> line;
    for (int i = 0; i < 60; ++i) line.push_back({static_cast<double>(i), 2.0 * i});
    EXPECT_EQ(fit_circle(line, 0.5, 100).radius, 0);
    EXPECT_EQ(fit_circle({}, 0.5, 100).radius, 0);
}

}  // namespace
}  // namespace sluice::stem4d
