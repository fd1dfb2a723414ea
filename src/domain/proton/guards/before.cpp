// Guards of a configuration before it is computed: beams that are alike are judged once.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/run.h"
#include "domain/proton/guards/guards.h"
#include "domain/proton/marching/check.h"
#include "sluice/proton_config.h"

namespace sluice::proton {
namespace {

// Keeps one of each name: the worst, and says of how many.
void keep_worst(std::vector<Guard>& all, Guard g) {
    auto const same = std::ranges::find(all, g.name, &Guard::name);
    if (same == all.end())
        all.push_back(std::move(g));
    else if (std::pair(g.severity, g.value / g.limit) >
             std::pair(same->severity, same->value / same->limit))
        *same = std::move(g);
}

// The guards of the march that hold for the dense mode, on its own angles.
std::vector<Guard> of_dense(Physics const& physics, Config const& c, Beam const& beam) {
    DenseOptions const& o = *c.dense;
    guards::Mode mode{.options = c.options, .dense = &o};
    // The solver's own error is the better message.
    mode.options.angle_step = mode.options.angle_window = 1e-3;
    if (o.angles < 3 || o.angles > 10000 || !(o.angle_window > 0) ||
        !marching::check(physics, c.phantom, beam, mode.options))
        return {};
    mode.options.angle_step = 2 * o.angle_window / static_cast<double>(o.angles);
    // Its angles are those of the z axis.
    mode.options.angle_window = std::max(o.angle_window - std::abs(beam.angle), 0.0);
    auto out = guards::of_grid(physics, c.phantom, beam, mode);
    DenseOptions asked = o;
    asked.progress = c.options.progress;
    for (Guard& g : guards::of_dense_depth(physics, c.phantom, beam, asked))
        out.push_back(std::move(g));
    return out;
}

/// What a beam's guards depend on beside the grid.
using Key = std::array<double, 7>;

Key key_of(Phantom const& p, Beam const& b) {
    // In water all places are alike that the march takes.
    bool const alike = p.map.empty() && b.x >= p.x0 && b.x < p.x0 + p.width();
    return {b.energy,     b.energy_spread, b.angle,          b.sigma_x,
            b.divergence, b.covariance,    alike ? 0.0 : b.x};
}

class Judge {
  public:
    explicit Judge(Config const& c)
        : config_(c),
          physics_(c.water),
          options_(c.options),
          run_(c.options.progress, std::ssize(c.beams)) {
        // The lines of a beam ask, too.
        if (c.options.progress) options_.progress = [this](auto, auto) { return run_.wanted(); };
    }

    Result<std::vector<Guard>> run() {
        for (Beam const& b : config_.beams) {
            judge(b);
            run_.done();
            SLUICE_CHECK(run_.status());
        }
        std::vector<Guard> out = config_.guards;
        out.insert(out.end(), worst_.begin(), worst_.end());
        return out;
    }

  private:
    void judge(Beam const& b) {
        Phantom const& p = config_.phantom;
        Key key = key_of(p, b);
        if (!beams_.insert(key).second) return;
        if (config_.dense) return keep(of_dense(physics_, config_, b));
        if (!marching::check(physics_, p, b, options_)) return;
        keep(guards::of_grid(physics_, p, b, {.options = options_}));
        // Lines through water do not depend on where they lie.
        if (p.map.empty()) std::fill(key.begin() + 3, key.end(), 0.0);
        if (depths_.insert(key).second) keep(guards::of_depth(physics_, p, b, options_));
    }

    void keep(std::vector<Guard> guards) {
        for (Guard& g : guards) keep_worst(worst_, std::move(g));
    }

    Config const& config_;
    Physics physics_;
    MarchOptions options_;
    std::set<Key> beams_, depths_;  ///< those that were judged
    std::vector<Guard> worst_;      ///< of each name
    Run run_;                       ///< counts beams
};

}  // namespace

Result<std::vector<Guard>> guards_before(Config const& c) {
    return Judge(c).run();
}

}  // namespace sluice::proton
