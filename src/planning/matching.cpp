// Groups of patterns are matched as those of the whole scan would be.
// SPDX-License-Identifier: Apache-2.0
#include "planning/matching.h"

#include <algorithm>

#include "bench/stopwatch.h"
#include "domain/orientation/match/pattern_groups.h"

namespace sluice::planning {
namespace {

using stem4d::BraggVectors;

constexpr int rounds_of_groups = 3;

std::array<std::vector<float> BraggVectors::*, 9> columns() {
    using V = BraggVectors;
    return {&V::row,     &V::col,         &V::intensity,       &V::background, &V::var_row,
            &V::var_col, &V::cov_row_col, &V::intensity_error, &V::score};
}

void add_pattern(BraggVectors& all, BraggVectors const& from, index pattern) {
    auto const p = static_cast<std::size_t>(pattern);
    index const begin = from.first[p], end = from.first[p + 1];
    for (auto const column : columns()) {
        auto const& values = from.*column;
        (all.*column).insert((all.*column).end(), values.begin() + begin, values.begin() + end);
    }
    all.reason.push_back(from.reason[p]);
    all.first.push_back(all.first.back() + end - begin);
}

// So many patterns, beginning with a later one each time.
BraggVectors repeated(BraggVectors const& some, index patterns) {
    BraggVectors all;
    all.scan_shape = {patterns, 1};
    all.detector_shape = some.detector_shape;
    all.first.push_back(0);
    for (index i = 0; i < patterns; ++i) add_pattern(all, some, i % some.patterns());
    return all;
}

}  // namespace

void append(BraggVectors& all, BraggVectors const& square) {
    if (all.first.empty()) {
        all = square;
        return;
    }
    for (index p = 0; p < square.patterns(); ++p) add_pattern(all, square, p);
    all.scan_shape[0] += square.scan_shape[0];
}

Result<MatchRates> measure_matching(BraggVectors const& found,
                                    stem4d::Calibration const& calibration,
                                    stem4d::OrientationLibrary const& library,
                                    stem4d::MatchOptions const& options,
                                    stem4d::Options const& run) {
    SLUICE_TRY(stem4d::CalibratedVectors vectors, stem4d::apply_calibration(found, calibration));
    index const threads = run.device.host().threads();
    MatchRates rates;
    rates.group_patterns = orient::PatternGroups::group_size;
    vectors.vectors = repeated(vectors.vectors, rounds_of_groups * threads * rates.group_patterns);
    double const since = bench::system_clock().wall();
    SLUICE_TRY(stem4d::OrientationParts parts,
               stem4d::OrientationParts::begin(std::move(vectors), library, options, run));
    rates.begin_s = bench::system_clock().wall() - since;
    for (index i = 0; i < rounds_of_groups; ++i) {
        double const begin = bench::system_clock().wall();
        SLUICE_TRY([[maybe_unused]] auto const part, parts.part(i * threads, threads));
        rates.group_s.push_back(bench::system_clock().wall() - begin);
    }
    return rates;
}

double rounds_of(index patterns, index group_patterns, int threads) {
    auto const n = static_cast<double>(patterns), each = static_cast<double>(group_patterns);
    return std::max(n / each / threads, std::min(n / each, 1.0));
}

}  // namespace sluice::planning
