// Machines of scanned beams: their energies, and settings between them.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/proton_machine.h"

#include "bind/proton.h"

namespace sluice::python {
namespace {

using proton::Machine;
using proton::MachineEnergy;
using proton::SpotGaussian;

nb::dict dict_of(MachineEnergy const& e) {
    nb::dict out;
    out["nominal"] = e.nominal;
    out["mean"] = e.mean;
    out["spread"] = e.spread;
    out["protons_per_mu"] = e.protons_per_mu;
    nb::list spots;
    for (SpotGaussian const& g : e.spots)
        spots.append(nb::make_tuple(g.weight, g.sigma, g.divergence, g.covariance));
    out["spots"] = spots;
    out["kernel"] = nb::none();
    if (!e.kernel.depth.empty()) out["kernel"] = python::dict_of(e.kernel);
    return out;
}

nb::dict facts_of(Machine const& m) {
    nb::dict out;
    out["name"] = m.name;
    out["source"] = m.source;
    out["plane"] = m.plane;
    out["air_included"] = m.air_included;
    out["kernel_air"] = m.kernel_air;
    nb::list energies, shifters;
    for (MachineEnergy const& e : m.energies) energies.append(dict_of(e));
    for (auto const& s : m.shifters) shifters.append(nb::make_tuple(s.name, s.water));
    out["energies"] = energies;
    out["shifters"] = shifters;
    out["notes"] = m.notes;
    return out;
}

}  // namespace

void add_proton_machine(nb::module_& m) {
    nb::class_<Machine>(m, "ProtonMachine").def_prop_ro("fields", facts_of);
    m.def(
        "proton_read_machine",
        [](std::string const& path) {
            return work(nb::none(), [&](Telling&) { return proton::read_machine(path); });
        },
        "path"_a);
    m.def(
        "proton_parse_machine",
        [](std::string const& text, std::string const& name) {
            return unwrap(proton::parse_machine(text, name));
        },
        "text"_a, "name"_a);
    m.def(
        "proton_setting_of",
        [](Machine const& machine, double nominal) {
            auto const s = unwrap(proton::setting_of(machine, nominal));
            return nb::make_tuple(dict_of(s.energy), s.interpolated);
        },
        "machine"_a, "nominal"_a);
}

}  // namespace sluice::python
