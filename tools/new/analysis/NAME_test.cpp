// Tests of @Name@: a simulated scan, in memory and streamed, beside the virtual image of it.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/@name@/@name@.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sluice/dataset.h"

namespace sluice::stem4d {
namespace {

constexpr double threshold = 300;

Scan simulated(LoadOptions const& options = {}) {
    auto dataset = open("synthetic:stem4d?scan=12x10&detector=24x20&dose=300");
    EXPECT_TRUE(dataset) << dataset.error().text();
    return Scan::load(std::move(*dataset), options).value();
}

// What it must be: the pixels of the virtual image that are larger.
index counted(Scan const& scan, Detector const& detector) {
    auto const images = virtual_image(scan, std::array{detector}).value();
    return std::ranges::count_if(images.values.values, [](double v) { return v > threshold; });
}

TEST(@Name@, CountsWhatTheVirtualImageShows) {
    Scan const scan = simulated();
    Detector const all = parse_detector("square:side=100").value();
    index const expected = counted(scan, all);
    EXPECT_GT(expected, 0);
    EXPECT_LT(expected, 120);
    for (int threads : {1, 3})
        EXPECT_EQ(@name@(scan, all, threshold, {.device = Device::cpu(threads)}).value(), expected);
}

TEST(@Name@, RefusesADetectorWithoutPixels) {
    Detector const away = parse_detector("disk:r=2,center=-900:-900").value();
    auto const answer = @name@(simulated(), away, threshold);
    EXPECT_FALSE(answer);
}

}  // namespace
}  // namespace sluice::stem4d
