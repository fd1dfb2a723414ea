// Cuts far fields about the direct beam, and near fields about the middle.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/input/cut_window.h"

#include <fmt/format.h>

#include <algorithm>

#include "optics/window.h"

namespace sluice::ptycho {

Status check_window(index size, Code code) {
    if (size >= 8 && size <= 4096) return {};
    return Error{
        code, fmt::format("patterns would have {} pixels a side (8 to 4096 are possible)", size)};
}

std::vector<index> cut_window(stem4d::Patterns const& patterns, std::array<index, 2> detector,
                              std::optional<stem4d::Position> beam,
                              std::vector<std::string>& notes) {
    index cut = 0;
    auto from = patterns.propagation == stem4d::Propagation::near
                    ? optics::pixels_of_image(detector, patterns.size, cut)
                : beam ? optics::pixels_from(detector, {beam->row, beam->col}, patterns.size, cut)
                       : optics::pixels_from_corners(detector, patterns.size, cut);
    if (cut > 0)
        notes.push_back(
            fmt::format("{} of {} detector pixels lie outside of the patterns and are left out",
                        cut, detector[0] * detector[1]));
    return from;
}

bool mark_bad(std::vector<index> const& from, std::span<std::uint8_t const> bad_on_detector,
              stem4d::Patterns& patterns, std::vector<std::string>& notes) {
    patterns.bad.assign(from.size(), 0);
    for (std::size_t q = 0; q < from.size(); ++q)
        patterns.bad[q] = from[q] < 0 || (!bad_on_detector.empty() &&
                                          bad_on_detector[static_cast<std::size_t>(from[q])] != 0);
    index const missing = std::ranges::count(patterns.bad, std::uint8_t{1});
    if (missing == std::ssize(from)) return false;
    if (missing == 0) patterns.bad.clear();
    if (missing > 0)
        notes.push_back(
            fmt::format("{} of {} pixels of a pattern were not measured", missing, from.size()));
    return true;
}

}  // namespace sluice::ptycho
