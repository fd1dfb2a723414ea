// Tests of the search's kernels: every instruction set agrees with the twin, and the twin with the
// overlap of Gaussians spot by spot.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "domain/crystal/probe/aligned_floats.h"
#include "domain/orientation/match/match_kernels.h"

namespace sluice::orient {
namespace {

using crystal::AlignedFloats;

struct Places {
    std::vector<float> x, y, weight;

    Places(unsigned seed, int count, double most_radius) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> part(0, 1);
        for (int i = 0; i < count; ++i) {
            double const r = most_radius * std::sqrt(0.05 + 0.95 * part(random)),
                         a = 2 * std::numbers::pi * part(random);
            x.push_back(static_cast<float>(r * std::cos(a)));
            y.push_back(static_cast<float>(r * std::sin(a)));
            weight.push_back(static_cast<float>(0.2 + part(random)));
        }
    }
    Spots spots() const {
        return {x.data(), y.data(), weight.data(), static_cast<index>(x.size())};
    }
    // Turned from x to y, after a change of y's sign.
    Places turned(double angle, bool mirror) const {
        Places out = *this;
        for (std::size_t i = 0; i < x.size(); ++i) {
            double const u = x[i], v = mirror ? -y[i] : y[i];
            out.x[i] = static_cast<float>(u * std::cos(angle) - v * std::sin(angle));
            out.y[i] = static_cast<float>(u * std::sin(angle) + v * std::cos(angle));
        }
        return out;
    }
};

// The overlap of the Gaussians of two patterns.
double overlap(Places const& a, Places const& b, double width) {
    double sum = 0;
    for (std::size_t i = 0; i < a.x.size(); ++i)
        for (std::size_t j = 0; j < b.x.size(); ++j) {
            double const d = std::hypot(a.x[i] - b.x[j], a.y[i] - b.y[j]) / width;
            sum += static_cast<double>(a.weight[i] * b.weight[j]) * std::exp(-d * d / 2);
        }
    return sum;
}

std::vector<float> spectrum_of(MatchKernels const& k, Polar const& polar, Places const& places) {
    std::vector<float> room(static_cast<std::size_t>(polar.rings() * 2 * most_frequencies)),
        out(static_cast<std::size_t>(polar.spectrum_floats()), -9.0F);
    EXPECT_GT(k.spectrum(polar.view(), places.spots(), room.data(), out.data()), 0);
    return out;
}

struct Searched {
    ZoneBest best[zones_of_tile];
};

// Zones as patterns: patterns[p] against zones[z].
Searched searched(MatchKernels const& k, Polar const& polar, std::vector<Places> const& zones,
                  std::vector<Places> const& patterns) {
    std::vector<std::vector<float>> spectra;
    for (auto const& p : patterns) spectra.push_back(spectrum_of(k, polar, p));
    std::vector<float const*> at;
    for (auto const& s : spectra) at.push_back(s.data());
    AlignedFloats lanes(polar.spectrum_floats() * lanes_of_patterns),
        tile(2 * polar.terms() * zones_of_tile), room(search_room_floats);
    k.interleave(at.data(), polar.spectrum_floats(), lanes.data());
    for (index z = 0; z < zones_of_tile; ++z) {
        auto const of_zone = spectrum_of(k, polar, zones[static_cast<std::size_t>(z)]);
        for (index t = 0; t < polar.terms(); ++t)
            for (index i = 0; i < 2; ++i)
                tile.data()[2 * (t * zones_of_tile + z) + i] =
                    of_zone[static_cast<std::size_t>(2 * t + i)];
    }
    Searched found;
    k.search({polar.view(), tile.data(), lanes.data(), room.data(), found.best});
    return found;
}

std::vector<Places> many(unsigned seed, int count) {
    std::vector<Places> all;
    for (int i = 0; i < count; ++i)
        all.emplace_back(seed + static_cast<unsigned>(i), 5 + 3 * i, 1.45);
    return all;
}

TEST(MatchKernels, EveryInstructionSetAgreesWithTheTwin) {
    for (auto const& [width, radius] : {std::array{0.08, 1.6}, {0.05, 2.3}, {0.3, 0.4}}) {
        Polar const polar(width, radius);
        auto const zones = many(7, zones_of_tile), patterns = many(90, lanes_of_patterns);
        auto const should = searched(match_twin(), polar, zones, patterns);
        for (Isa const isa : compiled_isas()) {
            if (!runs_here(isa)) continue;
            SCOPED_TRACE(name_of(isa));
            auto const plain = spectrum_of(match_twin(), polar, patterns[5]);
            auto const fast = spectrum_of(match_kernels(isa), polar, patterns[5]);
            // The twin's Gaussians have no end.
            for (std::size_t i = 0; i < plain.size(); ++i) ASSERT_NEAR(fast[i], plain[i], 2e-3);
            auto const is = searched(match_kernels(isa), polar, zones, patterns);
            for (index z = 0; z < zones_of_tile; ++z)
                for (index s = 0; s < sectors; ++s)
                    for (index m = 0; m < 2; ++m)
                        for (index p = 0; p < lanes_of_patterns; ++p)
                            ASSERT_NEAR(is.best[z].value[s][m][p], should.best[z].value[s][m][p],
                                        4e-3);
        }
    }
}

// Of the same spectra the searches agree to rounding.
TEST(MatchKernels, SearchesAgreeToRounding) {
    Polar const polar(0.08, 1.6);
    AlignedFloats lanes(polar.spectrum_floats() * lanes_of_patterns),
        tile(2 * polar.terms() * zones_of_tile), room(search_room_floats);
    std::mt19937 random(3);
    std::normal_distribution<float> draw(0, 0.03F);
    for (index i = 0; i < polar.spectrum_floats() * lanes_of_patterns; ++i)
        lanes.data()[i] = i < lanes_of_patterns * 2 * polar.terms() ? draw(random) : 0;
    for (index i = 0; i < 2 * polar.terms() * zones_of_tile; ++i) tile.data()[i] = draw(random);
    // Frequency 0 is real.
    for (index t = 0; t < polar.rings(); ++t) {
        for (index z = 0; z < zones_of_tile; ++z) tile.data()[2 * (t * zones_of_tile + z) + 1] = 0;
        for (index p = 0; p < lanes_of_patterns; ++p)
            lanes.data()[(2 * t + 1) * lanes_of_patterns + p] = 0;
    }
    Searched should;
    match_twin().search({polar.view(), tile.data(), lanes.data(), nullptr, should.best});
    for (Isa const isa : compiled_isas()) {
        if (!runs_here(isa)) continue;
        SCOPED_TRACE(name_of(isa));
        Searched is;
        for (int twice = 0; twice < 2; ++twice)
            match_kernels(isa).search(
                {polar.view(), tile.data(), lanes.data(), room.data(), is.best});
        for (index z = 0; z < zones_of_tile; ++z)
            for (index s = 0; s < sectors; ++s)
                for (index m = 0; m < 2; ++m)
                    for (index p = 0; p < lanes_of_patterns; ++p) {
                        auto const& a = is.best[z];
                        auto const& b = should.best[z];
                        ASSERT_NEAR(a.value[s][m][p], b.value[s][m][p], 1e-5);
                        ASSERT_EQ(a.azimuth[s][m][p], b.azimuth[s][m][p]);
                    }
    }
}

// What the search says is the overlap of Gaussians, summed pair by pair.
TEST(MatchKernels, CorrelationsAreOverlaps) {
    double const width = 0.08;
    Polar const polar(width, 1.6);
    auto const zones = many(7, zones_of_tile), patterns = many(90, lanes_of_patterns);
    auto const found = searched(match_twin(), polar, zones, patterns);
    for (index z = 0; z < zones_of_tile; ++z)
        for (index p = 0; p < lanes_of_patterns; ++p)
            for (index s = 0; s < sectors; ++s)
                for (index m = 0; m < 2; ++m) {
                    Places const& zone = zones[static_cast<std::size_t>(z)];
                    Places const& pattern = patterns[static_cast<std::size_t>(p)];
                    double const angle =
                        2 * std::numbers::pi * found.best[z].azimuth[s][m][p] / azimuths;
                    double const should =
                        overlap(zone.turned(angle, m == 1), pattern, width) /
                        std::sqrt(overlap(zone, zone, width) * overlap(pattern, pattern, width));
                    // Arcs for chords, rings for the plane, the band's end.
                    EXPECT_NEAR(found.best[z].value[s][m][p], should, 0.025);
                }
}

TEST(MatchKernels, ATurnedPatternIsFoundAtItsTurn) {
    Polar const polar(0.08, 1.6);
    auto const zones = many(30, zones_of_tile);
    for (Isa const isa : compiled_isas()) {
        if (!runs_here(isa)) continue;
        std::vector<Places> patterns;
        for (index p = 0; p < lanes_of_patterns; ++p)
            patterns.push_back(zones[static_cast<std::size_t>(p % 4)].turned(
                2 * std::numbers::pi * static_cast<double>(8 * p + 3) / azimuths, p / 4 % 2 == 1));
        auto const found = searched(match_kernels(isa), polar, zones, patterns);
        for (index p = 0; p < lanes_of_patterns; ++p) {
            ZoneBest const& best = found.best[p % 4];
            index const sector = (8 * p + 3) / (azimuths / sectors), mirror = p / 4 % 2;
            EXPECT_NEAR(best.value[sector][mirror][p], 1, 1e-5);
            EXPECT_EQ(best.azimuth[sector][mirror][p], 8 * p + 3);
        }
    }
}

TEST(MatchKernels, APatternWithoutSpotsHasNoSpectrum) {
    Polar const polar(0.08, 1.6);
    std::vector<float> room(static_cast<std::size_t>(polar.rings() * 2 * most_frequencies)),
        out(static_cast<std::size_t>(polar.spectrum_floats()), -9.0F);
    float const far[] = {40.0F}, zero[] = {0.0F}, one[] = {1.0F};
    for (Isa const isa : compiled_isas()) {
        if (!runs_here(isa)) continue;
        EXPECT_EQ(
            match_kernels(isa).spectrum(polar.view(), {far, zero, one, 1}, room.data(), out.data()),
            0);
        EXPECT_EQ(match_kernels(isa).spectrum(polar.view(), {zero, zero, one, 1}, room.data(),
                                              out.data()),
                  0);
        for (float const v : out) EXPECT_EQ(v, 0);
    }
}

}  // namespace
}  // namespace sluice::orient
