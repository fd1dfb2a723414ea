// Spots for a target: rays through it, layers that end in it, weights that make the dose flat.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/run.h"
#include "device/share_out.h"
#include "domain/proton/sobp/least_squares.h"
#include "domain/proton/target/grown.h"
#include "domain/proton/target/layers.h"
#include "domain/proton/target/rays.h"
#include "sluice/proton_target.h"

namespace sluice::proton {
namespace {

using target::Layer;
using target::Ray;

Status check(TargetOptions const& o) {
    auto const bad = [](std::string text) {
        return Error{Code::invalid_argument, std::move(text)};
    };
    if (o.gantry.empty()) return bad("no beam; give the angle of a gantry");
    if (o.couch.size() != 1 && o.couch.size() != o.gantry.size())
        return bad(
            fmt::format("{} angles of the gantry and {} of the couch; give one couch for all "
                        "or one for each",
                        o.gantry.size(), o.couch.size()));
    for (auto const* const all : {&o.gantry, &o.couch})
        for (double const angle : *all)
            if (!(std::abs(angle) <= 360))
                return bad(fmt::format("an angle of {:g} degrees", angle));
    if (!o.isocentre.empty() && o.isocentre.size() != 3)
        return bad("an isocentre is three numbers, x, y and z in mm");
    if (!(o.dose > 0 && o.dose <= 1e6)) return bad(fmt::format("a dose of {:g} Gy", o.dose));
    if (o.fractions < 1) return bad("there is one fraction at least");
    if (!(o.margin >= 0 && o.margin <= 50))
        return bad(fmt::format("a margin of {:g} mm; give 0 to 50", o.margin));
    if (!(o.spacing >= 0.5 && o.spacing <= 50))
        return bad(fmt::format("spots {:g} mm apart; give 0.5 to 50", o.spacing));
    if (!(o.layer_spacing >= 0.5 && o.layer_spacing <= 50))
        return bad(fmt::format("layers {:g} mm apart; give 0.5 to 50", o.layer_spacing));
    return {};
}

/// Elements of the target; those that lie in it by half.
struct Voxels {
    std::vector<std::uint16_t> inside;
    std::array<double, 3> middle{};
    double part = 1;  ///< of its volume in the image
};

Result<Voxels> voxels_of(Volume const& ct, Structure const& target) {
    auto const parts_of_it = structure_parts(target, ct);
    if (!parts_of_it)
        return Error{parts_of_it.error().code,
                     fmt::format("structure '{}': {}", target.name, parts_of_it.error().message)};
    StructureParts const& parts = *parts_of_it;
    Voxels v;
    v.part = parts.volume_cm3 > 0 ? parts.inside_cm3 / parts.volume_cm3 : 1;
    v.inside.resize(parts.parts.values.size());
    double sum = 0;
    for (std::size_t i = 0; i < v.inside.size(); ++i) {
        auto const part = static_cast<double>(parts.parts.values[i]);
        v.inside[i] = part >= 0.5 ? 1 : 0;
        if (part <= 0) continue;
        auto const at = place_of_element(ct, static_cast<index>(i));
        for (std::size_t a = 0; a < 3; ++a) v.middle[a] += part * at[a];
        sum += part;
    }
    if (std::ranges::find(v.inside, 1) == v.inside.end())
        return Error{Code::invalid_argument,
                     fmt::format("structure '{}' fills no voxel of the image by half; is it of "
                                 "this CT?",
                                 target.name)};
    for (double& m : v.middle) m /= sum;
    return v;
}

/// Protons of each layer on a ray, so that depth doses add up to `dose` in the target.
std::vector<double> weights_of(Ray const& ray, std::vector<Layer> const& layers, double dose,
                               double spacing, double layer_spacing) {
    std::vector<std::size_t> used;
    for (std::size_t k = 0; k < layers.size(); ++k) {
        // The place of the ray where the layer's range ends, if it is in the target.
        bool const ends_inside = std::ranges::any_of(ray.inside, [&](target::Depth const& d) {
            return std::abs(static_cast<double>(d.water) - layers[k].range) <= layer_spacing / 2;
        });
        if (ends_inside) used.push_back(k);
    }
    std::vector<double> all(layers.size());
    if (used.empty()) return all;
    // A dose for each mm of water is enough.
    std::vector<target::Depth> at;
    for (target::Depth const& d : ray.inside)
        if (at.empty() || std::abs(d.water - at.back().water) >= 1) at.push_back(d);
    std::vector<std::vector<double>> parts;
    for (std::size_t const k : used) {
        std::vector<double>& line = parts.emplace_back();
        for (target::Depth const& d : at) {
            double const depth = static_cast<double>(d.water) + layers[k].before;
            auto const m = layers[k].kernel.front().mean(std::max(0.0, depth - 0.5), depth + 0.5);
            line.push_back((m.core + m.halo) / (spacing * spacing * static_cast<double>(d.wide)));
        }
    }
    // In units of what one layer alone would need.
    double most = 0;
    for (auto const& line : parts) most = std::max(most, *std::ranges::max_element(line));
    if (most <= 0) return all;
    for (auto& line : parts)
        for (double& d : line) d /= most;
    std::vector<double> weights(used.size(), 1 / static_cast<double>(used.size()));
    least_squares(parts, 1, weights);
    for (std::size_t i = 0; i < used.size(); ++i) all[used[i]] = weights[i] * dose / most;
    return all;
}

class Placing {
  public:
    Placing(Patient const& patient, Volume const& ct, Structure const& target,
            Machine const& machine, TargetOptions const& options)
        : patient_(patient), ct_(ct), target_(target), machine_(machine), o_(options) {}

