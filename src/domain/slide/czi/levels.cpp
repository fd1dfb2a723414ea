// Which level of the pyramid each tile of a CZI belongs to: the file does not say.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <set>

#include "domain/slide/czi/tiles.h"

namespace sluice::slide {
namespace {

// Stored sides below this are too small to tell a factor by.
constexpr index telling_side = 32;
// A file of more factors is hostile: comparing each tile with each of them would take long.
constexpr std::size_t most_factors = 64;
// A tile that is smaller along one side alone is not of a pyramid: Airyscan's fast scan stores
// every fourth row.
bool is_reduced(Tile const& t) {
    return t.stored_width < t.rect.width && t.stored_height < t.rect.height;
}

// The sides are whole pixels, which makes their ratio inexact: pyramids go by 2 or by 3.
int usual_factor(double ratio) {
    constexpr double most = 1e9;
    for (double const base : {2.0, 3.0}) {
        double const power = std::pow(base, std::round(std::log(ratio) / std::log(base)));
        if (power >= base && power <= most && std::abs(ratio / power - 1) <= 0.05)
            return static_cast<int>(power);
    }
    return std::max(2, static_cast<int>(std::lround(std::min(ratio, most))));
}

double ratio_of(Tile const& t) {
    bool const wide = t.stored_width >= t.stored_height;
    return wide ? static_cast<double>(t.rect.width) / static_cast<double>(t.stored_width)
                : static_cast<double>(t.rect.height) / static_cast<double>(t.stored_height);
}

bool fits(index logical, index stored, int factor) {
    return stored >= logical / factor - 1 && stored <= logical / factor + 2;
}

// The factor of each tile: tiles with long sides define the factors, small ones take one that fits.
std::vector<int> factors_of(std::vector<Tile> const& tiles) {
    std::vector<int> factors(tiles.size(), 1);
    std::set<int> seen;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        Tile const& t = tiles[i];
        if (!is_reduced(t) || std::max(t.stored_width, t.stored_height) < telling_side) continue;
        seen.insert(factors[i] = usual_factor(ratio_of(t)));
    }
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        Tile const& t = tiles[i];
        if (!is_reduced(t) || factors[i] != 1) continue;
        double const ratio = ratio_of(t);
        if (seen.size() > most_factors) {
            factors[i] = usual_factor(ratio);
            continue;
        }
        int best = 0;
        double distance = 0;
        for (int const f : seen) {
            if (!fits(t.rect.width, t.stored_width, f) || !fits(t.rect.height, t.stored_height, f))
                continue;
            double const d = std::abs(std::log(ratio / f));
            if (best == 0 || d < distance) {
                best = f;
                distance = d;
            }
        }
        factors[i] = best ? best : usual_factor(ratio);
    }
    return factors;
}

}  // namespace

void set_levels(Model& m) {
    std::vector<int> const factors = factors_of(m.tiles);
    std::set<int> all(factors.begin(), factors.end());
    all.insert(1);
    for (int const f : all) m.levels.push_back({f, 0});
    for (std::size_t i = 0; i < m.tiles.size(); ++i) {
        auto const at = std::distance(all.begin(), all.find(factors[i]));
        m.tiles[i].level = static_cast<std::int32_t>(at);
        ++m.levels[static_cast<std::size_t>(at)].tiles;
    }
}

}  // namespace sluice::slide
