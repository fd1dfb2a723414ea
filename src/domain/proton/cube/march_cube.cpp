// The dose of one beam by marches through slices of its grid.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "device/share_out.h"
#include "domain/proton/cube/beam_cube.h"
#include "domain/proton/cube/lead_in.h"
#include "domain/proton/cube/pencil_states.h"
#include "domain/proton/marching/grid.h"
#include "domain/proton/physics/constants.h"

namespace sluice::proton::cube {
namespace {

constexpr index slice_rows = 2;
constexpr double slice_reach = 4;

/// What a march leaves in a slice: doses to water times mm of its thickness, and these times LET,
/// [plane][column].
struct Slice {
    std::vector<float> dose, let, variance;  ///< variance: of y, mm2, by scattering
    double deposited = 0;                    ///< MeV
};

/// Marches the sheets of a beam, slice by slice.
class Slicing {
  public:
    Slicing(Patient const& patient, Fan const& fan, std::vector<Sheet> const& sheets,
            CubeOptions const& options, Run& run)
        : patient_(patient),
          fan_(fan),
          options_(options),
          run_(run),
          physics_(patient.water),
          rays_(patient, fan.frame),
          margin_(fine_margin(sheets, fan)),
          columns_(fan.columns + 2 * margin_) {
        Cubes& c = cube_.fine;
        c.pixel = fan.pixel;
        c.u0 = fan.u0 - static_cast<double>(margin_) * fan.pixel;
        c.v0 = fan.v0 - static_cast<double>(margin_) * fan.pixel;
        c.rows = fan.rows + 2 * margin_;
        c.columns = columns_;
        cube_.fan = fan;
        cube_.planes = fan.planes;
        for (Cubes* cubes : {&cube_.fine, &cube_.coarse}) {
            cubes->values.resize(3);
            for (auto& v : cubes->values) v.resize(static_cast<std::size_t>(fan.planes));
        }
        // Nothing is coarse.
        cube_.coarse.rows = cube_.coarse.columns = 2;
        air_ = static_cast<std::uint16_t>(patient.materials.size());
    }

    Status add(Sheet const& sheet) {
        LeadIn const lead = lead_in(physics_, sheet, fan_);
        // Along x the march scatters in the shifters; across its slices that is added here.
        Sheet const crossing = crosswise(lead, sheet);
        PencilState const state = begin_pencils(crossing, fan_);
        index const slices = fan_.rows / slice_rows;
        std::vector<Slice> all(static_cast<std::size_t>(slices));
        double const most = std::accumulate(state.protons.begin(), state.protons.end(), 0.0);
        share_out(slices, options_.threads, &run_, [&](index s, int) -> Status {
            SLUICE_CHECK(march_slice(s, state, lead, most, all[static_cast<std::size_t>(s)]));
            run_.done();
            return {};
        });
        SLUICE_CHECK(run_.status());
        for (Slice const& slice : all) cube_.deposited += slice.deposited;
        share_out(fan_.planes, options_.threads, &run_,
                  [&](index k, int) { spread_plane(k, crossing, state, all); });
        return run_.status();
    }

    BeamCube take() { return std::move(cube_); }

  private:
    Patient const& patient_;
    Fan const& fan_;
    CubeOptions const& options_;
    Run& run_;
    Physics physics_;
    Rays rays_;
    index margin_, columns_;
    std::uint16_t air_ = 0;
    BeamCube cube_;

    double u(index column) const { return fan_.u(static_cast<double>(column - margin_)); }

    // The materials of the slice's middle behind those of the way there. Rays part: columns are
    // laid where they are at each depth.
    Phantom phantom_of(index slice, LeadIn const& lead) const {
        Phantom p;
        p.materials = patient_.materials;
        p.materials.push_back(*material("air"));
        for (LeadIn::Plane const& plane : lead.planes) {
            Material const& last = p.materials.back();
            if (last.name != plane.material.name || last.density != plane.material.density)
                p.materials.push_back(plane.material);
            p.map.insert(p.map.end(), static_cast<std::size_t>(columns_),
                         static_cast<std::uint16_t>(p.materials.size() - 1));
        }
        p.planes = std::ssize(lead.planes) + fan_.planes;
        p.columns = columns_;
        p.dz = fan_.step;
        p.dx = fan_.pixel;
        p.x0 = u(0) - fan_.pixel / 2;
        double const row = static_cast<double>(slice * slice_rows) + (slice_rows - 1) / 2.0;
        for (index k = 0; k < fan_.planes; ++k) {
            double const z = fan_.z(static_cast<double>(k) + 0.5);
            for (index x = 0; x < columns_; ++x) {
                int const t = rays_.tissue_at(
                    {u(x) * fan_.frame.spread(0, z), fan_.v(row) * fan_.frame.spread(1, z), z});
                p.map.push_back(t < 0 ? air_ : static_cast<std::uint16_t>(t));
            }
        }
        return p;
    }

