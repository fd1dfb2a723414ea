// What the grid's angles do to a beam's profile.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "domain/proton/guards/guards.h"
#include "domain/proton/marching/grid.h"

namespace sluice::proton::guards {
namespace {

/// Planes that scatter alike: so often by `passes` moves of the part p to each neighbouring angle.
struct Kicks {
    double z = 0, part = 0, scattering = 0;
    int passes = 0;
};

std::vector<Kicks> kicks_of(Phantom const& p, std::vector<Crossing> const& way, double step) {
    constexpr std::size_t most = 48;
    std::size_t const group = (way.size() + most - 1) / most;
    std::vector<Kicks> out;
    for (std::size_t k = 0; k < way.size(); k += group) {
        std::size_t const past = std::min(k + group, way.size());
        Kicks one;
        for (std::size_t i = k; i < past; ++i) one.scattering += way[i].scattering;
        auto const planes = static_cast<double>(past - k);
        double const part = one.scattering / planes / (2 * step * step);
        // As the march does it.
        int const each = std::max(1, static_cast<int>(std::ceil(part / 0.4)));
        one.passes = each * static_cast<int>(past - k);
        one.part = part / each;
        one.z = p.dz * (static_cast<double>(k) + planes / 2);
        out.push_back(one);
    }
    return out;
}

/// The profile at a depth by its Fourier transform: as Fermi and Eyges say it, and as protons make
/// it that fly in the grid's angles.
class Profile {
  public:
    Profile(Phantom const& p, Beam const& beam, MarchOptions const& o,
            std::vector<Kicks> const& kicks)
        : beam_(beam), kicks_(kicks), step_(o.angle_step), column_(p.dx) {
        marching::Angles const angles = marching::angles_of(beam, o);
        double const sigma = beam.divergence / step_;
        weights_ = marching::spread(angles.size(), angles.size() / 2, sigma * sigma);
        // The cut by the window is not an error of its steps: both profiles are without it.
        double const kept = std::accumulate(weights_.begin(), weights_.end(), 0.0);
        for (double& w : weights_) w /= kept;
        if (kept < 1 - 1e-5) cut_ = step_ * static_cast<double>(angles.size()) / 2;
        double const st2 = beam.divergence * beam.divergence;
        tilt_ = st2 > 0 ? beam.covariance / st2 : 0;
        own_ = std::max(0.0, beam.sigma_x * beam.sigma_x - tilt_ * tilt_ * st2);
        double const c = std::cos(beam.angle);
        lever_ = 1 / (c * c);
    }

    // The largest difference as a part of the middle.
    double error_at(double z) {
        // Columns blur both.
        double const blur = own_ + column_ * column_ / 12;
        double const reach = z * lever_ + tilt_;
        double const sigma = std::hypot(sigma_at(beam_, kicks_, z), column_ / std::sqrt(12));
        constexpr double du = 0.15;
        double const most = std::clamp(4.3 * sigma / std::sqrt(blur), 6.0, 60.0);
        std::vector<double> difference;
        for (double u = du / 2; u < most; u += du) {
            double const k = u / sigma;
            difference.push_back(marched(k, z, reach) * std::exp(-k * k * blur / 2) -
                                 ideal(u, k * beam_.divergence * reach));
        }
        double worst = 0;
        for (double x = 0; x <= 3; x += 0.1) {
            double sum = 0, u = du / 2;
            for (double const d : difference) {
                sum += d * std::cos(u * x);
                u += du;
            }
            // The middle of the normal distribution is 1 / sqrt(2 pi).
            worst = std::max(worst, std::abs(sum) * du * std::sqrt(2 / std::numbers::pi));
        }
        return worst;
    }

  private:
    Beam const& beam_;
    std::vector<Kicks> const& kicks_;
    double step_, column_, tilt_ = 0, own_ = 0, lever_ = 1;
    double cut_ = 0;  ///< the angle that the window ends at, where it cuts the beam's
    std::vector<double> weights_;

    // `flown` is what the beam's own angles have of u.
    double ideal(double u, double flown) const {
        if (cut_ == 0) return std::exp(-u * u / 2);
        constexpr int points = 48;
        double sum = 0, all = 0;
        for (int i = 0; i < points; ++i) {
            double const angle = (i + 0.5) / points * cut_ / beam_.divergence;
            double const weight = std::exp(-angle * angle / 2);
            sum += weight * std::cos(flown * angle);
            all += weight;
        }
        return sum / all * std::exp(-(u * u - flown * flown) / 2);
    }

