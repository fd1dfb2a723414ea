// Numbers out of proton doses, base data, and how fine a grid has to be.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/proton_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "bind/proton.h"
#include "sluice/proton_base_data.h"
#include "sluice/proton_batch.h"
#include "sluice/proton_converge.h"
#include "sluice/proton_gamma.h"
#include "sluice/proton_run.h"

namespace sluice::python {
namespace {

nb::dict bragg_metrics(Dense<double, 1> const& depth, Dense<double, 1> const& dose) {
    proton::DepthCurve const curve{{depth.data(), depth.data() + depth.size()},
                                   {dose.data(), dose.data() + dose.size()}};
    return dict_of(unwrap(proton::bragg_metrics(curve)));
}

nb::tuple depth_dose(nb::dict const& result) {
    proton::DepthCurve c = proton::depth_dose(result_of(result));
    return nb::make_tuple(to_numpy(std::move(c.depth)), to_numpy(std::move(c.dose)));
}

nb::object let_map(nb::dict const& result, bool with_secondaries) {
    proton::MarchResult const r = result_of(result);
    if (r.primary.empty())
        raise({Code::invalid_argument, "the march kept no LET; march with let_map=True"});
    return to_numpy(proton::let_map(r, with_secondaries), {r.planes, r.columns});
}

using SpectrumArrays = std::tuple<double, Dense<double, 1>, Dense<double, 1>>;

nb::tuple sum_of(std::vector<SpectrumArrays> const& from) {
    std::vector<proton::Spectrum> all;
    for (auto const& [depth, edges, protons] : from) {
        if (edges.size() != protons.size() + 1 && !(edges.size() == 0 && protons.size() == 0))
            raise({Code::invalid_argument,
                   fmt::format("a spectrum of {} edges and {} bins; it has one edge more than bins",
                               edges.size(), protons.size())});
        for (std::size_t i = 1; i < edges.size(); ++i)
            if (!(edges.data()[i - 1] < edges.data()[i]))
                raise({Code::invalid_argument, "the edges of a spectrum ascend"});
        all.push_back({depth,
                       {edges.data(), edges.data() + edges.size()},
                       {protons.data(), protons.data() + protons.size()}});
    }
    proton::Spectrum s = proton::sum_of(all);
    return nb::make_tuple(s.depth, to_numpy(std::move(s.edges)), to_numpy(std::move(s.protons)));
}

/// dz, dx, z0, x0
proton::DoseMap map_of(Dense<double, 2> const& values, std::array<double, 4> const& grid) {
    return {static_cast<index>(values.shape(0)),
            static_cast<index>(values.shape(1)),
            grid[0],
            grid[1],
            grid[2],
            grid[3],
            {values.data(), values.data() + values.size()}};
}

proton::GammaOptions gamma_options(double dose, double distance, bool local, double cutoff,
                                   double most, int threads) {
    device_named("cpu", threads);
    return {.dose = dose,
            .distance = distance,
            .local = local,
            .cutoff = cutoff,
            .most = most,
            .threads = threads};
}

nb::dict gamma_index(Dense<double, 2> const& reference, std::array<double, 4> const& grid,
                     Dense<double, 2> const& evaluated, std::array<double, 4> const& other,
                     double dose, double distance, bool local, double cutoff, double most,
                     int threads, nb::object progress) {
    proton::GammaOptions o = gamma_options(dose, distance, local, cutoff, most, threads);
    proton::DoseMap const a = map_of(reference, grid), b = map_of(evaluated, other);
    proton::GammaResult found = work(progress, [&](Telling& telling) {
        o.progress = telling.progress();
        return proton::gamma_index(a, b, o);
    });
    nb::dict out;
    out["gamma"] = to_numpy(std::move(found.gamma), {a.rows, a.columns});
    out["points"] = found.points;
    out["passed"] = found.passed;
    out["mean"] = found.mean;
    return out;
}

nb::dict gamma_volume(Volume const& reference, Volume const& evaluated, double dose,
                      double distance, bool local, double cutoff, double most, int threads,
                      nb::object progress) {
    proton::GammaOptions o = gamma_options(dose, distance, local, cutoff, most, threads);
    proton::VolumeGamma found = work(progress, [&](Telling& telling) {
        o.progress = telling.progress();
        return proton::gamma_index(reference, evaluated, o);
    });
    nb::dict out;
    out["volume"] = nb::cast(std::move(found.gamma));
    out["points"] = found.points;
    out["passed"] = found.passed;
    out["mean"] = found.mean;
    out["outside"] = found.outside;
    return out;
}

nb::dict dvh(Dense<float, 1> const& dose, Dense<float, 1> const& mask) {
    std::span<float const> const d{dose.data(), dose.size()}, m{mask.data(), mask.size()};
    proton::Dvh found = work(nb::none(), [&](Telling&) { return proton::dvh(d, m); });
    nb::dict out;
    out["area"] = found.area;
    out["least"] = found.least;
    out["mean"] = found.mean;
    out["most"] = found.most;
    out["dose"] = to_numpy(std::move(found.dose));
    out["part"] = to_numpy(std::move(found.part));
    return out;
}

nb::object dvh_at(Dense<double, 1> const& dose, Dense<double, 1> const& part,
                  Dense<double, 1> const& at, bool coverage) {
    if (dose.size() == 0 || dose.size() != part.size())
        raise({Code::invalid_argument,
               fmt::format("a histogram of {} doses and {} parts; give one part for each dose",
                           dose.size(), part.size())});
    proton::Dvh d;
    d.dose.assign(dose.data(), dose.data() + dose.size());
    d.part.assign(part.data(), part.data() + part.size());
    std::vector<double> out;
    for (std::size_t i = 0; i < at.size(); ++i)
        out.push_back(coverage ? d.coverage(at.data()[i]) : d.volume(at.data()[i]));
    return to_numpy(std::move(out));
}

nb::dict base_energy(proton::Physics const& physics, double energy, double step,
                     double energy_spread, int threads, nb::object progress) {
    device_named("cpu", threads);
    proton::BaseEnergy b = work(progress, [&](Telling& telling) {
        return proton::base_energy(physics, energy,
                                   {.step = step,
                                    .energy_spread = energy_spread,
                                    .threads = threads,
                                    .progress = telling.progress()});
    });
    return python::dict_of(std::move(b));
}

std::vector<double> values_of(nb::dict const& d, char const* name, std::size_t wanted) {
    auto const a = nb::cast<Dense<double, 1>>(d[name]);
    if (a.size() != wanted)
        raise({Code::invalid_argument,
               fmt::format("base data have {} numbers of {} and {} depths; give as many of both",
                           a.size(), name, wanted)});
    return {a.data(), a.data() + a.size()};
}

void save_base_data(std::string const& path, std::vector<nb::dict> const& energies,
                    double spot_sigma, std::string const& description) {
    std::vector<proton::BaseEnergy> data;
    for (nb::dict const& d : energies) {
        auto const n = nb::cast<Dense<double, 1>>(d["depth"]).size();
        data.push_back({nb::cast<double>(d["energy"]), nb::cast<double>(d["energy_spread"]),
                        nb::cast<double>(d["peak"]), nb::cast<double>(d["range"]),
                        values_of(d, "depth", n), values_of(d, "dose", n), values_of(d, "sigma", n),
                        values_of(d, "halo_sigma", n), values_of(d, "halo_weight", n),
                        values_of(d, "let", n)});
    }
    if (data.empty()) raise({Code::invalid_argument, "no energy was given; give at least one"});
    work(nb::none(),
         [&](Telling&) { return proton::save_base_data(path, data, spot_sigma, description); });
}

nb::dict dict_of(proton::GridRun const& r) {
    nb::dict out;
    out["steps"] = numbers_of(r.steps);
    out["values"] = r.values;
    out["shape"] = nb::make_tuple(r.planes, r.columns);
    out["cells"] = r.cells;
    out["seconds"] = r.seconds;
    out["unexplained"] = r.unexplained.part;
    return out;
}

nb::dict dict_of(proton::Sequence const& s) {
    nb::dict out;
    out["converges"] = s.converges;
    out["order"] = s.order;
    out["limit"] = s.limit;
    out["errors"] = to_numpy(s.errors);
    return out;
}

nb::dict dict_of(proton::Convergence const& c) {
    nb::dict out;
    nb::list axes;
    for (proton::AxisStudy const& a : c.axes) {
        nb::dict axis;
        axis["axis"] = std::string(name_of(a.axis));
        nb::list runs, found;
        for (proton::GridRun const& r : a.runs) runs.append(dict_of(r));
        for (proton::Sequence const& s : a.found) found.append(dict_of(s));
        axis["runs"] = runs;
        axis["found"] = found;
        axes.append(axis);
    }
    out["axes"] = axes;
    out["reached"] = c.advice.reached;
    out["steps"] = numbers_of(c.advice.steps);
    out["errors"] = c.advice.errors;
    out["cells"] = c.advice.cells;
    out["worst_axis"] = std::string(name_of(c.advice.worst_axis));
    out["worst"] = name_of_choice(c.advice.worst);
    out["limits"] = c.limits;
    return out;
}

/// Marches the grids of one configuration.
class Grids {
  public:
    Grids(std::string path, int levels, proton::Precision precision, int threads)
        : path_(std::move(path)), levels_(levels), precision_(precision), threads_(threads) {}

