// A launch that counts parts, and one for each time that 64 of them are joined.
// SPDX-License-Identifier: Apache-2.0
#include "nn/remote/tally.h"

#include "launch/map.h"
#include "nn/remote/kernels.h"

namespace sluice::nn {
namespace {

index parts_of(index count, index each) {
    return (count + each - 1) / each;
}

}  // namespace

index tally_scratch_doubles(index pixels, index channels) {
    index const parts = parts_of(pixels, tally_pixels);
    return 2 * channels * (parts + parts_of(parts, joined_parts));
}

Status tally(Queue& queue, float const* x, index pixels, index channels, double* scratch,
             double* tally) {
    index parts = parts_of(pixels, tally_pixels), each = tally_pixels;
    // Joined parts go to and fro between two pieces of scratch.
    double* here = scratch;
    double* there = scratch + 2 * channels * parts;
    SLUICE_CHECK(launch::map(queue, parts * channels,
                             TallyPart{x, pixels, channels, parts == 1 ? tally : here}));
    while (parts > 1) {
        index const groups = parts_of(parts, joined_parts);
        double* const to = groups == 1 ? tally : there;
        SLUICE_CHECK(launch::map(queue, groups * channels,
                                 JoinTallies{here, parts, each, pixels, channels, to}));
        std::swap(here, there);
        parts = groups;
        each *= joined_parts;
    }
    return {};
}

}  // namespace sluice::nn
