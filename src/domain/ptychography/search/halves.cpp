// correlate_halves(): two reconstructions of half the data each.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "base/splitmix.h"
#include "domain/ptychography/search/alone.h"
#include "sluice/ptychography_check.h"
#include "sluice/ptychography_search.h"

namespace sluice::ptycho {

namespace {

using stem4d::Halves;
using stem4d::Patterns;
using stem4d::PtychographyResult;

// How many of so many counts a fair coin gives to the first half.
std::uint64_t thinned(std::uint64_t count, std::uint64_t seed) {
    std::uint64_t first = 0;
    for (std::uint64_t at = 0; at < count; at += 64) {
        std::uint64_t const coins = splitmix::mix(seed += splitmix::golden);
        std::uint64_t const left = count - at;
        first += static_cast<std::uint64_t>(
            std::popcount(left < 64 ? coins & ((std::uint64_t{1} << left) - 1) : coins));
    }
    return first;
}

Result<Patterns> half_of(Patterns const& patterns, Halves halves, int which, std::uint64_t seed) {
    if (halves == Halves::patterns) {
        std::vector<index> numbers;
        for (index j = which; j < patterns.count(); j += 2) numbers.push_back(j);
        return stem4d::part_of(patterns, numbers);
    }
    Patterns half = patterns;
    bool whole = true;
    std::visit(
        [&](auto& counts) {
            using T = std::remove_cvref_t<decltype(counts[0])>;
            for (std::size_t i = 0; i < counts.size(); ++i) {
                auto const count = static_cast<double>(counts[i]);
                // Beyond 1e7 the noise of a count is far below what floats hold of it.
                if (!(count >= 0 && count <= 1e7) || count != std::floor(count)) {
                    bool const counted = half.bad.empty() || !half.bad[i % half.bad.size()];
                    whole = whole && !counted;
                    continue;
                }
                auto const all = static_cast<std::uint64_t>(count);
                auto const first = thinned(all, splitmix::mix(seed ^ splitmix::mix(i + 1)));
                counts[i] = static_cast<T>(which ? all - first : first);
            }
        },
        half.counts);
    if (!whole)
        return Error{Code::invalid_argument,
                     "counts that are not whole, or above 1e7, cannot be divided (each electron "
                     "goes to one half) correlate halves of the patterns"};
    return half;
}

// A rectangle of an object, and where it lies among the positions given.
Array<std::complex<float>> cut(PtychographyResult const& result, index row, index col, index rows,
                               index cols) {
    auto part = Array<std::complex<float>>::zeros({rows, cols});
    index const width = result.object.shape[2], area = result.object.shape[1] * width;
    for (auto& z : part.values) z = 1;
    for (index s = 0; s < result.object.shape[0]; ++s)
        for (index i = 0; i < rows * cols; ++i)
            part.values[static_cast<std::size_t>(i)] *=
                result.object.values[static_cast<std::size_t>(s * area + (row + i / cols) * width +
                                                              col + i % cols)];
    return part;
}

}  // namespace

}  // namespace sluice::ptycho

namespace sluice::stem4d {

Result<RingCorrelation> correlate_halves(Patterns const& patterns,
                                         PtychographyOptions const& options, Halves halves) {
    SLUICE_CHECK(check_patterns(patterns));
    SLUICE_CHECK(ptycho::alone(options));
    SLUICE_CHECK(ptycho::begins_anew(options));
    SLUICE_CHECK(ptycho::on_patterns_grid(options));
    std::array<PtychographyResult, 2> found;
    std::array<LitPart, 2> parts;
    std::array<std::array<index, 2>, 2> shifts{};
    for (int which : {0, 1}) {
        auto const w = static_cast<std::size_t>(which);
        SLUICE_TRY(auto half, ptycho::half_of(patterns, halves, which, options.seed));
        auto these = options;
        if (options.progress)
            these.progress = [&options, which](std::uint64_t done, std::uint64_t all) {
                return options.progress(done + (which ? all : 0), 2 * all);
            };
        SLUICE_TRY(found[w], ptychography(std::move(half), these));
        SLUICE_TRY(parts[w], lit_part(found[w]));
        shifts[w] = {std::lround(found[w].shift.row), std::lround(found[w].shift.col)};
    }
    // What both lit, among the positions given; parts of a pixel are left to the correlation.
    std::array<index, 2> low{}, high{};
    for (std::size_t d : {0U, 1U}) {
        auto const first = [&](std::size_t w) {
            return (d ? parts[w].col : parts[w].row) - shifts[w][d];
        };
        auto const size = [&](std::size_t w) { return d ? parts[w].cols : parts[w].rows; };
        low[d] = std::max(first(0), first(1));
        high[d] = std::min(first(0) + size(0), first(1) + size(1));
        if (high[d] - low[d] < 16)
            return Error{Code::invalid_argument,
                         fmt::format("the halves share {} pixels (a correlation of rings needs 16 "
                                     "pixels a side) take a larger scan",
                                     std::max<index>(high[d] - low[d], 0))};
    }
    auto const of = [&](std::size_t w) {
        return ptycho::cut(found[w], low[0] + shifts[w][0], low[1] + shifts[w][1], high[0] - low[0],
                           high[1] - low[1]);
    };
    return ring_correlation(of(0), of(1), patterns.pixel_nm);
}

}  // namespace sluice::stem4d
