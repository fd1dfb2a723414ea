// Virtual images straight from the files as contestants.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "domain/stem4d/benchmark/contests.h"

namespace sluice::stem4d {
namespace {

using bench::Contestant;

// The first row of the detector that a mask looks at, and the one after the last.
std::array<index, 2> rows_of(Array<float> const& mask) {
    index first = mask.shape[0], last = 0;
    for (index i = 0; i < mask.size(); ++i)
        if (mask.values[static_cast<std::size_t>(i)] != 0) {
            first = std::min(first, i / mask.shape[1]);
            last = std::max(last, i / mask.shape[1] + 1);
        }
    return {first, last};
}

}  // namespace

Result<std::vector<Contestant>> stream_contestants(Scan const& scan, DecodeFloor const& floor,
                                                   std::vector<Detector> const& detectors,
                                                   Options const& options) {
    std::vector<Contestant> all;
    for (Detector const& d : detectors) {
        SLUICE_TRY(Array<float> const mask, rasterize(scan, d, *options.disk));
        std::array<index, 2> const rows = rows_of(mask);
        Contestant image, lz4;
        image.contest = lz4.contest = d.name;
        image.threads = lz4.threads = options.device.threads();
        image.items = lz4.items = static_cast<double>(scan.dataset().frames);
        image.name = "streamed";
        image.run = bench::timed([&scan, &options, d]() -> Status {
            SLUICE_TRY([[maybe_unused]] auto const r, virtual_image(scan, {&d, 1}, options));
            return {};
        });
        lz4.name = "LZ4 of the touched blocks";
        lz4.run = bench::timed(
            [=, &floor, threads = lz4.threads] { return floor.decode(rows[0], rows[1], threads); });
        all.push_back(std::move(image));
        all.push_back(std::move(lz4));
    }
    for (Contestant& who : whole_detector_contestants(scan, options)) all.push_back(std::move(who));
    return all;
}

}  // namespace sluice::stem4d
