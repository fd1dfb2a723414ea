// Scans in memory and detectors by their texts, for the tests of analyses.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include "sluice/stem4d.h"
#include "support/memory_dataset.h"

namespace sluice::stem4d {

using testing_support::Counts;
using testing_support::make_dataset;
using testing_support::random_counts;

inline Scan loaded(Dataset dataset, LoadOptions const& options = {}) {
    auto scan = Scan::load(std::move(dataset), options);
    EXPECT_TRUE(scan) << scan.error().text();
    return std::move(*scan);
}

inline Scan loaded(Counts const& c, LoadOptions const& options = {}) {
    return loaded(make_dataset(c, DType::u16, Encoding::values), options);
}

inline std::vector<Detector> detectors(std::vector<std::string> const& texts) {
    std::vector<Detector> out;
    for (auto const& text : texts) out.push_back(parse_detector(text).value());
    return out;
}

inline VirtualImages images_of(Scan const& scan, std::vector<Detector> const& d,
                               Options const& options = {}) {
    auto images = virtual_image(scan, d, options);
    EXPECT_TRUE(images) << images.error().text();
    return images ? *images : VirtualImages{};
}

inline std::vector<double> image(VirtualImages const& images, index d) {
    index const size = images.values.shape[1] * images.values.shape[2];
    auto const begin = images.values.values.begin() + d * size;
    return {begin, begin + size};
}

}  // namespace sluice::stem4d
