// plan_disks(): decides from a sample of patterns how the disks of all are found.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "domain/crystal/detect/background.h"
#include "domain/crystal/detect/choose_mode.h"
#include "domain/crystal/detect/decide.h"
#include "domain/crystal/detect/gain.h"
#include "domain/crystal/detect/neighbours.h"
#include "domain/crystal/detect/scan_setup.h"
#include "store/plan.h"

namespace sluice::stem4d {
namespace {

using namespace crystal;

// A pixel in the tail of a neighbour moves a disk by 0.003 px, a pixel further in by 0.02 px.
void keep_off_neighbours(DiskSetup& setup, double apart) {
    ProbeTemplate const& probe = setup.probe;
    double const width = edge_width_of(probe);
    double const free = apart - probe.radius - 2 * width, least = probe.radius + width;
    if (free >= setup.options.fit_radius) return;
    setup.options.fit_radius = std::max(free, least);
    setup.why.push_back(
        fmt::format("Disks are {:.1f} px apart, so that a fit looks at no more "
                    "than {:.1f} px around a centre.",
                    apart, setup.options.fit_radius));
    if (free < least)
        setup.why.push_back(
            fmt::format("Disks of radius {:.1f} px reach into each other at that distance: their "
                        "positions are drawn to each other.",
                        probe.radius));
}

void measure_background(DiskSetup& setup, Sample const& sample, std::span<FoundPattern const> found,
                        std::span<std::uint8_t const> bad, FinderSetup const& own) {
    constexpr double clear = 2.5, least_seen = 0.3;
    double const radius = own.probe.radius / static_cast<double>(own.detector_bin);
    double const scale = 1 / own.options.gain;
    BetweenDisks between(sample.shape, scale, std::pow(own.options.read_noise * scale, 2));
    for (index i = 0; i < std::ssize(found); ++i) {
        auto const& pattern = found[static_cast<std::size_t>(i)];
        between.add(sample.pattern(i), pattern.disks, radius + clear, bad, own.saturation);
    }
    double const sigma = between.sigma_for(std::max(3.0, radius));
    if (between.seen() >= least_seen) setup.background = between.smooth(sigma);
    setup.why.push_back(
        setup.background.size() > 0
            ? fmt::format("The background's shape is that of {} patterns between their disks, "
                          "smoothed over {:.0f} pixels.",
                          found.size(), sigma)
            : std::string("The background is a plane about each disk, since too little is seen "
                          "between the disks of the sample."));
}

// Errors are those of counts. Between 0.75 and 1.35 a sample does not tell values from counts.
void decide_gain(DiskSetup& setup, Sample const& sample, std::span<std::uint8_t const> bad) {
    DiskOptions& o = setup.options;
    if (o.gain > 0) return;
    auto const found = measure_gain(sample, bad);
    o.gain = 1;
    if (!found) return;
    if (found->read_noise < 0.3 && found->gain > 0.75 && found->gain < 1.35) return;
    o.gain = found->gain;
    if (o.read_noise == 0) o.read_noise = found->read_noise;
    setup.why.push_back(
        fmt::format("Values are not counts: in a sample their variance is {:.3g} times their "
                    "mean{}; errors and scores are those of so many fewer counts (--gain 1 takes "
                    "values as counts).",
                    found->gain,
                    found->read_noise > 0 ? fmt::format(" and {:.3g}^2 more", found->read_noise)
                                          : std::string()));
}

void say_of_saturation(DiskSetup& setup, Sample const& sample, double saturation) {
    index saturated = 0, negative = 0;
    for (index i = 0; i < std::ssize(sample.frames); ++i) {
        std::span const values(sample.pattern(i), static_cast<std::size_t>(sample.pixels()));
        saturated += std::ranges::any_of(
            values, [&](float v) { return static_cast<double>(v) > saturation; });
        negative += std::ranges::any_of(values, [](float v) { return v < 0; });
    }
    if (saturated > 0)
        setup.why.push_back(fmt::format(
            "{} of {} sampled patterns have saturated pixels, above {:.0f}: disks with such are "
            "left out, and a template that was fitted to them is too wide.",
            saturated, sample.frames.size(), saturation));
    if (negative > 0)
        setup.why.push_back(fmt::format(
            "{} of {} sampled patterns have values below 0, which no counter gives: {}.", negative,
            sample.frames.size(),
            setup.options.read_noise > 0
                ? "the noise of electronics is taken into account, an offset is not"
                : "a dark image that was taken away, or an offset, makes errors wrong"));
}

// The sample's own median tells whether errors mean anything.
void say_of_counts(DiskSetup& setup, Scan const& scan, std::span<FoundPattern const> found) {
    std::vector<std::size_t> numbers;
    for (FoundPattern const& p : found) numbers.push_back(p.disks.size());
    std::ranges::sort(numbers);
    setup.why.push_back(fmt::format("A sample of {} patterns has a median of {} disks.",
                                    found.size(), numbers[numbers.size() / 2]));
    if (setup.options.gain == 1 && scan.plan().mode == BinMode::mean &&
        (scan.plan().det_bin > 1 || scan.plan().scan_bin > 1))
        setup.why.push_back(
            "Pixels are means of bins and not counts, so that errors are too "
            "large and scores too small.");
}

}  // namespace

Result<DiskSetup> plan_disks(Scan const& scan, ProbeTemplate const& probe,
                             DiskOptions const& options, Options const& run) {
    double const bin = pixel_grid(scan).bin;
    DiskSetup setup{.probe = probe, .options = {}, .background = options.background};
    SLUICE_TRY(setup.options, decided(options, probe, bin, &setup.why));
    setup.options.background = {};
    setup.options.gain = options.gain;
    auto const bad = weightless(scan);
    SLUICE_TRY(Sample const sample, read_sample(scan, run));
    decide_gain(setup, sample, bad);
    DiskOptions asked = options;
    asked.gain = setup.options.gain, asked.read_noise = setup.options.read_noise;
    SLUICE_TRY(FinderSetup own, setup_for(scan, setup, bad));
    say_of_saturation(setup, sample, own.saturation);
    SLUICE_TRY(auto found, find_in(sample, own, run.device.host()));
    say_of_counts(setup, scan, found);
    BraggVectors const even = columns_of(scan, found);
    auto const shown = find_basis(even);
    auto const basis = shown ? std::optional(*shown) : std::nullopt;
    auto const pitch = pitch_of(found, basis, bin);
    if (options.mode == DiskMode::automatic) {
        SLUICE_TRY(bool const other,
                   choose_mode(scan, sample, even, basis, pitch, asked, setup, run));
        if (other) {
            SLUICE_TRY(own, setup_for(scan, setup, bad));
            SLUICE_TRY(found, find_in(sample, own, run.device.host()));
        }
    }
    bool const alone =
        setup.options.mode == DiskMode::isolated || setup.options.mode == DiskMode::fringes;
    if (options.fit_radius == 0 && alone && pitch) keep_off_neighbours(setup, *pitch);
    if (options.background.size() > 0)
        setup.why.push_back("The background's shape is the one that was given.");
    else
        measure_background(setup, sample, found, bad, own);
    return setup;
}

}  // namespace sluice::stem4d