    // Planes behind the range are not marched.
    void shorten(Phantom& p, LeadIn const& lead, double range) const {
        std::vector<double> water(static_cast<std::size_t>(p.columns));
        for (LeadIn::Plane const& plane : lead.planes)
            for (double& w : water) w += p.dz * plane.stopping;
        index k = std::ssize(lead.planes);
        for (; k < p.planes; ++k) {
            if (*std::ranges::min_element(water) > 1.1 * range + 10) break;
            for (index x = 0; x < p.columns; ++x)
                water[static_cast<std::size_t>(x)] += p.dz * static_cast<double>(stopping(p, k, x));
        }
        p.planes = k;
        p.map.resize(static_cast<std::size_t>(k * p.columns));
    }

    float stopping(Phantom const& p, index plane, index column) const {
        std::uint16_t const t = p.map[static_cast<std::size_t>(plane * p.columns + column)];
        return t == air_ ? 0.00107F : patient_.stopping[t];
    }

    Status march_slice(index s, PencilState const& state, LeadIn const& lead, double all,
                       Slice& to) {
        std::vector<double> profile(static_cast<std::size_t>(columns_));
        for (index row = s * slice_rows; row < (s + 1) * slice_rows; ++row)
            for (index x = 0; x < fan_.columns; ++x)
                profile[static_cast<std::size_t>(x + margin_)] += static_cast<double>(
                    state.protons[static_cast<std::size_t>(row * fan_.columns + x)]);
        double const protons = std::accumulate(profile.begin(), profile.end(), 0.0);
        if (!(protons > 2e-5 * all)) return {};
        for (double& p : profile) p /= protons;
        blur(profile, own_sigma * own_sigma);
        Beam beam{.energy = lead.energy,
                  .energy_spread = state.sheet->spread,
                  .x = u(columns_ / 2),
                  .sigma_x = 1,
                  .weight = protons};
        MarchOptions o;
        o.threads = 1;
        // Air takes a thousandth of a plane: in whole rows it would smear the edge.
        if (!lead.planes.empty()) o.range_step = fan_.step / 2;
        o.profile = std::move(profile);
        o.let_map = options_.let;
        o.device =
            options_.device.kind() == Device::Kind::reference ? options_.device : Device::cpu(1);
        o.progress = [this](std::uint64_t, std::uint64_t) { return run_.wanted(); };
        Phantom phantom = phantom_of(s, lead);
        shorten(phantom, lead, physics_.range(beam.energy));
        SLUICE_TRY(MarchResult const r, march(physics_, phantom, beam, o));
        keep(phantom, r, std::ssize(lead.planes), *state.sheet, to);
        return {};
    }

    // A sheet that has across the slices what range shifters scatter, and along them not.
    static Sheet crosswise(LeadIn const& lead, Sheet const& sheet) {
        Sheet out = lead.sheet;
        out.moments[1] = sheet.moments[1];
        return out;
    }

    // By a variance in pixels squared.
    template <class Real>
    static void blur(std::vector<Real>& line, double variance) {
        if (variance < 1e-3) return;
        auto const side = static_cast<index>(std::ceil(5 * std::sqrt(variance))) + 1;
        std::vector<double> const parts = marching::spread(2 * side + 1, side, variance);
        std::vector<double> to(line.size());
        for (index x = 0; x < std::ssize(line); ++x)
            for (index d = -side; d <= side; ++d)
                if (x + d >= 0 && x + d < std::ssize(line))
                    to[static_cast<std::size_t>(x + d)] +=
                        static_cast<double>(line[static_cast<std::size_t>(x)]) *
                        parts[static_cast<std::size_t>(side + d)];
        for (std::size_t x = 0; x < line.size(); ++x) line[x] = static_cast<Real>(to[x]);
    }

