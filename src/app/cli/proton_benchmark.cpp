// sluice proton benchmark: how long steps and beams take, on grids that others have told theirs of.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "app/cli/command.h"
#include "app/cli/outputs.h"
#include "app/cli/terminal.h"
#include "base/file.h"
#include "scan/floor.h"
#include "sluice/proton_dense.h"

namespace sluice::cli {
namespace {

struct Command {
    std::string serve, device = "cpu", precision = "f32";
    int threads = 0, rounds = 20;
    bool json = false;
};

// Columns, planes, angles and energies of Smatrix_2D's table of sizes (docs/PERFORMANCE.md there),
// with the seconds of a step that it tells.
struct Size {
    index columns, planes, angles, energies;
    double told;
};
constexpr std::array sizes = {Size{40, 40, 72, 200, 9.99}, Size{40, 40, 36, 200, 4.71},
                              Size{30, 30, 72, 140, 3.35}, Size{30, 30, 48, 140, 2.16},
                              Size{25, 25, 36, 120, 1.26}};
constexpr double extent = 80;  // mm, deep and wide: cells of 2 mm in the largest

proton::Phantom phantom_of(Size const& size) {
    proton::Phantom p;
    p.materials = {proton::material("water").value()};
    p.planes = size.planes;
    p.columns = size.columns;
    p.dz = extent / static_cast<double>(size.planes);
    p.dx = extent / static_cast<double>(size.columns);
    p.x0 = -extent / 2;
    return p;
}

// The operators of that code: no straggling, no reactions, energies as far apart from each other.
proton::DenseOptions options_of(Size const& size, Command const& c, Device const& device) {
    proton::DenseOptions o;
    o.spacing = proton::EnergySpacing::uniform;
    o.energies = size.energies;
    o.energy_max = 200;
    o.angles = size.angles;
    o.step = 1;
    o.straggling = o.nuclear = o.out_of_plane = false;
    o.splitting = proton::Splitting::first_order;
    o.precision = c.precision == "f64" ? proton::Precision::f64 : proton::Precision::f32;
    o.device = device;
    return o;
}

// A state that has something everywhere, the same every time.
std::vector<double> everywhere(std::size_t cells) {
    std::vector<double> psi(cells);
    std::uint32_t state = 1;
    for (double& v : psi) {
        state = state * 1664525U + 1013904223U;
        v = (0.5 + static_cast<double>(state >> 8) / (1 << 24)) / static_cast<double>(cells);
    }
    return psi;
}

Result<proton::DenseSolver> populated(proton::Physics const& physics, Size const& size,
                                      Command const& c, Device const& device) {
    proton::DenseOptions o = options_of(size, c, device);
    // No direction is refused and nothing is dropped, so that every cell is computed.
    o.backward = proton::Backward::cap;
    o.angle_cap = 4;
    o.threshold = 0;
    proton::Beam beam;
    beam.energy = 180;
    SLUICE_TRY(auto solver, proton::DenseSolver::create(physics, phantom_of(size), beam, o));
    auto const cells =
        static_cast<std::size_t>(size.columns * size.planes * size.angles * size.energies);
    SLUICE_CHECK(solver.set_state(everywhere(cells)));
    return solver;
}

double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

Result<double> seconds_of_step(proton::DenseSolver& solver, int rounds) {
    std::vector<double> seconds;
    SLUICE_CHECK(solver.step());
    for (int k = 0; k < rounds; ++k) {
        double const start = now();
        SLUICE_CHECK(solver.step());
        seconds.push_back(now() - start);
    }
    return median(seconds);
}

// One beam as that code begins: all in a point, and only cells that have something are computed.
struct Active {
    double seconds = 0;  ///< median of a step, from the second on
    double cells = 0;    ///< mean of a step
    index steps = 0;
};
Result<Active> active(proton::Physics const& physics, Size const& size, Command const& c,
                      Device const& device) {
    proton::Beam beam;
    beam.energy = 70;
    SLUICE_TRY(auto solver, proton::DenseSolver::create(physics, phantom_of(size), beam,
                                                        options_of(size, c, device)));
    std::vector<double> seconds;
    SLUICE_CHECK(solver.step());
    for (int k = 0; k < 40; ++k) {
        double const start = now();
        SLUICE_CHECK(solver.step());
        seconds.push_back(now() - start);
    }
    SLUICE_TRY(proton::MarchResult const r, solver.result());
    return Active{median(seconds),
                  static_cast<double>(r.cells) / static_cast<double>(solver.steps()),
                  solver.steps()};
}

struct Marched {
    double seconds = 0;  ///< median
    double cells = 0;    ///< of all planes
};
Result<Marched> marched(proton::Physics const& physics, proton::Phantom const& phantom,
                        proton::Beam const& beam, proton::MarchOptions options, Command const& c,
                        Device const& device) {
    options.threads = c.threads;
    options.device = device;
    options.precision = c.precision == "f64" ? proton::Precision::f64 : proton::Precision::f32;
    std::vector<double> seconds;
    Marched m;
    for (int k = 0; k < std::min(c.rounds, 7); ++k) {
        double const start = now();
        SLUICE_TRY(auto const r, march(physics, phantom, beam, options));
        seconds.push_back(now() - start);
        m.cells = static_cast<double>(r.cells);
    }
    m.seconds = median(seconds);
    return m;
}

// All of the same beam, with its straggling and reactions, by marching.
Result<Marched> march_on(proton::Physics const& physics, Size const& size, Command const& c,
                         Device const& device) {
    proton::Beam beam;
    beam.energy = 70;
    beam.sigma_x = 3;
    proton::MarchOptions o;
    o.angle_step = 2 * o.angle_window / static_cast<double>(size.angles);
    return marched(physics, phantom_of(size), beam, o, c, device);
}

// What `sluice proton run` computes for a beam of 150 MeV on its usual grid.
Result<Marched> march_150(proton::Physics const& physics, Command const& c, Device const& device) {
    proton::Phantom water;
    SLUICE_TRY(water.materials.emplace_back(), proton::material("water"));
    water.planes = 360;
    water.columns = 100;
    water.x0 = -25;
    proton::Beam beam;
    beam.energy = 150;
    beam.sigma_x = 3;
    proton::MarchOptions o;
    o.let_map = true;
    return marched(physics, water, beam, o, c, device);
}

std::string name_of(Size const& s) {
    return fmt::format("{}x{}x{}x{}", s.energies, s.angles, s.planes, s.columns);
}

Status benchmark(Command const& c) {
    SLUICE_TRY(Device const device, Device::named(c.device, c.threads));
    proton::Physics const physics(proton::WaterTable::icru90);
    double const copy = stream::copy_bandwidth(device.threads());
    Json all = Json::array();
    if (!c.json)
        fmt::print(
            "{} on {}, {} thread{}; copying {:.1f} GB/s\n\n"
            "{:<18}{:>8}{:>14}{:>12}{:>10}{:>14}{:>12}{:>14}\n",
            c.precision, device.name(), device.threads(), device.threads() == 1 ? "" : "s",
            copy / 1e9, "grid (E,angle,z,x)", "cells", "dense step", "of copying", "memory", "told",
            "active step", "march, a beam");
    ProgressBar progress("measuring");
    for (std::size_t k = 0; k < sizes.size(); ++k) {
        Size const& size = sizes[k];
        if (!progress(k, sizes.size())) return Error{Code::cancelled, "stopped"};
        double const cells =
            static_cast<double>(size.columns * size.planes * size.angles * size.energies);
        double const array = cells * (c.precision == "f64" ? 8 : 4);
        double dense = 0, bytes = 0;
        {
            SLUICE_TRY(auto solver, populated(physics, size, c, device));
            SLUICE_TRY(dense, seconds_of_step(solver, c.rounds));
            bytes = static_cast<double>(solver.bytes());
        }
        SLUICE_TRY(Active const few, active(physics, size, c, device));
        SLUICE_TRY(Marched const beam, march_on(physics, size, c, device));
        // A step cannot do less than read and write the state once.
        double const part = 2 * array / dense / copy;
        all.push_back({{"grid", name_of(size)},
                       {"cells", cells},
                       {"dense_step_ms", 1e3 * dense},
                       {"part_of_copy_bandwidth", part},
                       {"memory_arrays", bytes / array},
                       {"told_step_ms", 1e3 * size.told},
                       {"active_step_ms", 1e3 * few.seconds},
                       {"active_cells", few.cells},
                       {"march_beam_ms", 1e3 * beam.seconds}});
        if (!c.json)
            fmt::print(
                "{:<18}{:>6.2f} M{:>11.1f} ms{:>10.0f} %{:>10.2f}{:>11.0f} ms{:>9.2f} "
                "ms{:>11.1f} ms\n",
                name_of(size), cells / 1e6, 1e3 * dense, 100 * part, bytes / array, 1e3 * size.told,
                1e3 * few.seconds, 1e3 * beam.seconds);
    }
    SLUICE_TRY(Marched const whole, march_150(physics, c, device));
    if (c.json) {
        fmt::print("{}\n", text_of(Json{{"precision", c.precision},
                                        {"device", device.name()},
                                        {"threads", device.threads()},
                                        {"copy_bandwidth", copy},
                                        {"march_150_mev_ms", 1e3 * whole.seconds},
                                        {"march_150_mev_cells", whole.cells},
                                        {"grids", all}}));
        return {};
    }
    fmt::print("\na beam of 150 MeV marched through water in steps of 0.5 mm and 0.5 degrees, ");
    fmt::print("with maps of LET: {:.0f} ms, {:.0f} M cells\n", 1e3 * whole.seconds,
               whole.cells / 1e6);
    fmt::print(
        "\ndense step: every cell has weight and every direction may fly; of copying: the state "
        "read and\nwritten once, beside memcpy; memory: in arrays of the state; told: seconds that "
        "Smatrix_2D tells of\nits own step; active step: a beam of 70 MeV from a point, empty "
        "parts left out; march: a whole\nbeam of 70 MeV with straggling and reactions\n");
    return {};
}

// For bench/proton/run.py: the largest grid, a step for each line "step".
Status serve(Command const& c) {
    SLUICE_TRY(Device const device, Device::named(c.device, c.threads));
    proton::Physics const physics(proton::WaterTable::icru90);
    Size const& size = sizes[0];
    SLUICE_TRY(auto solver, populated(physics, size, c, device));
    proton::DenseOperators const o = solver.operators();
    Json const ready{{"shape", {size.energies, size.angles, size.planes, size.columns}},
                     {"energies", solver.energies()},
                     {"diffusion", o.diffusion},
                     {"passes", o.passes},
                     {"z", o.z},
                     {"x", o.x},
                     {"to", o.to},
                     {"part", o.part},
                     {"deposit", o.deposit},
                     {"device", device.name()},
                     {"copy_bandwidth", stream::copy_bandwidth(device.threads())}};
    fmt::print("{}\n", ready.dump());
    std::fflush(stdout);
    for (std::string line; std::getline(std::cin, line);) {
        double const start = now();
        if (line == "step") {
            SLUICE_CHECK(solver.step());
        } else if (line == "save") {
            SLUICE_TRY(std::vector<double> const psi, solver.state());
            SLUICE_CHECK(save_npy(
                c.serve, Array<float>{{size.energies * size.angles, size.planes * size.columns},
                                      {psi.begin(), psi.end()}}));
        } else {
            return Error{Code::invalid_argument, "asked for '" + line + "'; say step or save"};
        }
        fmt::print("{}\n", now() - start);
        std::fflush(stdout);
    }
    return {};
}

}  // namespace

void add_proton_benchmark(CLI::App& parent, int& exit_code) {
    CLI::App* const app =
        parent.add_subcommand("benchmark", "how long a step and a beam take on this machine");
    auto const c = std::make_shared<Command>();
    app->add_option("--device", c->device, "reference, cpu, cpu:avx2 or cuda")
        ->capture_default_str();
    app->add_option("--precision", c->precision, "of the state: f32 or f64")
        ->check(CLI::IsMember({"f32", "f64"}))
        ->capture_default_str();
    app->add_option("--threads", c->threads, "0: one per processor")->check(CLI::Range(0, 1024));
    app->add_option("--rounds", c->rounds, "steps that are timed, of which the median is told")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    app->add_option("--serve", c->serve,
                    "step for another program (bench/proton/run.py), which has this file saved");
    app->add_flag("--json", c->json, "print the figures as JSON");
    app->footer(
        "Examples:\n"
        "  sluice proton benchmark\n"
        "  sluice proton benchmark --threads 1 --precision f64\n"
        "  sluice proton benchmark --device cuda --json");
    app->callback([c, &exit_code] {
        if (auto s = c->serve.empty() ? benchmark(*c) : serve(*c); !s)
            exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