    double marched(double k, double z, double reach) const {
        double all = 1;
        if (beam_.divergence > 0) {
            all = 0;
            std::size_t const half = weights_.size() / 2;
            auto const middle = static_cast<double>(half);
            for (std::size_t j = 0; j < weights_.size(); ++j)
                if (weights_[j] > 0)
                    all += weights_[j] *
                           std::cos(k * step_ * (static_cast<double>(j) - middle) * reach);
        }
        for (Kicks const& kick : kicks_) {
            if (kick.z >= z) break;
            double const a = std::cos(k * step_ * (z - kick.z) * lever_) - 1;
            all *= std::pow(1 + 2 * kick.part * a, kick.passes);
        }
        return all;
    }
};

}  // namespace

double profile_error(Phantom const& p, Beam const& beam, MarchOptions const& o,
                     std::vector<Crossing> const& way) {
    std::vector<Kicks> kicks;
    if (o.scattering) kicks = kicks_of(p, way, o.angle_step);
    Profile profile(p, beam, o, kicks);
    constexpr int depths = 14;
    double const end = end_of(p, way);
    double worst = 0;
    for (int i = 0; i <= depths; ++i) worst = std::max(worst, profile.error_at(end * i / depths));
    return worst;
}

namespace {

/// A way beside the beam's middle, and how much of the beam goes there, beside the middle's.
struct Beside {
    double part;
    std::vector<Crossing> way;
};

// Air beside water makes rays of protons that water's middle does not have.
std::vector<Beside> ways_of(Physics const& physics, Phantom const& p, Beam const& beam) {
    std::vector<Beside> out = {{1, along(physics, p, beam, 0)}};
    if (p.map.empty() || out[0].way.empty()) return out;
    double const sigma = sigma_at(beam, out[0].way, end_of(p, out[0].way));
    for (double const offset : {-2.0, -1.0, 1.0, 2.0})
        out.push_back({std::exp(-offset * offset / 2), along(physics, p, beam, offset * sigma)});
    return out;
}

double worst_error(Phantom const& p, Beam const& beam, MarchOptions const& o,
                   std::vector<Beside> const& ways) {
    double worst = 0;
    for (Beside const& b : ways)
        if (!b.way.empty()) worst = std::max(worst, b.part * profile_error(p, beam, o, b.way));
    return worst;
}

constexpr double most_error = 0.01;

}  // namespace

double angle_step_for(Physics const& physics, Phantom const& p, Beam const& beam,
                      MarchOptions const& o) {
    auto const ways = ways_of(physics, p, beam);
    MarchOptions tried = o;
    for (double const part : {1.0, 0.75, 0.5, 0.35, 0.25, 0.17, 0.13, 0.1}) {
        tried.angle_step = o.angle_step * part;
        if (worst_error(p, beam, tried, ways) <= most_error) return tried.angle_step;
    }
    return o.angle_step;
}

std::optional<Guard> of_profile(Physics const& physics, Phantom const& p, Beam const& beam,
                                Mode const& mode) {
    MarchOptions const& o = mode.options;
    constexpr double most = most_error, certain = 0.1;
    auto const ways = ways_of(physics, p, beam);
    if (ways[0].way.empty() || (beam.sigma_x == 0 && beam.divergence == 0 && !o.scattering))
        return {};
    double const error = worst_error(p, beam, o, ways);
    if (!(error > most)) return {};
    MarchOptions finer = o;
    for (double const part : {0.75, 0.5, 0.35, 0.25, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02}) {
        finer.angle_step = o.angle_step * part;
        if (worst_error(p, beam, finer, ways) < most / 2) break;
    }
    constexpr double degree = std::numbers::pi / 180;
    Guard g{.name = "angle_step", .value = 100 * error, .limit = 100 * most, .unit = "%"};
    g.severity = error > certain ? Severity::refusal : Severity::warning;
    double const nodes = 2 * beam.divergence / o.angle_step;
    g.text = fmt::format(
        "protons of {:g} MeV that fly in angles {:.3g} mrad apart make rays: the profile is off by "
        "up to {:.2g} % of its middle{}",
        beam.energy, 1e3 * o.angle_step, g.value,
        nodes > 0 && nodes < 7
            ? fmt::format(
                  " (a divergence of {:.3g} mrad spans {:.2g} of these angles from sigma to sigma)",
                  1e3 * beam.divergence, nodes)
            : "");
    g.key = "grid.angle_step";
    g.wanted = fmt::format("{:.2g} deg", finer.angle_step / degree);
    if (mode.dense) {
        double const more = o.angle_step / finer.angle_step;
        g.key = "dense.angles";
        g.wanted = fmt::format("{:.0f}", std::ceil(more * static_cast<double>(mode.dense->angles)));
    }
    return g;
}

std::optional<Guard> of_initial_angles(Beam const& beam, Mode const& mode) {
    double const step = mode.options.angle_step, window = mode.options.angle_window;
    if (!(beam.divergence > 0)) return {};
    double const lost = std::erfc((window + step / 2) / beam.divergence / std::numbers::sqrt2);
    constexpr double most = 1e-3, certain = 0.05;
    if (!(lost > most)) return {};
    constexpr double degree = std::numbers::pi / 180;
    Guard g{.name = "initial_angles", .value = 100 * lost, .limit = 100 * most, .unit = "%"};
    g.severity = lost > certain ? Severity::refusal : Severity::warning;
    g.text = fmt::format(
        "{:.2g} % of the protons begin outside of the window of angles ({:.3g} deg to each side, a "
        "divergence of {:.3g} deg), and are counted as lost there",
        g.value, window / degree, beam.divergence / degree);
    double const aside = std::abs(beam.angle) / degree;
    double const wanted = std::ceil(4 * beam.divergence / degree + (mode.dense ? aside : 0));
    if (mode.dense ? wanted > 180 : wanted + aside > 74) {
        g.text += "; no window is wide enough";
        return g;
    }
    g.key = mode.dense ? "dense.angle_window" : "grid.angle_window";
    g.wanted = fmt::format("{:g} deg", wanted);
    return g;
}

}  // namespace sluice::proton::guards