    // From the plane `first` on.
    void keep(Phantom const& p, MarchResult const& r, index first, Sheet const& sheet, Slice& to) {
        double const cell = p.dz * p.dx;
        for (index k = first; k < p.planes; ++k)
            for (index x = 0; x < p.columns; ++x) {
                auto const i = static_cast<std::size_t>(k * p.columns + x);
                // What stops nothing gets no dose.
                auto const stops = static_cast<double>(stopping(p, k, x));
                double const d = stops > 0 ? r.deposit[i] * gray_mm2 / cell / stops : 0;
                to.deposited += r.deposit[i];
                to.dose.push_back(static_cast<float>(d));
                if (!options_.let) continue;
                double const all = r.primary[i] + r.secondary[i];
                to.let.push_back(static_cast<float>(
                    all > 0 ? d * (r.primary_let[i] + r.secondary_let[i]) / all : 0));
            }
        std::vector<double> water(static_cast<std::size_t>(p.columns), sheet.water);
        std::vector<Moments> moments(water.size());
        for (index k = first; k < p.planes; ++k)
            for (index x = 0; x < p.columns; ++x) {
                auto const i = static_cast<std::size_t>(x);
                std::uint16_t const tissue = p.map[static_cast<std::size_t>(k * p.columns + x)];
                double const scatter =
                    tissue == air_ ? 0.001 : static_cast<double>(patient_.scattering[tissue]);
                double const more = p.dz * static_cast<double>(stopping(p, k, x));
                double const depth = std::min(water[i] + more / 2, sheet.kernel->range());
                double const t = sheet.kernel->scattering(depth) * scatter;
                to.variance.push_back(static_cast<float>(moments[i].after(p.dz / 2, t).place *
                                                         sheet.kernel->widening(depth)));
                moments[i] = moments[i].after(p.dz, t);
                water[i] += more;
            }
    }

    // Slices are spread along y as pencils are, and all by what spots widen on their way.
    void spread_plane(index k, Sheet const& sheet, PencilState const& state,
                      std::vector<Slice> const& all) {
        double const plane = static_cast<double>(k) + 0.5, z = fan_.z(plane);
        double const way = plane * fan_.step, pixel = fan_.pixel, square = pixel * pixel;
        double m[2], extra[2];
        for (std::size_t a = 0; a < 2; ++a) {
            m[a] = fan_.frame.spread(static_cast<int>(a), z);
            extra[a] =
                std::max(0.0, sheet.moments[a].at(way) / (m[a] * m[a]) - state.least[a]) / square;
        }
        auto const room = [&](std::size_t channel) -> std::vector<float>& {
            auto& v = cube_.fine.values[channel][static_cast<std::size_t>(k)];
            if (v.empty()) v.resize(static_cast<std::size_t>(cube_.fine.rows * cube_.fine.columns));
            return v;
        };
        for (std::size_t s = 0; s < all.size(); ++s) {
            auto const from = static_cast<std::size_t>(k * columns_);
            if (all[s].dose.size() < from + static_cast<std::size_t>(columns_)) continue;
            // mm of y, and rays that are farther apart than at the isocentre.
            double const by = 1 / (pixel * m[0] * m[1]);
            auto const line = [&](std::vector<float> const& v) {
                std::vector<float> own;
                if (!v.empty())
                    own.assign(v.begin() + k * columns_, v.begin() + (k + 1) * columns_);
                blur(own, extra[0]);
                return own;
            };
            std::vector<float> const dose = line(all[s].dose), let = line(all[s].let);
            for (index x = 0; x < columns_; ++x) {
                auto const column = static_cast<std::size_t>(x), i = from + column;
                if (dose[column] == 0) continue;
                double const own = (static_cast<double>(slice_rows * slice_rows) - 1) / 12;
                double const variance =
                    static_cast<double>(all[s].variance[i]) / (m[1] * m[1] * square) + extra[1] +
                    std::max(own_sigma * own_sigma, own);
                double const narrow = 0.5 / variance;
                double const middle = static_cast<double>(margin_) +
                                      static_cast<double>(s * slice_rows) + (slice_rows - 1) / 2.0;
                double const far = slice_reach * std::sqrt(variance);
                auto const low = std::max<index>(0, static_cast<index>(std::ceil(middle - far)));
                auto const high =
                    std::min(cube_.fine.rows - 1, static_cast<index>(std::floor(middle + far)));
                double sum = 0;
                for (index y = low; y <= high; ++y)
                    sum += std::exp(-narrow * std::pow(static_cast<double>(y) - middle, 2));
                for (index y = low; y <= high; ++y) {
                    double const part =
                        by * std::exp(-narrow * std::pow(static_cast<double>(y) - middle, 2)) / sum;
                    auto const at = static_cast<std::size_t>(y * columns_ + x);
                    room(0)[at] += static_cast<float>(part * static_cast<double>(dose[column]));
                    if (options_.let)
                        room(1)[at] += static_cast<float>(part * static_cast<double>(let[column]));
                }
            }
        }
    }
};

}  // namespace

index slices_of(Fan const& fan, std::vector<Sheet> const& sheets) {
    return fan.rows / slice_rows * std::ssize(sheets);
}

Result<BeamCube> march_cube(Patient const& patient, Fan const& fan,
                            std::vector<Sheet> const& sheets, CubeOptions const& options,
                            Run& run) {
    Slicing slicing(patient, fan, sheets, options, run);
    for (Sheet const& sheet : sheets) SLUICE_CHECK(slicing.add(sheet));
    return slicing.take();
}

}  // namespace sluice::proton::cube
