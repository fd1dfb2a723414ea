// Guards of a configuration before it is computed: beams that are alike are judged once.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
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

/// What a beam's guards depend on beside the grid; of layers without what differs.
using Key = std::array<double, 7>;

Key key_of(Phantom const& p, Beam const& b) {
    // In water all places are alike that the march takes.
    bool const alike = p.map.empty() && b.x >= p.x0 && b.x < p.x0 + p.width();
    return {b.energy,     b.energy_spread, b.angle,          b.sigma_x,
            b.divergence, b.covariance,    alike ? 0.0 : b.x};
}

// What beams share whose depth doses add up: their way, and in water the same centimetre.
Key layers_of(Phantom const& p, Beam const& b) {
    if (!p.map.empty()) return {0, 0, b.angle, b.sigma_x, b.divergence, b.covariance, b.x};
    return {0, 0, b.angle, 0, 0, 0, std::floor(b.x / 10 + 0.5)};
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
        for (Beam const& b : c.beams) {
            std::vector<Beam>& layers = layers_[layers_of(c.phantom, b)];
            auto const same = std::ranges::find_if(layers, [&](Beam const& o) {
                return o.energy == b.energy && o.energy_spread == b.energy_spread;
            });
            if (same == layers.end())
                layers.push_back(b);
            else
                same->weight += b.weight;
        }
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
        bool const fresh = beams_.insert(key_of(p, b)).second;
        if (config_.dense) {
            if (fresh) keep(of_dense(physics_, config_, b));
            return;
        }
        if (!marching::check(physics_, p, b, options_)) return;
        Key const together = layers_of(p, b);
        std::vector<Beam> const& layers = layers_.at(together);
        if (fresh) keep(grid_of(b, layers));
        if (depths_.insert(together).second) keep(guards::of_depth(physics_, p, layers, options_));
    }

    std::vector<Guard> grid_of(Beam const& b, std::vector<Beam> const& layers) const {
        auto out = guards::of_grid(physics_, config_.phantom, b, {.options = options_});
        // Only the end of the last layer is one of the dose.
        if (b.energy < std::ranges::max(layers, {}, &Beam::energy).energy)
            std::erase_if(out, [](Guard const& g) { return g.name == "planes"; });
        return out;
    }

    void keep(std::vector<Guard> guards) {
        for (Guard& g : guards) keep_worst(worst_, std::move(g));
    }

    Config const& config_;
    Physics physics_;
    MarchOptions options_;
    std::set<Key> beams_, depths_;             ///< those that were judged
    std::map<Key, std::vector<Beam>> layers_;  ///< each energy once
    std::vector<Guard> worst_;                 ///< of each name
    Run run_;                                  ///< counts beams
};

}  // namespace

Result<std::vector<Guard>> guards_before(Config const& c) {
    return Judge(c).run();
}

}  // namespace sluice::proton