    Result<proton::Convergence> study(proton::PerQuantity<double> const& wanted,
                                      Progress const& progress) {
        progress_ = progress;
        SLUICE_TRY(base_, proton::read_config(path_, Device::cpu(threads_), progress_));
        if (base_.sweep || base_.dense)
            return Error{Code::unsupported,
                         "has a [sweep] or [dense] (the steps of one march are looked for); leave "
                         "it out",
                         path_};
        bool const turned = std::ranges::any_of(base_.beams, [&](proton::Beam const& b) {
            return std::abs(b.angle) != std::abs(base_.beams[0].angle);
        });
        if (turned && base_.options.range_step == 0)
            return Error{Code::invalid_argument,
                         "has beams at different angles, each with its own rows of range; give "
                         "grid.range_step, one for all",
                         path_};
        return proton::converge(proton::steps_of(base_), levels_, wanted,
                                [this](proton::Steps const& s) { return run(s); });
    }

  private:
    std::string path_;
    int levels_;
    proton::Precision precision_;
    int threads_;
    proton::Config base_;
    Progress progress_;
    std::optional<proton::SigmaDepths> at_;
    std::uint64_t done_ = 0;

    // As large as the phantom, in whole steps of the coarsest grid.
    proton::Regrid regrid(proton::Steps const& steps) const {
        proton::Phantom const& p = base_.phantom;
        double const z = 2 * p.dz, x = 2 * p.dx;
        return {steps, z * std::ceil(p.depth() / z - 1e-9), x * std::ceil(p.width() / x - 1e-9)};
    }

