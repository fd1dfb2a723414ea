// Lines across a beam that are marched without angles.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/guards/lines.h"

#include <algorithm>
#include <cmath>

#include "domain/proton/guards/way.h"

namespace sluice::proton::guards {
namespace {

// Lines side by side of which nothing drifts into another: as many as a march computes at least.
// The last two are the thinnest and densest columns of the beam, which say how all are cut into
// steps.
constexpr index lanes = 16, seen = lanes - 2;

}  // namespace

Lines::Lines(Physics const& physics, Phantom const& phantom, std::span<Beam const> layers,
             MarchOptions const& options)
    : physics_(physics),
      phantom_(phantom),
      layers_(layers),
      beam_(*std::ranges::max_element(layers, {}, &Beam::energy)),
      options_(options) {
    path_ = phantom.dz / std::cos(beam_.angle);
    auto const way = along(physics, phantom, beam_, 0);
    reach_ = 2 * sigma_at(beam_, way, end_of(phantom, way));
    edges();
}

Result<std::vector<Line>> Lines::march_in(index finer, double range_part) const {
    Phantom p;
    p.materials = phantom_.materials;
    p.planes = phantom_.planes * finer;
    p.columns = lanes;
    // Protons do not fly straight: where a plane takes a little more than a row, and another
    // column of it less than one, all of it goes in two parts.
    constexpr double longer = 1.0003;
    p.dz = longer * path_ / static_cast<double>(finer);
    p.dx = 1;
    p.x0 = -static_cast<double>(lanes) / 2;
    if (!phantom_.map.empty()) p.map = lay(finer);
    MarchOptions o;
    o.angle_step = o.angle_window = 0.01;
    o.range_step = range_part * (options_.range_step > 0 ? options_.range_step : path_);
    o.scattering = o.out_of_plane = false;
    o.straggling = options_.straggling;
    o.nuclear = options_.nuclear;
    o.threshold = options_.threshold;
    o.splitting = options_.splitting;
    o.let_map = true;
    o.device = Device::cpu(1);
    if (options_.progress) o.progress = [this](auto, auto) { return options_.progress(0, 1); };
    std::vector<Line> out;
    for (index x = 0; x < (p.map.empty() ? 1 : seen); ++x) out.push_back(empty_line(p, x));
    for (Beam const& layer : layers_) {
        Beam const beam{.energy = layer.energy,
                        .energy_spread = layer.energy_spread,
                        .sigma_x = static_cast<double>(lanes)};
        SLUICE_TRY(MarchResult const r, march(physics_, p, beam, o));
        for (index x = 0; x < std::ssize(out); ++x)
            add(out[static_cast<std::size_t>(x)], p, r, layer.weight, x, finer);
    }
    for (Line& l : out)
        for (std::size_t k = 0; k < l.let.size(); ++k) l.let[k] /= std::max(l.primary[k], 1e-300);
    return out;
}

void Lines::edges() {
    if (phantom_.map.empty()) return;
    auto const thinner = [&](std::uint16_t a, std::uint16_t b) {
        return phantom_.materials[a].electron_density < phantom_.materials[b].electron_density;
    };
    for (index k = 0; k < phantom_.planes; ++k) {
        // A march cuts its steps by the columns that have any of the beam: 8 sigmas at its end, and
        // what its window has beside them.
        double const depth = (static_cast<double>(k) + 0.5) * phantom_.dz;
        double const middle = beam_.x + depth * std::tan(beam_.angle);
        auto const column = [&](double x) {
            double const at = std::floor((x - phantom_.x0) / phantom_.dx);
            return static_cast<index>(
                std::clamp(at, 0.0, static_cast<double>(phantom_.columns - 1)));
        };
        auto const row = phantom_.map.begin() + k * phantom_.columns;
        double const side = 4 * reach_ + 2 * lanes * phantom_.dx;
        auto const [low, high] = std::minmax_element(row + column(middle - side),
                                                     row + column(middle + side) + 1, thinner);
        edges_.push_back({*low, *high});
    }
}

std::vector<std::uint16_t> Lines::lay(index finer) const {
    std::vector<std::uint16_t> map;
    for (index k = 0; k < phantom_.planes; ++k) {
        std::array<std::uint16_t, lanes> row{};
        for (index x = 0; x < seen; ++x) {
            double const side = static_cast<double>(2 * x) / (seen - 1) - 1;
            row[static_cast<std::size_t>(x)] = material_at(phantom_, beam_, reach_ * side, k);
        }
        auto const& [low, high] = edges_[static_cast<std::size_t>(k)];
        row[seen] = low;
        row[seen + 1] = high;
        for (index i = 0; i < finer; ++i) map.insert(map.end(), row.begin(), row.end());
    }
    return map;
}

Line Lines::empty_line(Phantom const& p, index x) const {
    Line l;
    for (auto* const v : {&l.energy, &l.primary, &l.let})
        v->resize(static_cast<std::size_t>(phantom_.planes));
    double water = 0;
    for (index k = 0; k < p.planes; ++k) {
        double const here = p.dz * physics_.relative_stopping_power(p.at(k, x), beam_.energy);
        // Thin planes say little of the dose in water, and their ends much of its noise.
        if (here > 0.2 * p.dz) {
            l.water.push_back(water + here / 2);
            l.dose.push_back(0);
        }
        water += here;
    }
    return l;
}

void Lines::add(Line& l, Phantom const& p, MarchResult const& r, double weight, index x,
                index finer) const {
    std::size_t dose = 0;
    for (index k = 0; k < p.planes; ++k) {
        auto const at = static_cast<std::size_t>(k * lanes + x);
        auto const plane = static_cast<std::size_t>(k / finer);
        double const e = weight * r.deposit[at];
        l.energy[plane] += e;
        l.let[plane] += weight * r.primary_let[at];
        l.primary[plane] += weight * r.primary[at];
        double const here = p.dz * physics_.relative_stopping_power(p.at(k, x), beam_.energy);
        if (here > 0.2 * p.dz) l.dose[dose++] += e / here;
    }
}

}  // namespace sluice::proton::guards
