// The reads that `sluice slide benchmark` times, each in a process of its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "app/cli/shell/outputs.h"
#include "config/words.h"
#include "sluice/slide.h"

namespace sluice::cli {

/// What is read.
enum class Pattern : std::uint8_t {
    mosaic,      ///< the whole region in one piece
    rectangles,  ///< every tile by its own rectangle
    tiles,       ///< every tile as it is stored
    regions,     ///< random squares of 512 pixels
    small,       ///< random squares of 16 pixels
};
constexpr auto words(Pattern /*of_this_type*/) {
    return std::to_array<config::Word<Pattern>>({{"mosaic", Pattern::mosaic},
                                                 {"rectangles", Pattern::rectangles},
                                                 {"tiles", Pattern::tiles},
                                                 {"regions", Pattern::regions},
                                                 {"small", Pattern::small}});
}

/// How it is read.
struct Way {
    std::string name, options;  ///< what to give to get it
    int effort = 0;
    int threads = 1, processes = 0;
    index batch = 1;  ///< tiles of one call
    bool map = false, cache = false;
};

/// What there is to read: the same for all ways.
struct Workload {
    std::string path;
    slide::SlideOpenOptions open = {};
    slide::Selection region;
    std::vector<std::int32_t> tiles;
    std::vector<slide::Rect> rectangles, squares, small;
    std::size_t cache_bytes = std::size_t{1} << 30;

    /// Reads of a round.
    index items(Pattern pattern) const;
};

/// What one way did with one pattern.
struct Done {
    slide::Stats stats;
    std::vector<std::uint64_t> sums;  ///< of each item's pixels, where asked for
    std::uint64_t pixels = 0, samples = 0;
    double peak_bytes = 0;  ///< of all processes
};

/// An open slide that does the work again and again.
class Worker {
  public:
    static Result<Worker> open(Workload const& load, Way const& way);
    Result<Done> run(Pattern pattern, bool with_sums, Trace* trace = nullptr) const;
    /// One item of a pattern.
    Result<slide::Image> item(Pattern pattern, index i) const;
    /// Gives up the pages of a mapped file.
    void forget() const { slide_.source()->drop_cache(); }
    slide::Slide const& slide() const { return slide_; }

  private:
    Worker(Workload const& load, Way way, slide::Slide slide)
        : load_(&load), way_(std::move(way)), slide_(std::move(slide)) {}
    Workload const* load_;
    Way way_;
    slide::Slide slide_;

    Result<Done> mosaic(bool with_sums, Trace* trace) const;
    Result<Done> many(std::vector<slide::Rect> const& rects, index first, index step,
                      bool with_sums) const;
    Result<Done> tiles(index first, index step, bool with_sums) const;
    Result<Done> by_processes(Pattern pattern, bool with_sums) const;
    std::vector<slide::Rect> const& rects_of(Pattern pattern) const;
};

/// The most memory that this process ever had, in bytes.
double peak_memory();

}  // namespace sluice::cli