    Result<TargetPlan> run() {
        SLUICE_CHECK(check(o_));
        SLUICE_TRY(Voxels const voxels, voxels_of(ct_, target_));
        if (voxels.part < 0.999)
            tell("target_outside", 100 * (1 - voxels.part), "%",
                 fmt::format("{:.1f} % of the target lie outside of the image and get no spots",
                             100 * (1 - voxels.part)));
        inside_ = target::grown(voxels.inside, patient_.shape, patient_.spacing, o_.margin);
        out_.plan.label = target_.name;
        out_.plan.patient_position = o_.patient_position;
        out_.plan.unit = MetersetUnit::protons;
        out_.plan.fractions = o_.fractions;
        Run run(o_.progress, static_cast<index>(o_.gantry.size()) * steps_a_beam,
                "no spots are left");
        for (std::size_t i = 0; i < o_.gantry.size(); ++i) {
            IonBeam beam{.number = static_cast<int>(i) + 1,
                         .name = fmt::format("G{:g}", o_.gantry[i]),
                         .gantry = o_.gantry[i],
                         .couch = o_.couch[o_.couch.size() == 1 ? 0 : i],
                         .isocentre = voxels.middle,
                         .source = machine_.source};
            if (!o_.isocentre.empty()) std::ranges::copy(o_.isocentre, beam.isocentre.begin());
            SLUICE_CHECK(place(beam, run));
            out_.plan.beams.push_back(std::move(beam));
        }
        return std::move(out_);
    }

  private:
    static constexpr index steps_a_beam = 3;

    Patient const& patient_;
    Volume const& ct_;
    Structure const& target_;
    Machine const& machine_;
    TargetOptions const& o_;
    std::vector<std::uint16_t> inside_;
    TargetPlan out_;

    void tell(std::string name, double value, std::string unit, std::string text) {
        Guard g{.name = std::move(name), .value = value, .unit = std::move(unit)};
        g.text = std::move(text);
        out_.guards.push_back(std::move(g));
    }

    Status place(IonBeam& beam, Run& run) {
        SLUICE_TRY(cube::Frame const frame, cube::frame_of(beam, o_.patient_position));
        double const top = cube::box_of(frame, patient_)[2][1];
        if (top > *std::ranges::min_element(beam.source) - 100)
            return Error{Code::invalid_argument,
                         fmt::format("beam {}: the virtual source lies in or near the image, which "
                                     "begins {:.0f} mm before the isocentre",
                                     beam.number, top)};
        int const threads = Device::cpu(o_.threads).threads();
        // Stops when the beam does, and counts nothing.
        Run quiet([&](index) { return run.wanted(); }, "no spots are left");
        std::vector<Ray> const rays =
            target::rays_through(patient_, inside_, frame, o_.spacing, threads, quiet);
        SLUICE_CHECK(quiet.check());
        if (rays.empty())
            return Error{Code::invalid_argument,
                         fmt::format("beam {}: no ray goes through the target; give a smaller "
                                     "spacing of spots",
                                     beam.number)};
        run.done();
        TargetBeam told{.shallowest = 1e30};
        for (Ray const& r : rays)
            for (target::Depth const& d : r.inside) {
                told.shallowest = std::min(told.shallowest, static_cast<double>(d.water));
                told.deepest = std::max(told.deepest, static_cast<double>(d.water));
            }
        SLUICE_TRY(std::vector<Layer> const layers,
                   target::layers_for(machine_, patient_.water, top, told.shallowest, told.deepest,
                                      o_, quiet));
        run.done();
        check_shallow(beam, rays, layers.back());
        std::vector<std::vector<double>> weights(rays.size());
        double const dose = o_.dose / static_cast<double>(o_.gantry.size());
        share_out(std::ssize(rays), threads, &run, [&](index i, int) {
            auto const k = static_cast<std::size_t>(i);
            weights[k] = weights_of(rays[k], layers, dose, o_.spacing, o_.layer_spacing);
        });
        run.done();
        SLUICE_CHECK(run.status());
        for (std::size_t l = 0; l < layers.size(); ++l) {
            PlanLayer layer{.energy = layers[l].nominal};
            for (std::size_t k = 0; k < rays.size(); ++k)
                if (weights[k][l] > 0) layer.spots.push_back({rays[k].u, rays[k].v, weights[k][l]});
            if (layer.spots.empty()) continue;
            told.spots += std::ssize(layer.spots);
            beam.layers.push_back(std::move(layer));
        }
        told.layers = std::ssize(beam.layers);
        out_.beams.push_back(told);
        return {};
    }

    void check_shallow(IonBeam const& beam, std::vector<Ray> const& rays, Layer const& lowest) {
        index shallow = 0;
        for (Ray const& r : rays)
            shallow += std::ranges::any_of(r.inside, [&](target::Depth const& d) {
                return static_cast<double>(d.water) < lowest.range - o_.layer_spacing;
            });
        if (shallow == 0) return;
        double const part = 100 * static_cast<double>(shallow) / static_cast<double>(rays.size());
        tell(
            "target_too_shallow", part, "%",
            fmt::format("{:.1f} % of the rays of beam {} need less range than the machine's lowest "
                        "energy, {:g} MeV ({:.0f} mm of water), has; no range shifter is placed",
                        part, beam.number, lowest.nominal, lowest.range));
    }
};

}  // namespace

Result<TargetPlan> place_spots(Patient const& patient, Volume const& ct, Structure const& target,
                               Machine const& machine, TargetOptions const& options) {
    if (machine.energies.empty())
        return Error{Code::invalid_argument, "the machine has no energies"};
    return Placing(patient, ct, target, machine, options).run();
}

}  // namespace sluice::proton
