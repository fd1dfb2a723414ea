// Levenshtein's distance.
// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "sluice/result.h"

namespace sluice {
namespace {

std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            std::size_t const changed = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string nearest(std::string_view word, std::span<std::string const> known) {
    expects(!known.empty());
    return *std::min_element(known.begin(), known.end(), [&](auto const& a, auto const& b) {
        return distance(word, a) < distance(word, b);
    });
}

std::optional<std::string> near_enough(std::string_view word, std::span<std::string const> known) {
    std::string found = nearest(word, known);
    if (3 * distance(word, found) > std::max(word.size(), found.size())) return {};
    return found;
}

}  // namespace sluice
