// What `sluice slide benchmark` tells: a ranked table, a picture, JSON.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/slide_benchmark_work.h"
#include "sluice/slide_profile.h"

namespace sluice::cli {

/// One way with one pattern, in all rounds.
struct Measured {
    Pattern pattern = Pattern::mosaic;
    Way way;
    bool rival = false, cold = false;
    std::string pixels;  ///< of a rival: "same", or how they differ
    std::vector<double> wall_s, cpu_s;
    Done done;
    index items = 1;
    double wall() const { return slide::spread_of(wall_s).median; }
    double cpu() const { return slide::spread_of(cpu_s).median; }
};

struct BenchmarkReport {
    std::string path;
    Json machine, settings, rivals;
    slide::Shape shape;
    index tiles = 0, tiles_in_region = 0;
    std::vector<Measured> results;
    std::vector<std::string> notes;
    std::vector<slide::Finding> findings;
    std::string recommendation;
};

/// Fastest first within a pattern, cached before cold.
void rank(BenchmarkReport& report);
void print(BenchmarkReport const& report);
Json to_json(BenchmarkReport const& report);
/// Bars, as SVG.
std::string plot(BenchmarkReport const& report);

}  // namespace sluice::cli
