// What the first touch of memory costs, in small and in large pages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/doctor.h"

namespace sluice::doctor {

struct PageRates {
    MeasuredRate small;        ///< pages of 4 kB a second
    MeasuredRate large_bytes;  ///< bytes a second where large pages were asked for
    double large_given = 1;    ///< share of the bytes that got them
};

/// Touches so many bytes, a multiple of 2 MiB, once a round.
PageRates measure_pages(std::size_t bytes, int rounds);

}  // namespace sluice::doctor
