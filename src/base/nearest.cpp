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

// No known word is so long, and what a file has instead of one may be as long as the file.
constexpr std::size_t longest_word = 200;

}  // namespace

std::string nearest(std::string_view word, std::span<std::string const> known) {
    expects(!known.empty());
    word = word.substr(0, longest_word);
    std::vector<std::size_t> distances;
    for (std::string const& k : known) distances.push_back(distance(word, k));
    auto const least = std::min_element(distances.begin(), distances.end());
    return known[static_cast<std::size_t>(least - distances.begin())];
}

std::optional<std::string> near_enough(std::string_view word, std::span<std::string const> known) {
    if (word.size() > longest_word) return {};
    std::string found = nearest(word, known);
    if (3 * distance(word, found) > std::max(word.size(), found.size())) return {};
    return found;
}

}  // namespace sluice
