// Proton by proton: the march's physics by other means.
// SPDX-License-Identifier: Apache-2.0
#include "twins/monte_carlo.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "device/workers.h"
#include "sluice/device.h"

namespace sluice::proton {
namespace {

// Counter-based: a number out of (seed, history, draw) by two rounds of splitmix64's finalizer.
class Random {
  public:
    Random(std::uint64_t seed, std::uint64_t history) : key_(mix(seed ^ mix(history + 1))) {}
    double uniform() {
        return (static_cast<double>(mix(key_ + ++draw_ * 0x9e3779b97f4a7c15u) >> 11) + 0.5) *
               0x1p-53;
    }
    double normal() {
        double const r = std::sqrt(-2 * std::log(uniform()));
        return r * std::cos(2 * std::numbers::pi * uniform());
    }

  private:
    std::uint64_t key_, draw_ = 0;
    static std::uint64_t mix(std::uint64_t x) {
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        return x ^ (x >> 31);
    }
};

// Functions of energy, looked up linearly: a history asks some thousand times.
class Look {
  public:
    Look(double last, auto const& f) : step_(last / n) {
        for (int i = 0; i <= n; ++i) values_.push_back(f(std::max(i * step_, 1e-3)));
    }
    double operator()(double e) const {
        double const at = std::min(e / step_, n - 1e-9);
        auto const i = static_cast<std::size_t>(at);
        return values_[i] + (at - static_cast<double>(i)) * (values_[i + 1] - values_[i]);
    }

  private:
    static constexpr int n = 20000;
    double step_;
    std::vector<double> values_;
};

// f_dM of Gottschalk 2010: T_dM over the power of thick absorbers.
double thick_part(double energy, double first, double spread) {
    auto const pv = [](double e) { return e * (e + 2 * 938.272) / (e + 938.272); };
    double const lost =
        std::max({1e-6, 2 * spread / first, 1 - std::pow(pv(energy) / pv(first), 2)});
    double const a = std::log10(lost), b = std::log10(pv(energy));
    return std::max(0.0, 0.5244 + 0.1975 * a + 0.2320 * b - 0.0098 * a * b);
}

struct Medium {
    Look stopping, scattering, straggling;
};

class Histories {
  public:
    Histories(Physics const& physics, Phantom const& phantom, Beam const& beam,
              MonteCarloOptions const& options)
        : phantom_(phantom), beam_(beam), options_(options) {
        double const last = beam.energy + 8 * beam.energy_spread + 5;
        Material const water;
        for (Material const& m : phantom.materials)
            media_.push_back(
                {Look(last,
                      [&](double e) {
                          return physics.stopping_power(e) * physics.relative_stopping_power(m, e);
                      }),
                 Look(last,
                      [&](double e) {
                          double const at = std::max(e, 0.5);
                          return physics.scattering_power(m, at) *
                                 (m.density < 0.02 ? thick_part(at, beam.energy, beam.energy_spread)
                                                   : 1);
                      }),
                 Look(last, [&](double e) { return physics.straggling(m, e); })});
    }

    void one(std::uint64_t history, std::vector<double>& deposit) const {
        Random random(options_.seed, history);
        double const u = random.normal(), v = random.normal();
        double angle = beam_.angle + beam_.divergence * u;
        double const tilt = beam_.divergence > 0 ? beam_.covariance / beam_.divergence : 0;
        double x = beam_.x + tilt * u +
                   std::sqrt(std::max(0.0, beam_.sigma_x * beam_.sigma_x - tilt * tilt)) * v;
        double e = beam_.energy + beam_.energy_spread * random.normal(), z = 0;
        while (e > 0) {
            index const k = static_cast<index>(std::floor(z / phantom_.dz));
            index const i = static_cast<index>(std::floor((x - phantom_.x0) / phantom_.dx));
            if (k < 0 || k >= phantom_.planes || i < 0 || i >= phantom_.columns) return;
            Medium const& m = media_[which(k, i)];
            // To the next plane or column at most, so that no material is stepped over.
            double const s = std::min(options_.step, to_face(k, i, z, x, angle) + 1e-9);
            // Half a kick, half a drift, the loss at the middle, and back.
            double const half = options_.scattering ? std::sqrt(m.scattering(e) * s / 2) : 0;
            angle += half * random.normal();
            double const guess = std::max(e - m.stopping(e) * s / 2, 1e-3);
            double loss = m.stopping(guess) * s;
            if (options_.straggling) loss += std::sqrt(m.straggling(guess) * s) * random.normal();
            loss = std::min(loss, e);
            // Where the step began, whose material it is of: in the air beside water it would be a
            // thousand times the dose.
            deposit[static_cast<std::size_t>(k * phantom_.columns + i)] += loss;
            z += s * std::cos(angle);
            x += s * std::sin(angle);
            e -= loss;
            if (e < 0.02) {
                deposit_at(z - 1e-9, x, e, deposit);
                return;
            }
            double const other = options_.scattering ? std::sqrt(m.scattering(e) * s / 2) : 0;
            angle += other * random.normal();
            if (std::abs(angle) > 1.4) {
                deposit_at(z - 1e-9, x, e, deposit);
                return;
            }
        }
    }

  private:
    Phantom const& phantom_;
    Beam const& beam_;
    MonteCarloOptions const& options_;
    std::vector<Medium> media_;

    std::size_t which(index k, index i) const {
        return phantom_.map.empty()
                   ? 0
                   : phantom_.map[static_cast<std::size_t>(k * phantom_.columns + i)];
    }
    double to_face(index k, index i, double z, double x, double angle) const {
        double const face = static_cast<double>(k + 1) * phantom_.dz;
        double const plane = (face - z) / std::cos(angle);
        double const sine = std::sin(angle);
        if (std::abs(sine) < 1e-12) return plane;
        double const side = phantom_.x0 + static_cast<double>(sine > 0 ? i + 1 : i) * phantom_.dx;
        return std::min(plane, std::max(0.0, (side - x) / sine));
    }
    void deposit_at(double z, double x, double energy, std::vector<double>& deposit) const {
        auto const k = static_cast<index>(std::floor(z / phantom_.dz));
        auto const i = static_cast<index>(std::floor((x - phantom_.x0) / phantom_.dx));
        if (k < 0 || k >= phantom_.planes || i < 0 || i >= phantom_.columns) return;
        deposit[static_cast<std::size_t>(k * phantom_.columns + i)] += energy;
    }
};

}  // namespace

std::vector<double> monte_carlo(Physics const& physics, Phantom const& phantom, Beam const& beam,
                                MonteCarloOptions const& options) {
    constexpr index blocks = 16;
    Histories const histories(physics, phantom, beam, options);
    auto const cells = static_cast<std::size_t>(phantom.planes * phantom.columns);
    std::vector<std::vector<double>> parts(blocks);
    parallel_for(blocks, Device::cpu(options.threads).threads(), 1, [&](index b, int) {
        auto& part = parts[static_cast<std::size_t>(b)];
        part.resize(cells);
        for (index h = b; h < options.histories; h += blocks)
            histories.one(static_cast<std::uint64_t>(h), part);
    });
    std::vector<double> sum(cells);
    for (auto const& part : parts)
        for (std::size_t i = 0; i < cells; ++i)
            sum[i] += part[i] * beam.weight / static_cast<double>(options.histories);
    return sum;
}

}  // namespace sluice::proton
