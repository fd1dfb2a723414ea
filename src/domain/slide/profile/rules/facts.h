// The numbers of a profile that its rules look at.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/trust.h"
#include "sluice/slide_profile.h"

namespace sluice::slide {

/// Reads with some number of threads.
using ReadFacts = bench::Trial;

/// Reads with the system's cache emptied of the file before each.
struct ColdFacts {
    ReadFacts read;
    double waited = 0;  ///< share of threads * wall_s that waited for the disk
};

/// The numbers the rules look at; shares are of the computing of one thread.
struct Facts {
    int processors = 1;
    std::string codec;  ///< of most of the decoding
    double decode = 0, copy = 0, compose = 0, outside = 0;
    std::vector<ReadFacts> reads;  ///< from the cache, ascending in threads
    std::optional<ColdFacts> cold;
    bool mapped = false;
    bool cold_asked = false;
    double cached = 0;  ///< share of the file that stayed in the cache
    double bytes_read = 0;
    double open_s = 0;
    index entries = 0, tiles = 0, tiles_in_region = 0, hidden = 0, levels = 1;
    int level = 0;
    double longest_tile_s = 0;  ///< with the most threads
    double amplification = 1;
    double seek_directory = 0, seek_file = 0;  ///< bytes jumped over in all
};

Facts facts_of(Profile const& profile, bool mapped, bool cold_asked);

/// The fastest of the reads from the cache; null where no time was taken.
ReadFacts const* fastest(Facts const& f);

/// The smallest number of threads that reads within a tenth of the fastest; 0 without reads.
int best_threads(std::vector<ReadFacts> const& reads);

}  // namespace sluice::slide
