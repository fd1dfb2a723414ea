// A plan's beams as sheets of spots: what a machine makes of its layers.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/cube/plan_sheets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/proton/cube/beam_cube.h"

namespace sluice::proton::cube {
namespace {

constexpr double fwhm = 2.3548200450309493;

std::string place_of(IonBeam const& beam, PlanLayer const& layer) {
    return fmt::format("beam {}{}, layer of {:g} MeV", beam.number,
                       beam.name.empty() ? "" : " '" + beam.name + "'", layer.energy);
}

void note_once(std::vector<std::string>& notes, std::string text) {
    if (std::ranges::find(notes, text) == notes.end()) notes.push_back(std::move(text));
}

Status check_beam(IonBeam const& beam) {
    for (double const s : beam.source)
        if (!(s > 100))
            return Error{Code::invalid_argument,
                         fmt::format("beam {}: its virtual source is {:g} mm from the isocentre; "
                                     "give the distances (VirtualSourceAxisDistances)",
                                     beam.number, s)};
    return {};
}

// Spots without a weight take no part.
void add_spots(PlanLayer const& layer, double protons, Sheet& to) {
    for (PlanSpot s : layer.spots) {
        s.meterset *= protons;
        if (s.meterset > 0) to.spots.push_back(s);
    }
}

}  // namespace

Result<Delivered> Machinery::by_plan(IonBeam const& beam, PlanLayer const& layer) const {
    auto const missing = [&](std::string what) {
        return Error{Code::invalid_argument, place_of(beam, layer) + ": " + std::move(what)};
    };
    if (!(layer.fwhm[0] > 0 && layer.fwhm[1] > 0))
        return missing("the plan does not tell how wide its spots are; give a machine, or fwhm");
    if (!options_.energy_spread)
        return missing(
            "the plan does not tell how far its energies spread; give a machine, or energy_spread");
    Delivered d;
    d.energy.nominal = d.energy.mean = layer.energy;
    d.energy.spread = *options_.energy_spread;
    SpotGaussian spot;
    for (std::size_t a = 0; a < 2; ++a) spot.sigma[a] = layer.fwhm[a] / fwhm;
    d.energy.spots = {spot};
    return d;
}

Result<Delivered> Machinery::deliver(IonBeam const& beam, PlanLayer const& layer,
                                     std::vector<std::string>& notes) {
    Delivered d;
    if (machine_) {
        auto setting = setting_of(*machine_, layer.energy);
        if (!setting)
            return Error{setting.error().code,
                         place_of(beam, layer) + ": " + setting.error().message};
        d.energy = std::move(setting->energy);
        d.way = {.from = machine_->plane, .air = !machine_->air_included};
        if (!d.energy.kernel.depth.empty()) d.way.kernel_air = machine_->kernel_air;
        if (setting->interpolated) between_.insert(layer.energy);
        if (options_.energy_spread) {
            if (!d.energy.kernel.depth.empty())
                return Error{Code::invalid_argument,
                             "energy_spread is of depth doses that are marched, and the machine "
                             "has its own; leave it out"};
            d.energy.spread = *options_.energy_spread;
        }
    } else {
        SLUICE_TRY(d, by_plan(beam, layer));
        note_once(notes,
                  "spots: as wide as the plan says in air at the isocentre, and the same before "
                  "and behind it; protons have the nominal energy where they enter the image or "
                  "a range shifter");
    }
    if (plan_.unit == MetersetUnit::protons) {
        if (options_.protons_per_mu > 0)
            note_once(notes, "protons_per_mu is not used: the plan counts protons");
        return d;
    }
    d.protons_per_unit =
        options_.protons_per_mu > 0 ? options_.protons_per_mu : d.energy.protons_per_mu;
    if (options_.protons_per_mu > 0)
        note_once(notes, fmt::format("a monitor unit is {:g} protons, as it was given",
                                     options_.protons_per_mu));
    if (!(d.protons_per_unit > 0))
        return Error{Code::invalid_argument,
                     place_of(beam, layer) +
                         ": the plan counts monitor units, and nobody says how many protons one "
                         "is; give protons_per_mu, or a machine that tells"};
    return d;
}

std::vector<std::string> Machinery::notes() const {
    if (between_.empty()) return {};
    std::vector<std::string> all;
    all.push_back(
        fmt::format("energies of the plan that lie between those of the machine, and are "
                    "interpolated: {}, {:g} to {:g} MeV",
                    between_.size(), *between_.begin(), *between_.rbegin()));
    return all;
}

Result<PreparedBeam> prepare(IonPlan const& plan, IonBeam const& beam, Patient const& patient,
                             Machinery& machinery, DoseOptions const& o,
                             std::vector<std::string>& notes) {
    SLUICE_CHECK(check_beam(beam));
    PreparedBeam b;
    SLUICE_TRY(b.fan.frame, frame_of(beam, plan.patient_position));
    auto const box = box_of(b.fan.frame, patient);
    b.fan.step = o.step;
    b.fan.pixel = o.pixel;
    b.fan.top = box[2][1];
    b.bottom = box[2][0];
    std::vector<Delivered> delivered;
    for (PlanLayer const& layer : beam.layers) {
        SLUICE_TRY(delivered.emplace_back(), machinery.deliver(beam, layer, notes));
        double const mean = delivered.back().energy.mean;
        if (!(mean >= 20 && mean <= 300))
            return Error{Code::invalid_argument,
                         place_of(beam, layer) +
                             fmt::format(": protons of {:g} MeV; a dose is computed for 20 to 300 "
                                         "MeV",
                                         mean)};
        for (RangeShifter const& s : layer.shifters) b.fan.top = std::min(b.fan.top, s.distance);
        if (delivered.back().way.from > 0)
            b.fan.top = std::min(b.fan.top, delivered.back().way.from);
    }
    for (double const s : beam.source)
        if (b.fan.top > s - 100)
            return Error{
                Code::invalid_argument,
                fmt::format("beam {}: its virtual source, {:g} mm from the isocentre, lies "
                            "in or near the image, which begins {:.0f} mm before it; is "
                            "the distance in mm?",
                            beam.number, s, b.fan.top)};
    Physics const physics(patient.water);
    for (std::size_t i = 0; i < beam.layers.size(); ++i) {
        PlanLayer const& layer = beam.layers[i];
        Delivered const& d = delivered[i];
        double const fractions = o.single_fraction ? 1 : plan.fractions;
        WayIn way = d.way;
        way.to = b.fan.top;
        for (SpotGaussian const& g : d.energy.spots) {
            Sheet sheet{.energy = d.energy.mean, .spread = d.energy.spread, .own = d.energy.kernel};
            for (std::size_t a = 0; a < 2; ++a)
                sheet.moments[a] = {g.sigma[a] * g.sigma[a], g.covariance[a],
                                    g.divergence[a] * g.divergence[a]};
            add_spots(layer, d.protons_per_unit * fractions * g.weight, sheet);
            if (sheet.spots.empty()) continue;
            auto entered = enter(physics, d.energy.mean, layer.shifters, way, sheet);
            if (!entered)
                return Error{entered.error().code,
                             place_of(beam, layer) + ": " + entered.error().message};
            for (PlanSpot const& s : sheet.spots) b.protons += s.meterset;
            b.sheets.push_back(std::move(sheet));
        }
    }
    if (b.sheets.empty())
        return Error{Code::invalid_argument,
                     fmt::format("beam {} has no spot with a weight above 0", beam.number)};
    b.fan.planes = static_cast<index>(std::ceil((b.fan.top - b.bottom) / b.fan.step));
    b.fan.pixel = pixel_for(b.sheets, b.fan, o.pixel);
    if (b.fan.pixel < o.pixel)
        notes.push_back(fmt::format("beam {}: pixels of {:.2g} mm, as its spots are narrow",
                                    beam.number, b.fan.pixel));
    b.fan = fan_around(b.sheets, b.fan);
    return b;
}

}  // namespace sluice::proton::cube
