// What protons' structs are in Python.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nanobind/stl/pair.h>

#include "bind/proton.h"
#include "sluice/proton_dense.h"
#include "sluice/proton_guards.h"
#include "sluice/proton_sobp.h"

namespace sluice::python {

MaterialNumbers numbers_of(proton::Material const& m) {
    return {m.name, m.density, m.electron_density, m.excitation_energy, m.scattering, m.nuclear};
}
proton::Material material_of(MaterialNumbers const& n) {
    auto const& [name, density, electrons, excitation, scattering, nuclear] = n;
    return {name, density, electrons, excitation, scattering, nuclear};
}

BeamNumbers numbers_of(proton::Beam const& b) {
    return {b.energy, b.energy_spread, b.x,          b.sigma_x,
            b.angle,  b.divergence,    b.covariance, b.weight};
}
proton::Beam beam_of(BeamNumbers const& n) {
    return {n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]};
}

StepNumbers numbers_of(proton::Steps const& s) {
    return {s.dz, s.range, s.dx, s.angle};
}
proton::Steps steps_of(StepNumbers const& n) {
    return {n[0], n[1], n[2], n[3]};
}

proton::Phantom phantom_of(std::vector<MaterialNumbers> const& materials, index planes,
                           index columns, double dz, double dx, double x0,
                           std::optional<Dense<std::uint16_t, 2>> const& map) {
    proton::Phantom p{.planes = planes, .columns = columns, .dz = dz, .dx = dx, .x0 = x0};
    for (MaterialNumbers const& m : materials) p.materials.push_back(material_of(m));
    if (p.materials.empty()) raise({Code::invalid_argument, "a phantom has at least one material"});
    if (planes < 1 || columns < 1)
        raise({Code::invalid_argument, "a phantom has at least one plane and one column"});
    if (!map) return p;
    if (static_cast<index>(map->shape(0)) != planes || static_cast<index>(map->shape(1)) != columns)
        raise({Code::invalid_argument,
               fmt::format("the map has the shape ({}, {}); it is an array [plane, column] of the "
                           "phantom, ({}, {})",
                           map->shape(0), map->shape(1), planes, columns)});
    p.map.assign(map->data(), map->data() + map->size());
    for (std::uint16_t const n : p.map)
        if (n >= p.materials.size())
            raise({Code::invalid_argument, "the map has material " + std::to_string(n) +
                                               "; there are " +
                                               std::to_string(p.materials.size())});
    return p;
}

nb::dict dict_of(proton::Phantom const& p) {
    nb::dict out;
    std::vector<MaterialNumbers> materials;
    for (proton::Material const& m : p.materials) materials.push_back(numbers_of(m));
    out["materials"] = materials;
    out["planes"] = p.planes;
    out["columns"] = p.columns;
    out["dz"] = p.dz;
    out["dx"] = p.dx;
    out["x0"] = p.x0;
    out["map"] = p.map.empty() ? nb::none() : to_numpy(p.map, {p.planes, p.columns});
    return out;
}

nb::dict dict_of(proton::MarchOptions const& o) {
    nb::dict out;
    out["angle_step"] = o.angle_step;
    out["angle_window"] = o.angle_window;
    out["range_step"] = o.range_step;
    out["scattering"] = o.scattering;
    out["straggling"] = o.straggling;
    out["nuclear"] = o.nuclear;
    out["out_of_plane"] = o.out_of_plane;
    out["threshold"] = o.threshold;
    out["spectra_at"] = nb::tuple(nb::cast(o.spectra_at));
    out["let_map"] = o.let_map;
    out["precision"] = name_of_choice(o.precision);
    out["scheme"] = name_of_choice(o.splitting);
    out["device"] = o.device.name();
    out["threads"] = o.threads;
    return out;
}

nb::dict dict_of(proton::Sobp const& s) {
    nb::dict out;
    out["wanted_range"] = s.plan.range;
    out["modulation"] = s.plan.modulation;
    std::vector<BeamNumbers> beams;
    for (proton::Beam const& b : s.beams) beams.push_back(numbers_of(b));
    out["beams"] = beams;
    out["range"] = s.range;
    out["begin"] = s.begin;
    out["end"] = s.end;
    out["flatness"] = s.flatness;
    out["plateau"] = s.plateau;
    out["entrance"] = s.entrance;
    return out;
}

nb::dict dict_of(proton::Guard const& g) {
    nb::dict out;
    out["name"] = g.name;
    out["value"] = g.value;
    out["limit"] = g.limit;
    out["unit"] = g.unit;
    out["severity"] = std::string(name_of(g.severity));
    out["text"] = g.text;
    out["key"] = g.key;
    out["wanted"] = g.wanted;
    return out;
}
nb::list list_of(std::vector<proton::Guard> const& guards) {
    nb::list out;
    for (proton::Guard const& g : guards) out.append(dict_of(g));
    return out;
}

std::array<double, ledger_numbers> numbers_of(proton::Ledger const& l) {
    std::array<double, ledger_numbers> out = {};
    auto* to = out.data();
    for (proton::Share const& s : {l.in, l.stopped, l.left, l.right, l.end, l.front, l.backward,
                                   l.angles, l.nuclear, l.truncated, l.inside}) {
        *to++ = s.weight;
        *to++ = s.energy;
    }
    for (double const e : {l.local, l.secondary, l.neutral, l.secondary_out}) *to++ = e;
    return out;
}

