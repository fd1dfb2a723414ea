// plan_disks(): decides from a sample of patterns how the disks of all are found.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "domain/crystal/detect/background.h"
#include "domain/crystal/detect/choose_mode.h"
#include "domain/crystal/detect/decide.h"
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
    BetweenDisks between(sample.shape);
    for (index i = 0; i < std::ssize(found); ++i) {
        auto const& pattern = found[static_cast<std::size_t>(i)];
        between.add(sample.pattern(i), pattern.disks, radius + clear, bad);
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

// The sample's own median tells whether errors mean anything.
void say_of_counts(DiskSetup& setup, Scan const& scan, std::span<FoundPattern const> found) {
    std::vector<std::size_t> numbers;
    for (FoundPattern const& p : found) numbers.push_back(p.disks.size());
    std::ranges::sort(numbers);
    setup.why.push_back(fmt::format("A sample of {} patterns has a median of {} disks.",
                                    found.size(), numbers[numbers.size() / 2]));
    if (scan.plan().mode == BinMode::mean && (scan.plan().det_bin > 1 || scan.plan().scan_bin > 1))
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
    auto const bad = weightless(scan);
    SLUICE_TRY(FinderSetup own, setup_for(scan, setup, bad));
    SLUICE_TRY(Sample const sample, read_sample(scan, run));
    SLUICE_TRY(auto found, find_in(sample, own, run.device.host()));
    say_of_counts(setup, scan, found);
    BraggVectors const even = columns_of(scan, found);
    auto const pitch = pitch_of(found, even, bin);
    if (options.mode == DiskMode::automatic) {
        SLUICE_TRY(bool const other, choose_mode(scan, sample, even, pitch, options, setup, run));
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
