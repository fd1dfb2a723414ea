// What a reconstruction may begin with: objects that are given, drawn or found by the single side
// band, and probes of several modes.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/start/first_object.h"

#include <gtest/gtest.h>

#include <cmath>

#include "domain/ptychography/test_simulate.h"
#include "sluice/optics.h"

namespace sluice::ptycho {
namespace {

using stem4d::ObjectStart;
using stem4d::PtychographyOptions;
using S = stem4d::PtychographyStage::Solver;

std::complex<double> weak(double y, double x) {
    return std::polar(1.0,
                      0.1 * std::sin(0.41 * x + 0.13 * y) + 0.08 * std::cos(0.7 * y - 0.3 * x));
}

// An aperture and its defocus: a probe with a direct beam that has an edge.
std::vector<std::complex<float>> of_aperture(index side, double defocus) {
    double const wavelength = 0.002, pixel = 0.02;
    double const widest = 1e3 * wavelength / (2 * pixel);
    return optics::probe_of({.semiangle_mrad = 0.45 * widest, .defocus_nm = defocus}, side, pixel,
                            wavelength)
        .value();
}

// The same scan under another probe: pattern_of(), by its plain sums, with the wish's factor.
Truth weak_truth(double defocus, double counts, bool noise) {
    index const side = 32;
    auto const probe = of_aperture(side, defocus);
    Truth const usual = simulate(side, 4, 3, 1, false);
    Wish wish{.object = weak};
    wish.probe = [probe, own = usual.probe](index, double row, double col) {
        auto const at = static_cast<std::size_t>((row + 16) * 32 + col + 16);
        return std::complex<double>(probe[at]) / own[at];
    };
    Truth truth = simulate(
        {.side = side, .places = 12, .step = 2.2, .counts = counts, .noise = noise, .wish = wish});
    truth.probe.assign(probe.begin(), probe.end());
    return truth;
}

PtychographyOptions looking(ObjectStart start) {
    PtychographyOptions options;
    options.stages = {{.solver = S::lsqml, .iterations = 1}};
    options.stages[0].fix_probe = true;
    options.object_start = start;
    options.margin = 4;
    return options;
}

// R of the first iteration is that of what it begins with.
TEST(FirstObject, OfTheSingleSideBandIsNearerThanNothing) {
    for (auto const& [defocus, part] : {std::pair(0.0, 0.95), std::pair(8.0, 0.5)}) {
        Truth const truth = weak_truth(defocus, 1e6, false);
        auto options = looking(ObjectStart::ones);
        options.probe = truth.probe_as_given();
        for (auto& z : options.probe) z *= 1e3F;
        double const flat = stem4d::ptychography(truth.patterns, options)->rounds.front().r;
        options.object_start = ObjectStart::ssb;
        auto const begun = stem4d::ptychography(truth.patterns, options).value();
        EXPECT_LT(begun.rounds.front().r, part * flat) << defocus;
        // Each slice has its part of the phase.
        options.slices = 2;
        options.slice_nm = 1e-6;
        auto patterns = truth.patterns;
        patterns.wavelength_nm = 0.002;
        patterns.pixel_nm = 0.02;
        auto const halves = stem4d::ptychography(patterns, options).value();
        EXPECT_NEAR(halves.rounds.front().r, begun.rounds.front().r, 0.02 * flat);
    }
}

TEST(FirstObject, OfTheSingleSideBandIsTheWeakPhaseItself) {
    Truth const truth = weak_truth(8, 1e6, false);
    Measured measured{.patterns = truth.patterns};
    auto const canvas = make_canvas(truth.patterns.positions, truth.side, 4).value();
    Planar<double> probe(truth.side, truth.side);
    for (index r = 0; r < truth.side; ++r)
        for (index c = 0; c < truth.side; ++c)
            probe.set(r, c, 1e3 * truth.probe[static_cast<std::size_t>(r * truth.side + c)]);
    Share const alone(truth.patterns.count());
    auto const phases = single_side_band(measured, alone, canvas, probe, 2).value();
    // Of all that is known of the scan's middle: the correlation, and the slope of one by the
    // other.
    double found2 = 0, known2 = 0, both = 0;
    for (index r = truth.side / 2 + 6; r < truth.rows - truth.side / 2 - 8; ++r)
        for (index c = truth.side / 2 + 6; c < truth.cols - truth.side / 2 - 8; ++c) {
            auto const row = r + static_cast<index>(canvas.shift.row);
            auto const col = c + static_cast<index>(canvas.shift.col);
            double const found = phases[static_cast<std::size_t>(row * canvas.cols + col)];
            double const known = std::arg(weak(static_cast<double>(r), static_cast<double>(c)));
            found2 += found * found;
            known2 += known * known;
            both += found * known;
        }
    EXPECT_GT(both / std::sqrt(found2 * known2), 0.9);
    EXPECT_NEAR(both / known2, 1, 0.15);
}

TEST(SingleSideBand, ByItselfIsThatOfAReconstructionsBeginning) {
    Truth const truth = weak_truth(8, 1e6, false);
    Measured measured{.patterns = truth.patterns};
    auto const canvas = make_canvas(truth.patterns.positions, truth.side, 4).value();
    Planar<double> probe(truth.side, truth.side);
    for (index r = 0; r < truth.side; ++r)
        for (index c = 0; c < truth.side; ++c)
            probe.set(r, c, 1e3 * truth.probe[static_cast<std::size_t>(r * truth.side + c)]);
    Share const alone(truth.patterns.count());
    auto const known = single_side_band(measured, alone, canvas, probe, 2).value();
    auto const given = truth.probe_as_given();  // of another power
    auto const found = stem4d::single_side_band(truth.patterns, given, 4).value();
    ASSERT_EQ(found.shape, (std::vector<index>{canvas.rows, canvas.cols}));
    double apart = 0, size = 0;
    for (std::size_t i = 0; i < known.size(); ++i) {
        apart += std::pow(found.values[i] - known[i], 2);
        size += std::pow(known[i], 2);
    }
    EXPECT_LT(apart, 1e-4 * size);
    EXPECT_FALSE(stem4d::single_side_band(truth.patterns, std::vector<std::complex<float>>(1), 4));
    auto near = truth.patterns;
    near.propagation = stem4d::Propagation::near;
    EXPECT_FALSE(stem4d::single_side_band(near, given, 4));
}

TEST(FirstObject, OfTheSingleSideBandDoesNotDependOnThreadsOrRanks) {
    Truth const truth = weak_truth(8, 1e4, true);
    auto options = looking(ObjectStart::ssb);
    options.device = Device::cpu(1);
    auto const one = stem4d::ptychography(truth.patterns, options).value();
    options.device = Device::cpu(3);
    auto const three = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_EQ(one.object.values, three.object.values);
    options.device = Device::reference();
    EXPECT_NEAR(stem4d::ptychography(truth.patterns, options)->rounds.front().r,
                one.rounds.front().r, 1e-4);
}

TEST(FirstObject, IsDrawnBySeed) {
    Truth const truth = simulate(32, 4, 5, 1e4, true);
    auto options = looking(ObjectStart::random);
    options.stages[0].fix_probe = false;
    options.stages[0].fix_object = true;
    options.stages[0].probe_from = 1;
    auto const one = stem4d::ptychography(truth.patterns, options).value();
    auto const again = stem4d::ptychography(truth.patterns, options).value();
    options.seed = 1;
    auto const other = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_EQ(one.object.values, again.object.values);
    EXPECT_NE(one.object.values, other.object.values);
    double sum = 0, squares = 0, most = 0;
    for (auto const& z : one.object.values) {
        double const phase = static_cast<double>(std::arg(z));
        sum += phase;
        squares += phase * phase;
        most = std::max(most, std::abs(phase));
    }
    auto const n = static_cast<double>(one.object.values.size());
    EXPECT_NEAR(sum / n, 0, 0.005);
    EXPECT_NEAR(std::sqrt(squares / n), 0.1 / std::sqrt(3.0), 0.005);
    EXPECT_LE(most, 0.1 + 1e-6);
}

TEST(FirstObject, AResultIsGoneOnFrom) {
    Truth const truth = simulate(32, 6, 5, 1e6, false);
    PtychographyOptions options;
    options.stages = {{.solver = S::lsqml, .iterations = 20}};
    options.modes = 2;
    auto const first = stem4d::ptychography(truth.patterns, options).value();
    options.object = first.object.values;
    options.probe = first.probe.values;
    options.stages[0].iterations = 1;
    auto const next = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_LT(next.rounds.front().r, 1.02 * first.rounds.back().r);
}

TEST(FirstObject, SaysWhatDoesNotFit) {
    Truth const truth = simulate(32, 4, 5, 1e4, true);
    auto const refused = [&](PtychographyOptions const& options, std::string const& word) {
        auto const found = stem4d::ptychography(truth.patterns, options);
        ASSERT_FALSE(found) << word;
        EXPECT_NE(found.error().message.find(word), std::string::npos) << found.error().message;
    };
    auto options = looking(ObjectStart::ones);
    options.object.assign(100, 1);
    refused(options, "the object has 100 pixels");
    auto const size = stem4d::ptychography(truth.patterns, looking(ObjectStart::ones))->object;
    options.object.assign(size.values.size(), 1);
    options.object[77] = {NAN, 0};
    refused(options, "is NaN or infinite");
    auto binned = looking(ObjectStart::ssb);
    binned.detector_bin = 2;
    refused(binned, "single side band");
    auto probe = looking(ObjectStart::ones);
    probe.modes = 3;
    probe.probe.assign(4 * 32 * 32, 1);
    refused(probe, "3 at most");
    probe.probe.assign(2 * 32 * 32 + 1, 1);
    refused(probe, "3 at most");
}

}  // namespace
}  // namespace sluice::ptycho
