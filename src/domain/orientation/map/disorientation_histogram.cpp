// disorientation_histogram: neighbours, patterns drawn from the map, and crystals that lie in any
// way.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/splitmix.h"
#include "domain/orientation/map/neighbours.h"
#include "sluice/orientation_grains.h"

namespace sluice::stem4d {
namespace {

// The same numbers each time, from 0 to 1.
class Draw {
  public:
    double next() {
        state_ += splitmix::golden;
        return static_cast<double>(splitmix::mix(state_) >> 11) * 0x1p-53;
    }
    std::size_t below(std::size_t n) {
        return std::min(static_cast<std::size_t>(next() * static_cast<double>(n)), n - 1);
    }
    // Shoemake's uniform rotations: K. Shoemake, Graphics Gems III (1992), p. 124.
    Orientation rotation() {
        double const u = next(), a = 2 * std::numbers::pi * next(),
                     b = 2 * std::numbers::pi * next();
        double const s = std::sqrt(1 - u), t = std::sqrt(u);
        return {t * std::cos(b), s * std::sin(a), s * std::cos(a), t * std::sin(b)};
    }

  private:
    std::uint64_t state_ = 0;
};

class Bins {
  public:
    explicit Bins(DisorientationOptions const& o)
        : o_(o), counts_(static_cast<std::size_t>(std::ceil(180 / o.bin_degrees))) {}

    void add(double degrees) {
        if (degrees < o_.least_degrees) return;
        auto const bin = static_cast<std::size_t>(degrees / o_.bin_degrees);
        ++counts_[std::min(bin, counts_.size() - 1)];
        ++all_;
    }
    index all() const { return all_; }
    std::vector<double> densities() const {
        std::vector<double> out;
        for (index n : counts_)
            out.push_back(
                all_ > 0 ? static_cast<double>(n) / static_cast<double>(all_) / o_.bin_degrees : 0);
        return out;
    }

  private:
    DisorientationOptions const& o_;
    std::vector<index> counts_;
    index all_ = 0;
};

Status check_wish(OrientationMap const& map, std::int32_t phase, DisorientationOptions const& o) {
    if (phase < 0 || phase >= std::ssize(map.phases))
        return Error{
            Code::invalid_argument,
            fmt::format("there is no phase {} (the map has {}, from 0 on); name one of them", phase,
                        map.phases.size())};
    if (!(o.bin_degrees >= 0.01 && o.bin_degrees <= 90) ||
        !(o.least_degrees >= 0 && o.least_degrees < 180) || o.pairs < 1 || o.pairs > 100'000'000)
        return Error{Code::invalid_argument,
                     fmt::format("bins of {:g} degrees from {:g} degrees on with {} pairs drawn "
                                 "(0.01 to 90, 0 to 180, 1 to 100000000); give others",
                                 o.bin_degrees, o.least_degrees, o.pairs)};
    return {};
}

// The last bins that nothing is in are left out, but not those of one histogram alone.
void shorten(DisorientationHistogram& h) {
    std::size_t used = 0;
    for (std::size_t i = 0; i < h.random.size(); ++i)
        if (h.random[i] > 0 || h.drawn[i] > 0 || h.neighbours[i] > 0) used = i + 1;
    for (auto* const all : {&h.neighbours, &h.drawn, &h.random}) all->resize(used);
}

}  // namespace

Result<DisorientationHistogram> disorientation_histogram(OrientationMap const& map,
                                                         std::int32_t phase,
                                                         DisorientationOptions const& o) {
    SLUICE_CHECK(check_orientations(map));
    SLUICE_CHECK(check_wish(map, phase, o));
    CrystalSymmetry const& symmetry = map.phases[static_cast<std::size_t>(phase)].symmetry;
    Bins neighbours(o), drawn(o), random(o);
    orient::each_pair(map, [&](std::size_t one, std::size_t two) {
        if (map.phase[one] == phase && map.phase[two] == phase)
            neighbours.add(orient::between(map, one, two));
    });
    std::vector<std::size_t> its;
    for (std::size_t p = 0; p < map.reason.size(); ++p)
        if (orient::is_indexed(map, p) && map.phase[p] == phase) its.push_back(p);
    Draw draw;
    for (index i = 0; i < o.pairs; ++i) {
        random.add(disorientation(draw.rotation(), Orientation{}, symmetry));
        if (its.size() < 2) continue;
        std::size_t const one = draw.below(its.size());
        // Of the others: a pattern does not differ from itself.
        std::size_t const two = (one + 1 + draw.below(its.size() - 1)) % its.size();
        drawn.add(orient::between(map, its[one], its[two]));
    }
    DisorientationHistogram out{phase,
                                o.bin_degrees,
                                neighbours.densities(),
                                drawn.densities(),
                                random.densities(),
                                neighbours.all(),
                                drawn.all()};
    shorten(out);
    return out;
}

}  // namespace sluice::stem4d