proton::Ledger ledger_of(std::span<double const> n) {
    proton::Ledger l;
    auto const* from = n.data();
    for (proton::Share* const s : {&l.in, &l.stopped, &l.left, &l.right, &l.end, &l.front,
                                   &l.backward, &l.angles, &l.nuclear, &l.truncated, &l.inside}) {
        s->weight = *from++;
        s->energy = *from++;
    }
    for (double* const e : {&l.local, &l.secondary, &l.neutral, &l.secondary_out}) *e = *from++;
    return l;
}

nb::dict dict_of(proton::MarchResult r) {
    nb::dict out;
    out["dz"] = r.dz;
    out["dx"] = r.dx;
    out["x0"] = r.x0;
    std::vector<index> const shape = {r.planes, r.columns};
    out["deposit"] = to_numpy(std::move(r.deposit), shape);
    out["density"] = r.density.empty()
                         ? nb::none()
                         : to_numpy(std::vector<double>(r.density.begin(), r.density.end()), shape);
    std::vector<double> sums;
    for (proton::PlaneSums const& s : r.sums)
        for (double const v :
             {s.weight, s.energy, s.let_track, s.let_dose, s.let_dose_all, s.angle,
              s.angle_variance, s.place, s.place_variance, s.range, s.range_variance})
            sums.push_back(v);
    out["sums"] = to_numpy(std::move(sums), {static_cast<index>(r.sums.size()), 11});
    auto const last = numbers_of(r.ledger);
    out["ledger"] = to_numpy(std::vector<double>(last.begin(), last.end()));
    std::vector<double> steps;
    for (proton::Ledger const& l : r.steps) {
        auto const n = numbers_of(l);
        steps.insert(steps.end(), n.begin(), n.end());
    }
    out["steps"] = to_numpy(
        std::move(steps), {static_cast<index>(r.steps.size()), static_cast<index>(ledger_numbers)});
    nb::list spectra;
    for (proton::Spectrum& s : r.spectra)
        spectra.append(
            nb::make_tuple(s.depth, to_numpy(std::move(s.edges)), to_numpy(std::move(s.protons))));
    out["spectra"] = spectra;
    auto const map = [&](char const* name, std::vector<double>& values) {
        out[name] = values.empty() ? nb::none() : to_numpy(std::move(values), shape);
    };
    map("primary", r.primary);
    map("primary_let", r.primary_let);
    map("secondary", r.secondary);
    map("secondary_let", r.secondary_let);
    map("unexplained", r.unexplained);
    out["place_off"] = nb::make_tuple(r.place_off.part, r.place_off.depth);
    out["angle_off"] = nb::make_tuple(r.angle_off.part, r.angle_off.depth);
    out["range_off"] = nb::make_tuple(r.range_off.part, r.range_off.depth);
    out["worst_weight"] = r.worst_weight;
    out["worst_energy"] = r.worst_energy;
    out["exit_mean"] = r.exit_mean;
    out["exit_sigma"] = r.exit_sigma;
    out["cells"] = r.cells;
    return out;
}

proton::MarchResult result_of(nb::dict const& d) {
    proton::MarchResult r;
    auto const deposit = nb::cast<Dense<double, 2>>(d["deposit"]);
    r.planes = static_cast<index>(deposit.shape(0));
    r.columns = static_cast<index>(deposit.shape(1));
    if (r.planes < 1 || r.columns < 1)
        raise({Code::invalid_argument, "a deposit without cells; it is an array [plane, column]"});
    r.deposit.assign(deposit.data(), deposit.data() + deposit.size());
    r.dz = nb::cast<double>(d["dz"]);
    r.dx = nb::cast<double>(d["dx"]);
    r.x0 = nb::cast<double>(d["x0"]);
    auto const map = [&](char const* name, std::vector<double>& to) {
        if (!d.contains(name) || nb::object(d[name]).is_none()) return;
        auto const a = nb::cast<Dense<double, 2>>(d[name]);
        if (a.shape(0) != deposit.shape(0) || a.shape(1) != deposit.shape(1))
            raise({Code::invalid_argument,
                   fmt::format("{} has the shape ({}, {}) and deposit ({}, {}); give one shape",
                               name, a.shape(0), a.shape(1), deposit.shape(0), deposit.shape(1))});
        to.assign(a.data(), a.data() + a.size());
    };
    map("primary", r.primary);
    map("primary_let", r.primary_let);
    map("secondary", r.secondary);
    map("secondary_let", r.secondary_let);
    map("unexplained", r.unexplained);
    auto const spread = [&](char const* name) -> proton::BesideTheory {
        if (!d.contains(name)) return {};
        auto const [part, depth] = nb::cast<std::pair<double, double>>(d[name]);
        return {part, depth};
    };
    r.place_off = spread("place_off");
    r.angle_off = spread("angle_off");
    r.range_off = spread("range_off");
    std::vector<double> density;
    map("density", density);
    r.density.assign(density.begin(), density.end());
    if (!r.primary.empty() &&
        (r.primary_let.empty() || r.secondary.empty() || r.secondary_let.empty()))
        raise({Code::invalid_argument, "give all four maps of LET, or none of them"});
    return r;
}

nb::dict dict_of(proton::BraggMetrics const& m) {
    nb::dict out;
    out["peak"] = m.peak;
    out["peak_depth"] = m.peak_depth;
    out["r90"] = m.r90;
    out["r80"] = m.r80;
    out["r50"] = m.r50;
    out["r20"] = m.r20;
    out["proximal_80"] = m.proximal_80;
    out["fall_off"] = m.fall_off;
    out["width"] = m.width;
    out["peak_to_entrance"] = m.peak_to_entrance;
    out["integral"] = m.integral;
    return out;
}

}  // namespace sluice::python
