// Protons: materials, physics of water, marches, configurations, guards, spread-out peaks.
// SPDX-License-Identifier: Apache-2.0
#include "bind/proton.h"

#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>

#include "bind/core.h"
#include "sluice/proton_guards.h"
#include "sluice/proton_metrics.h"
#include "sluice/proton_run.h"
#include "sluice/proton_sobp.h"

namespace sluice::python {
namespace {

using proton::Config;
using proton::MarchOptions;
using proton::Phantom;
using proton::Physics;

proton::WaterTable table_named(std::string const& name) {
    return choice<proton::WaterTable>("water", name);
}

nb::object of_water(Physics const& p, std::string const& what, Dense<double, 1> const& at) {
    using Function = double (Physics::*)(double) const;
    Function const f = choice<Function>("what", what,
                                        {{"stopping_power", &Physics::stopping_power},
                                         {"range", &Physics::range},
                                         {"energy", &Physics::energy},
                                         {"energy_integral", &Physics::energy_integral},
                                         {"elastic_angle", &Physics::elastic_angle},
                                         {"elastic_recoil", &Physics::elastic_recoil}});
    return each(at.size(), [&](std::size_t i) { return (p.*f)(at.data()[i]); });
}

nb::object of_material(Physics const& p, std::string const& what, MaterialNumbers const& material,
                       Dense<double, 1> const& at) {
    using Function = double (Physics::*)(proton::Material const&, double) const;
    Function const f =
        choice<Function>("what", what,
                         {{"relative_stopping_power", &Physics::relative_stopping_power},
                          {"scattering_power", &Physics::scattering_power},
                          {"straggling", &Physics::straggling},
                          {"straggling_third", &Physics::straggling_third},
                          {"nuclear_cross_section", &Physics::nuclear_cross_section},
                          {"hydrogen_cross_section", &Physics::hydrogen_cross_section},
                          {"elastic_cross_section", &Physics::elastic_cross_section}});
    proton::Material const m = material_of(material);
    return each(at.size(), [&](std::size_t i) { return (p.*f)(m, at.data()[i]); });
}

MarchOptions options_of(double angle_step, double angle_window, double range_step, bool scattering,
                        bool straggling, bool nuclear, bool out_of_plane, double threshold,
                        std::vector<double> spectra_at, bool let_map, std::string const& precision,
                        std::string const& scheme, std::string const& device, int threads) {
    return {.angle_step = angle_step,
            .angle_window = angle_window,
            .range_step = range_step,
            .scattering = scattering,
            .straggling = straggling,
            .nuclear = nuclear,
            .out_of_plane = out_of_plane,
            .threshold = threshold,
            .spectra_at = std::move(spectra_at),
            .let_map = let_map,
            .precision = choice<proton::Precision>("precision", precision),
            .splitting = choice<proton::Splitting>("scheme", scheme),
            .device = device_named(device, threads),
            .threads = threads};
}

nb::dict march(Physics const& physics, Phantom const& phantom, BeamNumbers const& beam,
               MarchOptions options, nb::object progress) {
    return dict_of(work(progress, [&](Telling& telling) {
        options.progress = telling.progress();
        return proton::march(physics, phantom, beam_of(beam), options);
    }));
}

Config config_of(std::string const& water, Phantom const& phantom,
                 std::vector<BeamNumbers> const& beams, MarchOptions const& options,
                 std::optional<proton::DenseOptions> const& dense) {
    Config c;
    c.water = table_named(water);
    c.phantom = phantom;
    for (BeamNumbers const& b : beams) c.beams.push_back(beam_of(b));
    if (c.beams.empty()) raise({Code::invalid_argument, "no beam was given; give at least one"});
    c.options = options;
    c.dense = dense;
    return c;
}

Config read_config(std::string const& path, std::string const& device, int threads,
                   nb::object progress) {
    Device const on = device_named(device, threads);
    return work(progress, [&](Telling& telling) {
        return proton::read_config(path, on, telling.progress());
    });
}

Config parse_config(std::string const& text, std::string const& name, std::string const& folder,
                    nb::object progress) {
    return work(progress, [&](Telling& telling) {
        return proton::parse_config(text, name, folder, telling.progress());
    });
}

nb::dict fields_of(Config const& c) {
    nb::dict out;
    out["water"] = name_of_choice(c.water);
    out["phantom"] = dict_of(c.phantom);
    std::vector<BeamNumbers> beams;
    for (proton::Beam const& b : c.beams) beams.push_back(numbers_of(b));
    out["beams"] = beams;
    out["sweep"] = c.sweep;
    nb::list sobps;
    for (proton::Sobp const& s : c.sobps) sobps.append(dict_of(s));
    out["sobps"] = sobps;
    out["options"] = dict_of(c.options);
    out["dense"] = c.dense ? nb::object(dict_of(*c.dense)) : nb::none();
    out["assumed"] = c.assumed;
    out["guards"] = list_of(c.guards);
    return out;
}

std::vector<BeamNumbers> beams_of(std::vector<proton::Beam> const& beams) {
    std::vector<BeamNumbers> out;
    for (proton::Beam const& b : beams) out.push_back(numbers_of(b));
    return out;
}

nb::list guards_before(Config const& config, nb::object progress) {
    Config c = config;
    return list_of(work(progress, [&](Telling& telling) {
        c.options.progress = telling.progress();
        return proton::guards_before(c);
    }));
}

nb::list guards_of(Physics const& physics, Phantom const& phantom, BeamNumbers const& beam,
                   MarchOptions options, nb::object progress) {
    return list_of(work(progress, [&](Telling& telling) -> Result<std::vector<proton::Guard>> {
        options.progress = telling.progress();
        return proton::guards_of(physics, phantom, beam_of(beam), options);
    }));
}

using GuardNumbers = std::tuple<std::string, double, double, std::string, std::string, std::string,
                                std::string, std::string>;

std::vector<proton::Guard> guards_from(std::vector<GuardNumbers> const& from) {
    std::vector<proton::Guard> out;
    for (auto const& [name, value, limit, unit, severity, text, key, wanted] : from)
        out.push_back({name, value, limit, unit, choice<proton::Severity>("severity", severity),
                       text, key, wanted});
    return out;
}

nb::list guards_after(Config const& config, Dense<double, 1> const& ledger,
                      std::optional<nb::dict> const& result) {
    if (ledger.size() != ledger_numbers)
        raise({Code::invalid_argument, "the ledger has a wrong length"});
    proton::MarchResult r;
    if (result) r = result_of(*result);
    r.ledger = ledger_of({ledger.data(), ledger.size()});
    return list_of(proton::guards_after(config, r));
}

nb::object residuals(Dense<double, 2> const& ledgers) {
    if (ledgers.shape(1) != ledger_numbers)
        raise({Code::invalid_argument, "the ledgers have a wrong length"});
    std::vector<double> out;
    for (std::size_t i = 0; i < ledgers.shape(0); ++i) {
        proton::Share const s =
            ledger_of({ledgers.data() + i * ledger_numbers, ledger_numbers}).residual();
        out.insert(out.end(), {s.weight, s.energy});
    }
    return to_numpy(std::move(out), {static_cast<index>(ledgers.shape(0)), 2});
}

nb::dict march_beams(Config const& config, int threads, nb::object progress) {
    device_named("cpu", threads);
    return dict_of(work(progress, [&](Telling& telling) {
        return proton::march_beams(config, threads, telling.progress());
    }));
}

nb::dict march_beam(Config const& config, Physics const& physics, BeamNumbers const& beam,
                    nb::object progress) {
    MarchOptions options = config.options;
    return dict_of(work(progress, [&](Telling& telling) {
        options.progress = telling.progress();
        return proton::march_beam(config, physics, beam_of(beam), options);
    }));
}

nb::dict spread_out(Physics const& physics, double range, double modulation, index layers,
                    double spacing, BeamNumbers const& beam, double dz, MarchOptions options,
                    nb::object progress) {
    proton::SobpPlan const plan{range, modulation, layers, spacing, beam_of(beam)};
    return dict_of(work(progress, [&](Telling& telling) {
        options.progress = telling.progress();
        return proton::spread_out(physics, plan, dz, options);
    }));
}

nb::object dose_of(Config const& config, nb::dict const& result, double protons) {
    proton::MarchResult const r = result_of(result);
    if (r.planes != config.phantom.planes || r.columns != config.phantom.columns)
        raise({Code::invalid_argument, "the result and the configuration have different grids"});
    if (!(protons > 0)) raise({Code::invalid_argument, "a dose needs more than 0 protons"});
    return to_numpy(proton::dose_of(config, r, protons));
}

void add_config(nb::module_& m) {
    nb::class_<Config>(m, "ProtonConfig").def_prop_ro("fields", fields_of);
    m.def("proton_config", config_of, "water"_a, "phantom"_a, "beams"_a, "options"_a,
          "dense"_a.none());
    m.def("proton_read_config", read_config, "path"_a, "device"_a, "threads"_a,
          "progress"_a.none());
    m.def("proton_parse_config", parse_config, "text"_a, "name"_a, "folder"_a, "progress"_a.none());
    m.def("proton_with_options", [](Config const& c, MarchOptions const& options) {
        Config out = c;
        out.options = options;
        return out;
    });
    m.def("proton_read_beam_list",
          [](std::string const& path) { return beams_of(unwrap(proton::read_beam_list(path))); });
    m.def("proton_parse_beam_list", [](std::string const& text, std::string const& name) {
        return beams_of(unwrap(proton::parse_beam_list(text, name)));
    });
    m.def("proton_steps_of", [](Config const& c) { return numbers_of(proton::steps_of(c)); });
    m.def("proton_march_beams", march_beams, "config"_a, "threads"_a, "progress"_a.none());
    m.def("proton_march_beam", march_beam, "config"_a, "physics"_a, "beam"_a, "progress"_a.none());
    m.def("proton_assumptions", [](Config const& c) { return proton::assumptions(c); });
    m.def("proton_dose_of", dose_of, "config"_a, "result"_a, "protons"_a);
}

void add_guards(nb::module_& m) {
    m.def("proton_guards_before", guards_before, "config"_a, "progress"_a.none());
    m.def("proton_guards_of", guards_of, "physics"_a, "phantom"_a, "beam"_a, "options"_a,
          "progress"_a.none());
    m.def("proton_guards_after", guards_after, "config"_a, "ledger"_a, "result"_a = nb::none());
    m.def("proton_refuse",
          [](std::vector<GuardNumbers> const& g) { unwrap(proton::refuse(guards_from(g))); });
    m.def("proton_sentences", [](std::vector<GuardNumbers> const& g) {
        std::vector<std::string> out;
        for (proton::Guard const& guard : guards_from(g)) out.push_back(proton::sentence(guard));
        return out;
    });
    m.def("proton_summary",
          [](std::vector<GuardNumbers> const& g) { return proton::summary(guards_from(g)); });
}

}  // namespace

void add_proton(nb::module_& m) {
    m.def("proton_material", [](std::string const& name, std::optional<double> density) {
        return numbers_of(unwrap(proton::material(name, density)));
    });
    m.def("proton_material_names", [] { return proton::material_names(); });
    m.def("proton_mean_excitation_energy", [](std::string const& water) {
        return proton::mean_excitation_energy(table_named(water));
    });
    nb::class_<Physics>(m, "ProtonPhysics")
        .def("__init__",
             [](Physics* p, std::string const& water) {
                 proton::WaterTable const table = table_named(water);
                 new (p) Physics(table);
             })
        .def("of_water", of_water, "what"_a, "at"_a.noconvert())
        .def("of_material", of_material, "what"_a, "material"_a, "at"_a.noconvert());
    nb::class_<Phantom>(m, "ProtonPhantom").def_prop_ro("fields", [](Phantom const& p) {
        return dict_of(p);
    });
    m.def("proton_phantom", phantom_of, "materials"_a, "planes"_a, "columns"_a, "dz"_a, "dx"_a,
          "x0"_a, "map"_a.none());
    nb::class_<MarchOptions>(m, "ProtonOptions").def_prop_ro("fields", [](MarchOptions const& o) {
        return dict_of(o);
    });
    m.def("proton_options", options_of, "angle_step"_a, "angle_window"_a, "range_step"_a,
          "scattering"_a, "straggling"_a, "nuclear"_a, "out_of_plane"_a, "threshold"_a,
          "spectra_at"_a, "let_map"_a, "precision"_a, "scheme"_a, "device"_a, "threads"_a);
    m.def("proton_march", march, "physics"_a, "phantom"_a, "beam"_a, "options"_a,
          "progress"_a.none());
    m.def("proton_residuals", residuals, "ledgers"_a.noconvert());
    m.def("proton_spread_out", spread_out, "physics"_a, "range"_a, "modulation"_a, "layers"_a,
          "spacing"_a, "beam"_a, "dz"_a, "options"_a, "progress"_a.none());
    add_proton_dense(m);
    add_config(m);
    add_guards(m);
    add_proton_machine(m);
    add_proton_metrics(m);
    add_proton_plan(m);
    add_proton_structures(m);
    add_proton_target(m);
    add_proton_volume(m);
    add_proton_dose(m);
}

}  // namespace sluice::python