    bool tell(double part) const {
        auto const grids = static_cast<std::uint64_t>(proton::grids_of(levels_));
        return progress_(1000 * done_ + static_cast<std::uint64_t>(1000 * part), 1000 * grids);
    }

    Result<proton::GridRun> run(proton::Steps const& steps) {
        auto const start = std::chrono::steady_clock::now();
        SLUICE_TRY(proton::Config c, proton::read_config(path_, regrid(steps)));
        c.options.precision = precision_;
        c.options.threads = threads_;
        proton::Physics const physics(c.water);
        proton::MarchResult sum;
        auto const beams = static_cast<double>(base_.beams.size());
        for (std::size_t b = 0; b < base_.beams.size(); ++b) {
            c.options.progress = [&](std::uint64_t done, std::uint64_t all) {
                double const here = static_cast<double>(done) / static_cast<double>(all);
                return tell((static_cast<double>(b) + here) / beams);
            };
            SLUICE_TRY(proton::MarchResult r,
                       proton::march(physics, c.phantom, base_.beams[b], c.options));
            if (b == 0)
                sum = std::move(r);
            else
                proton::add(sum, r);
        }
        ++done_;
        if (!at_) {
            SLUICE_TRY(at_, proton::sigma_depths(sum));
        }
        SLUICE_TRY(proton::GridRun found, proton::measure(steps, sum, *at_));
        found.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return found;
    }
};

nb::dict converge(std::string const& path, std::array<double, 5> const& wanted, int levels,
                  std::string const& precision, int threads, nb::object progress) {
    device_named("cpu", threads);
    Grids grids(path, levels, choice<proton::Precision>("precision", precision), threads);
    return dict_of(
        work(progress, [&](Telling& telling) { return grids.study(wanted, telling.progress()); }));
}

nb::dict batch(std::string const& path, std::string const& folder, proton::BatchOptions options,
               nb::object progress) {
    proton::BatchReport const r = work(progress, [&](Telling& telling) {
        options.progress = telling.progress();
        return proton::batch(path, folder, options);
    });
    nb::dict out;
    out["beams"] = r.beams;
    out["marched"] = r.marched;
    out["before"] = r.before;
    out["warned"] = r.warned;
    out["seconds"] = r.seconds;
    out["assumed"] = r.assumed;
    out["library"] = r.library;
    return out;
}

nb::dict sequence(Dense<double, 1> const& numbers, bool differences) {
    std::span<double const> const of{numbers.data(), numbers.size()};
    if (of.size() < (differences ? 2U : 3U))
        raise({Code::invalid_argument, "a sequence has at least three values, or two differences"});
    return dict_of(differences ? proton::sequence_of_differences(of)
                               : proton::sequence_of_values(of));
}

}  // namespace

nb::dict dict_of(proton::BaseEnergy b) {
    nb::dict out;
    out["energy"] = b.energy;
    out["energy_spread"] = b.energy_spread;
    out["peak"] = b.peak;
    out["range"] = b.range;
    out["depth"] = to_numpy(std::move(b.depth));
    out["dose"] = to_numpy(std::move(b.dose));
    out["sigma"] = to_numpy(std::move(b.sigma));
    out["halo_sigma"] = to_numpy(std::move(b.halo_sigma));
    out["halo_weight"] = to_numpy(std::move(b.halo_weight));
    out["let"] = to_numpy(std::move(b.let));
    out["guards"] = list_of(b.guards);
    return out;
}

void add_proton_metrics(nb::module_& m) {
    m.def("proton_bragg_metrics", bragg_metrics, "depth"_a.noconvert(), "dose"_a.noconvert());
    m.def("proton_depth_dose", depth_dose, "result"_a);
    m.def("proton_lateral_sigma",
          [](nb::dict const& r) { return to_numpy(proton::lateral_sigma(result_of(r))); });
    m.def("proton_core_sigma", [](nb::dict const& r, double part) {
        return to_numpy(proton::core_sigma(result_of(r), part));
    });
    m.def("proton_two_gaussians", [](nb::dict const& r) {
        std::vector<double> sigma, halo_sigma, halo_weight;
        for (proton::TwoGaussians const& g : proton::two_gaussians(result_of(r))) {
            sigma.push_back(g.sigma);
            halo_sigma.push_back(g.halo_sigma);
            halo_weight.push_back(g.halo_weight);
        }
        return nb::make_tuple(to_numpy(std::move(sigma)), to_numpy(std::move(halo_sigma)),
                              to_numpy(std::move(halo_weight)));
    });
    m.def("proton_let_map", let_map, "result"_a, "with_secondaries"_a);
    m.def("proton_sum_of", sum_of, "spectra"_a);
    m.def("proton_gamma_index", gamma_index, "reference"_a.noconvert(), "grid"_a,
          "evaluated"_a.noconvert(), "other"_a, "dose"_a, "distance"_a, "local"_a, "cutoff"_a,
          "most"_a, "threads"_a, "progress"_a.none());
    m.def("proton_gamma_volume", gamma_volume, "reference"_a, "evaluated"_a, "dose"_a, "distance"_a,
          "local"_a, "cutoff"_a, "most"_a, "threads"_a, "progress"_a.none());
    m.def("proton_dvh", dvh, "dose"_a.noconvert(), "mask"_a.noconvert());
    m.def("proton_dvh_at", dvh_at, "dose"_a, "part"_a, "at"_a, "coverage"_a);
    m.def("proton_base_energies", [](proton::Physics const& p, double from, double to, index n) {
        return to_numpy(unwrap(proton::base_energies(p, from, to, n)));
    });
    m.def("proton_base_energy", base_energy, "physics"_a, "energy"_a, "step"_a, "energy_spread"_a,
          "threads"_a, "progress"_a.none());
    m.def("proton_save_base_data", save_base_data, "path"_a, "energies"_a, "spot_sigma"_a,
          "description"_a);
    m.def("proton_converge", converge, "path"_a, "wanted"_a, "levels"_a, "precision"_a, "threads"_a,
          "progress"_a.none());
    m.def(
        "proton_batch",
        [](std::string const& path, std::string const& folder, std::string const& precision,
           bool dose, bool anyway, bool force, int threads, nb::object progress) {
            device_named("cpu", threads);
            return batch(path, folder,
                         {.precision = choice<proton::Precision>("precision", precision),
                          .dose = dose,
                          .anyway = anyway,
                          .force = force,
                          .threads = threads},
                         std::move(progress));
        },
        "path"_a, "folder"_a, "precision"_a, "dose"_a, "anyway"_a, "force"_a, "threads"_a,
        "progress"_a.none());
    m.def("proton_grids_of", proton::grids_of, "levels"_a);
    m.def("proton_sequence", sequence, "numbers"_a, "differences"_a);
}

}  // namespace sluice::python
