// Empty patterns, values that are not counts, lone places: none of them shows in the result.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/start/doubts.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace sluice::ptycho {

namespace {

std::string empty_patterns(Measured const& measured, Share const& share, Totals const& totals) {
    double empty = 0;
    for (double const sum : measured.sums) empty += sum < 0.01 * totals.mean;
    share.sum(std::span(&empty, 1));
    if (empty == 0) return {};
    return fmt::format(
        "{} of {} patterns hold less than a hundredth of the mean's counts (were frames lost, or "
        "was the beam off?): they count as measured; leave them out",
        empty, measured.patterns.count());
}

// From up to 50 patterns, which are enough.
std::string parts_of_counts(Measured const& measured, Share const& share, double count) {
    // The value of one count is known.
    if (count > 0) return {};
    auto const* const values = std::get_if<std::vector<float>>(&measured.patterns.counts);
    double seen[2] = {0, 0};  // above 0, and not whole numbers
    std::size_t const area =
        static_cast<std::size_t>(measured.patterns.size * measured.patterns.size);
    std::size_t const by = static_cast<std::size_t>(measured.patterns.held() / 50 + 1) * area;
    for (std::size_t first = 0; values && first < values->size(); first += by)
        for (std::size_t q = first; q < first + area; ++q) {
            float const v = (*values)[q];
            if (!(v > 0)) continue;
            ++seen[0];
            seen[1] += std::abs(v - std::round(v)) > 1e-3F;
        }
    share.sum(std::span<double>(seen));
    if (2 * seen[1] <= seen[0]) return {};
    return "the values are not whole numbers: the R of counting noise is known only for electrons "
           "or photons, so scale them to these";
}

// A quarter of the pixels has the lower frequencies of both axes: more of the counts are there,
// unless zero frequency is not at [0][0].
std::string moved_zero(Totals const& totals, index size) {
    double low = 0, high = 0;
    for (std::size_t q = 0; q < totals.pattern.size(); ++q) {
        index const r = static_cast<index>(q) / size, c = static_cast<index>(q) % size;
        bool const rows = 4 * std::min(r, size - r) < size;
        bool const cols = 4 * std::min(c, size - c) < size;
        if (rows && cols) low += totals.pattern[q];
        if (!rows && !cols) high += totals.pattern[q];
    }
    if (high <= low) return {};
    return "the patterns are brighter at the highest frequencies than about zero: is zero "
           "frequency really where it is taken to be, in the middle or at [0][0]?";
}

// In squares as wide as the probe, a place without others in its own square and the eight around it
// overlaps with none.
std::string lone_places(Canvas const& canvas, index width) {
    using Square = std::pair<index, index>;
    auto const square_of = [width](stem4d::Position p) {
        auto const wide = static_cast<double>(width);
        return Square{static_cast<index>(p.row / wide), static_cast<index>(p.col / wide)};
    };
    std::map<Square, index> places;
    for (auto const& p : canvas.corners) ++places[square_of(p)];
    index lone = 0, one = 0;
    for (std::size_t j = 0; j < canvas.corners.size(); ++j) {
        auto const [row, col] = square_of(canvas.corners[j]);
        index around = 0;
        for (index r = row - 1; r <= row + 1; ++r)
            for (index c = col - 1; c <= col + 1; ++c)
                if (auto const found = places.find({r, c}); found != places.end())
                    around += found->second;
        if (around > 1) continue;
        if (lone++ == 0) one = static_cast<index>(j);
    }
    if (lone == 0) return {};
    return fmt::format(
        "{} of {} positions are further from all others than the probe is wide (pattern {} is the "
        "first): object and probe cannot be separated there; check the positions",
        lone, canvas.corners.size(), one);
}

}  // namespace

std::vector<std::string> doubts_of(Measured const& measured, Share const& share,
                                   Totals const& totals, Canvas const& canvas, index width,
                                   bool near, double count) {
    std::vector<std::string> notes;
    for (auto& note :
         {empty_patterns(measured, share, totals), parts_of_counts(measured, share, count),
          near ? std::string() : moved_zero(totals, measured.patterns.size),
          lone_places(canvas, width)})
        if (!note.empty()) notes.push_back(note);
    return notes;
}

}  // namespace sluice::ptycho
