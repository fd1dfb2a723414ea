// Protons on a grid of all phase space, step by step.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/proton_dense.h"

#include <fmt/format.h>

#include "bind/proton.h"

namespace sluice::python {
namespace {

using proton::Backward;
using proton::DenseOptions;
using proton::EnergySpacing;

/// The solver, with what it looks at: the caller's progress changes from call to call.
struct Solver {
    std::shared_ptr<Progress> progress = std::make_shared<Progress>();
    std::optional<proton::DenseSolver> solver;
    std::array<index, 4> shape = {};
};

DenseOptions options_of(std::string const& spacing, index energies, double energy_min,
                        double energy_max, index angles, double angle_window, double step,
                        std::string const& scheme, std::string const& backward, double angle_cap,
                        double least_cosine, bool scattering, bool straggling, bool nuclear,
                        bool out_of_plane, double threshold, std::string const& precision,
                        std::string const& device, int threads) {
    DenseOptions o;
    o.spacing = choice<EnergySpacing>("spacing", spacing);
    o.energies = energies;
    o.energy_min = energy_min;
    o.energy_max = energy_max;
    o.angles = angles;
    o.angle_window = angle_window;
    o.step = step;
    o.splitting = choice<proton::Splitting>("scheme", scheme);
    o.backward = choice<Backward>("backward", backward);
    o.angle_cap = angle_cap;
    o.least_cosine = least_cosine;
    o.scattering = scattering;
    o.straggling = straggling;
    o.nuclear = nuclear;
    o.out_of_plane = out_of_plane;
    o.threshold = threshold;
    o.precision = choice<proton::Precision>("precision", precision);
    o.device = device_named(device, threads);
    return o;
}

Solver solver_of(proton::Physics const& physics, proton::Phantom const& phantom,
                 BeamNumbers const& beam, DenseOptions options) {
    Solver out;
    options.progress = [slot = out.progress](std::uint64_t done, std::uint64_t total) {
        return !*slot || (*slot)(done, total);
    };
    out.solver.emplace(work(nb::none(), [&](Telling&) {
        return proton::DenseSolver::create(physics, phantom, beam_of(beam), options);
    }));
    out.shape = {std::ssize(out.solver->energies()), std::ssize(out.solver->angles()),
                 phantom.planes, phantom.columns};
    return out;
}

/// While it lives, the solver's progress is another.
class Told {
  public:
    Told(Solver& solver, Progress progress) : solver_(solver) {
        *solver.progress = std::move(progress);
    }
    ~Told() { *solver_.progress = {}; }
    Told(Told const&) = delete;

  private:
    Solver& solver_;
};

void step(Solver& d, index steps, nb::object progress) {
    work(progress, [&](Telling& telling) -> Status {
        index done = 0;
        auto const tell = [&, to = telling.progress()](auto, auto) {
            return to(static_cast<std::uint64_t>(done), static_cast<std::uint64_t>(steps));
        };
        Told const told(d, tell);
        for (; done < steps; ++done) SLUICE_CHECK(d.solver->step());
        return {};
    });
}

void run(Solver& d, nb::object progress) {
    work(progress, [&](Telling& telling) {
        Told const told(d, telling.progress());
        return d.solver->run();
    });
}

nb::object state(Solver const& d) {
    std::vector<double> psi = work(nb::none(), [&](Telling&) { return d.solver->state(); });
    return to_numpy(std::move(psi), {d.shape.begin(), d.shape.end()});
}

void set_state(Solver& d, Dense<double, 4> const& psi) {
    for (std::size_t a = 0; a < 4; ++a)
        if (static_cast<index>(psi.shape(a)) != d.shape[a])
            raise({Code::invalid_argument,
                   fmt::format("the state has {} in axis {} and the solver {}; a state is an array "
                               "[energy, angle, plane, column] of the solver's shape",
                               psi.shape(a), a, d.shape[a])});
    std::vector<double> const values(psi.data(), psi.data() + psi.size());
    work(nb::none(), [&](Telling&) { return d.solver->set_state(values); });
}

nb::dict operators(Solver const& d) {
    proton::DenseOperators o = d.solver->operators();
    index const energies = d.shape[0], angles = d.shape[1];
    nb::dict out;
    out["diffusion"] = to_numpy(std::move(o.diffusion));
    out["passes"] = to_numpy(std::move(o.passes));
    out["z"] = to_numpy(std::move(o.z), {energies, angles});
    out["x"] = to_numpy(std::move(o.x), {energies, angles});
    out["to"] = to_numpy(std::move(o.to), {energies, 3});
    out["part"] = to_numpy(std::move(o.part), {energies, 3});
    out["deposit"] = to_numpy(std::move(o.deposit));
    return out;
}

}  // namespace

nb::dict dict_of(DenseOptions const& o) {
    nb::dict out;
    out["spacing"] = name_of_choice(o.spacing);
    out["energies"] = o.energies;
    out["energy_min"] = o.energy_min;
    out["energy_max"] = o.energy_max;
    out["angles"] = o.angles;
    out["angle_window"] = o.angle_window;
    out["step"] = o.step;
    out["scheme"] = name_of_choice(o.splitting);
    out["backward"] = name_of_choice(o.backward);
    out["angle_cap"] = o.angle_cap;
    out["least_cosine"] = o.least_cosine;
    out["scattering"] = o.scattering;
    out["straggling"] = o.straggling;
    out["nuclear"] = o.nuclear;
    out["out_of_plane"] = o.out_of_plane;
    out["threshold"] = o.threshold;
    out["precision"] = name_of_choice(o.precision);
    out["device"] = o.device.name();
    out["threads"] = 0;
    return out;
}

void add_proton_dense(nb::module_& m) {
    nb::class_<DenseOptions>(m, "ProtonDenseOptions")
        .def_prop_ro("fields", [](DenseOptions const& o) { return dict_of(o); });
    m.def("proton_dense_options", options_of, "spacing"_a, "energies"_a, "energy_min"_a,
          "energy_max"_a, "angles"_a, "angle_window"_a, "step"_a, "scheme"_a, "backward"_a,
          "angle_cap"_a, "least_cosine"_a, "scattering"_a, "straggling"_a, "nuclear"_a,
          "out_of_plane"_a, "threshold"_a, "precision"_a, "device"_a, "threads"_a);
    nb::class_<Solver>(m, "ProtonDense")
        .def("step", step, "steps"_a, "progress"_a.none())
        .def("run", run, "progress"_a.none())
        .def("result",
             [](Solver const& d) {
                 return dict_of(work(nb::none(), [&](Telling&) { return d.solver->result(); }));
             })
        .def("state", state)
        .def("set_state", set_state, "psi"_a.noconvert())
        .def("operators", operators)
        .def_prop_ro("shape", [](Solver const& d) { return nb::tuple(nb::cast(d.shape)); })
        .def_prop_ro("steps", [](Solver const& d) { return d.solver->steps(); })
        .def_prop_ro("bytes", [](Solver const& d) { return d.solver->bytes(); })
        .def_prop_ro("energies", [](Solver const& d) { return to_numpy(d.solver->energies()); })
        .def_prop_ro("angles", [](Solver const& d) { return to_numpy(d.solver->angles()); });
    m.def("proton_dense", solver_of, nb::keep_alive<0, 1>(), "physics"_a, "phantom"_a, "beam"_a,
          "options"_a);
}

}  // namespace sluice::python
