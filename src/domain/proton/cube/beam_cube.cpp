// The dose of one beam on its own grid, slab by slab.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/cube/beam_cube.h"

#include <algorithm>
#include <cmath>

#include "device/per_worker.h"
#include "device/share_out.h"
#include "domain/proton/cube/plane_pencils.h"
#include "domain/proton/cube/spread.h"
#include "domain/proton/physics/constants.h"

namespace sluice::proton::cube {
namespace {

constexpr double margin_reach = 4;

index coarse_margin(std::vector<Sheet> const& sheets, Fan const& fan) {
    double widest = 0;
    for (Sheet const& s : sheets) {
        double spot = 0, halo = 0;
        for (Moments const& m : s.moments)
            spot = std::max({spot, m.at(0), m.at(static_cast<double>(fan.planes) * fan.step)});
        for (double z = 0; z < s.kernel->end(); z += 5)
            halo = std::max(halo, s.kernel->halo_variance(z));
        widest = std::max(widest, std::sqrt(spot + halo));
    }
    return static_cast<index>(std::ceil(margin_reach * widest / fan.pixel / coarse_side));
}

/// Works a beam's planes down.
class Beaming {
  public:
    Beaming(Patient const& patient, Fan const& fan, std::vector<Sheet> const& sheets,
            CubeOptions const& options, Run& run)
        : fan_(fan),
          options_(options),
          run_(run),
          rays_of_(patient, fan.frame),
          steps_(fan, rays_, options),
          margin_(fine_margin(sheets, fan)),
          coarse_margin_(coarse_margin(sheets, fan)),
          spread_(spread_kernels(options.device).spread),
          scratch_(options.threads) {
        for (Sheet const& s : sheets) states_.push_back(begin_pencils(s, fan));
        water_.resize(static_cast<std::size_t>(fan.rows * fan.columns));
        pencils_.resize(slab_planes);
        cube_.fan = fan;
        int const channels = options.let ? 2 : 1;
        begin_cubes(cube_.fine, channels, 1, margin_, fan.rows, fan.columns);
        begin_cubes(cube_.coarse, 3, coarse_side, coarse_margin_, fan.rows / coarse_side,
                    fan.columns / coarse_side);
    }

    Result<BeamCube> run() {
        for (index first = 0; first < fan_.planes && !all_done(); first += slab_planes) {
            rays_.first = first;
            rays_.count = std::min(slab_planes, fan_.planes - first);
            SLUICE_CHECK(trace_rays());
            for (PencilState& s : states_) {
                if (!s.done) SLUICE_CHECK(take(s));
                run_.done();
            }
            cube_.planes = first + rays_.count;
        }
        SLUICE_CHECK(run_.status());
        for (PencilState const& s : states_)
            for (double const d : s.deposited) cube_.deposited += d / gray_mm2;
        cube_.cut = all_ > 0 ? cut_ / all_ : 0;
        return std::move(cube_);
    }

  private:
    Fan const& fan_;
    CubeOptions const& options_;
    Run& run_;
    Rays rays_of_;
    RaySlab rays_;
    PencilSteps steps_;
    index margin_, coarse_margin_;
    Spread spread_;
    PerWorker<SpreadScratch> scratch_;
    std::vector<PencilState> states_;
    std::vector<float> water_;
    std::vector<PlanePencils> pencils_;
    BeamCube cube_;
    double all_ = 0, cut_ = 0;

    void begin_cubes(Cubes& c, int channels, index side, index margin, index rows,
                     index columns) const {
        c.pixel = fan_.pixel * static_cast<double>(side);
        double const middle = (static_cast<double>(side) - 1) / 2 * fan_.pixel;
        c.u0 = fan_.u0 + middle - static_cast<double>(margin) * c.pixel;
        c.v0 = fan_.v0 + middle - static_cast<double>(margin) * c.pixel;
        c.rows = rows + 2 * margin;
        c.columns = columns + 2 * margin;
        c.values.resize(static_cast<std::size_t>(channels));
        for (auto& v : c.values) v.resize(static_cast<std::size_t>(fan_.planes));
    }

    bool all_done() const { return std::ranges::all_of(states_, &PencilState::done); }

    Status trace_rays() {
        auto const plane = fan_.rows * fan_.columns;
        auto const room = static_cast<std::size_t>(plane * rays_.count);
        for (auto* v : {&rays_.stopping, &rays_.scattering, &rays_.water}) v->resize(room);
        share_out(fan_.rows, options_.threads, &run_, [&](index row, int) {
            for (index k = 0; k < rays_.count; ++k) {
                double const z = fan_.z(static_cast<double>(rays_.first + k) + 0.5);
                double const mx = fan_.frame.spread(0, z), my = fan_.frame.spread(1, z);
                for (index x = 0; x < fan_.columns; ++x) {
                    auto const i = static_cast<std::size_t>(row * fan_.columns + x);
                    auto const at = static_cast<std::size_t>(k * plane) + i;
                    double const u = fan_.u(static_cast<double>(x)),
                                 v = fan_.v(static_cast<double>(row));
                    Rays::Here const here = rays_of_.at({u * mx, v * my, z});
                    rays_.stopping[at] = here.stopping;
                    rays_.scattering[at] = here.scattering;
                    rays_.water[at] = water_[i];
                    water_[i] += here.stopping * static_cast<float>(fan_.step * fan_.stretch(u, v));
                }
            }
        });
        rays_.uniform.resize(static_cast<std::size_t>(rays_.count));
        for (index k = 0; k < rays_.count; ++k) {
            auto const from = rays_.stopping.begin() + k * plane;
            auto const [least, most] = std::minmax_element(from, from + plane);
            rays_.uniform[static_cast<std::size_t>(k)] = *least == *most ? 1 : 0;
        }
        return run_.status();
    }

    Status take(PencilState& s) {
        index const blocks = fan_.rows / coarse_side;
        share_out(rays_.count, options_.threads, &run_,
                  [&](index k, int) { steps_.clear(pencils_[static_cast<std::size_t>(k)]); });
        std::vector<char> goes_on(static_cast<std::size_t>(blocks));
        share_out(blocks, options_.threads, &run_, [&](index b, int) {
            goes_on[static_cast<std::size_t>(b)] = steps_.through(b, s, pencils_) ? 1 : 0;
        });
        SLUICE_CHECK(run_.status());
        s.done = std::ranges::none_of(goes_on, [](char c) { return c != 0; });
        share_out(rays_.count, options_.threads, &run_,
                  [&](index k, int worker) { spread_plane(k, scratch_[worker]); });
        for (index k = 0; k < rays_.count; ++k) {
            all_ += pencils_[static_cast<std::size_t>(k)].all;
            cut_ += pencils_[static_cast<std::size_t>(k)].cut;
        }
        return run_.status();
    }

    void spread_plane(index k, SpreadScratch& scratch) {
        PlanePencils& p = pencils_[static_cast<std::size_t>(k)];
        steps_.finish_changes(p);
        steps_.gather(p);
        steps_.reaches(p, margin_, coarse_margin_);
        if (!p.any) return;
        auto const plane = static_cast<std::size_t>(rays_.first + k);
        auto const room = [plane](Cubes& c, std::size_t channel) {
            auto& v = c.values[channel][plane];
            if (v.empty()) v.resize(static_cast<std::size_t>(c.rows * c.columns));
            return v.data();
        };
        Pencils fine{.rows = fan_.rows, .columns = fan_.columns, .line = fan_.columns};
        fine.reach = p.reach.data();
        fine.margin = margin_;
        Pencils coarse{.rows = fan_.rows / coarse_side,
                       .columns = fan_.columns / coarse_side,
                       .line = fan_.columns / coarse_side};
        coarse.reach = p.coarse_reach.data();
        coarse.margin = coarse_margin_;
        fine.channels = coarse.channels = options_.let ? 2 : 1;
        for (std::size_t c = 0; c < 2; ++c) {
            fine.narrow[c] = p.narrow[c].data();
            coarse.narrow[c] = p.coarse_narrow[c].data();
            if (c == 1 && !options_.let) continue;
            fine.weight[c] = p.weight[c].data();
            coarse.weight[c] = p.coarse[c].data();
            fine.out[c] = room(cube_.fine, c);
            coarse.out[c] = room(cube_.coarse, c);
        }
        scratch.make_room(std::max(fine.columns, coarse.columns),
                          std::max(margin_, coarse_margin_));
        spread_(fine, scratch);
        spread_(coarse, scratch);
        if (!options_.error) return;
        for (std::size_t side = 0; side < 2; ++side) {
            Pencils changed = coarse;
            changed.channels = 1;
            changed.reach = p.changed_reach[side].data();
            changed.weight[0] = p.changed[side].data();
            changed.narrow[0] = changed.narrow[1] = p.changed_narrow[side].data();
            changed.out[0] = room(cube_.coarse, 2);
            spread_(changed, scratch);
        }
    }
};

}  // namespace

index fine_margin(std::vector<Sheet> const& sheets, Fan const& fan) {
    double widest = 0;
    for (Sheet const& s : sheets) {
        double spot = 0;
        for (Moments const& m : s.moments)
            spot = std::max({spot, m.at(0), m.at(static_cast<double>(fan.planes) * fan.step)});
        widest = std::max(widest, std::hypot(3 + 0.04 * s.kernel->range(), 0.5 * std::sqrt(spot)));
    }
    return static_cast<index>(std::ceil(margin_reach * widest / fan.pixel));
}

index steps_of(Fan const& fan, std::vector<Sheet> const& sheets) {
    return (fan.planes + slab_planes - 1) / slab_planes * std::ssize(sheets);
}

Result<BeamCube> beam_cube(Patient const& patient, Fan const& fan, std::vector<Sheet> const& sheets,
                           CubeOptions const& options, Run& run) {
    return Beaming(patient, fan, sheets, options, run).run();
}

}  // namespace sluice::proton::cube
