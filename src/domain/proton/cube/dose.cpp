// The dose of a plan: its beams prepared, computed one after the other and added up.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/memory.h"
#include "base/plural.h"
#include "base/run.h"
#include "domain/proton/cube/dose_grid.h"
#include "domain/proton/cube/entrance.h"
#include "domain/proton/cube/kernel_cache.h"
#include "domain/proton/cube/memory.h"
#include "domain/proton/cube/plan_sheets.h"
#include "domain/proton/physics/constants.h"
#include "sluice/proton_dose.h"

namespace sluice::proton {
namespace {

using cube::BeamCube;
using cube::PreparedBeam;

Status check_options(DoseOptions const& o) {
    auto const bad = [](std::string text) {
        return Error{Code::invalid_argument, std::move(text)};
    };
    if (!(o.pixel >= 0.2 && o.pixel <= 10))
        return bad(fmt::format("pixels of {:g} mm; give 0.2 to 10", o.pixel));
    if (!(o.step >= 0.1 && o.step <= 10))
        return bad(fmt::format("steps of {:g} mm; give 0.1 to 10", o.step));
    if (o.energy_spread && !(*o.energy_spread >= 0 && *o.energy_spread < 20))
        return bad(fmt::format("an energy spread of {:g} MeV; give 0 to 20", *o.energy_spread));
    if (!(o.protons_per_mu >= 0 && std::isfinite(o.protons_per_mu)))
        return bad("protons_per_mu is below 0 or not finite");
    return {};
}

/// Computes beam by beam.
class PlanWork {
  public:
    PlanWork(IonPlan const& plan, Patient const& patient, Machine const* machine,
             DoseOptions const& options)
        : plan_(plan),
          patient_(patient),
          options_(known(options)),
          device_(options.device.with_threads(options.threads)),
          machinery_(plan, machine, options_) {
        // What a plan lacks, or has and is left out, changes its dose.
        for (std::string const& note : plan.notes) {
            Guard g{.name = "plan", .text = note};
            if (g.text.ends_with('.')) g.text.pop_back();
            out_.guards.push_back(std::move(g));
        }
        if (options.engine == DoseEngine::march)
            out_.notes.emplace_back(
                "the march in slices is exact across x only; along y its slices are spread as "
                "pencils are");
        if (machine)
            out_.notes.insert(out_.notes.end(), machine->notes.begin(), machine->notes.end());
    }

    Result<DoseCost> cost() {
        SLUICE_CHECK(prepare_beams());
        SLUICE_TRY(double const voxels, cube::DoseGrid::voxels(patient_, options_));
        DoseCost c{.grid_bytes = static_cast<std::uint64_t>(
                       cube::grid_bytes(voxels, options_, std::ssize(plan_.beams)))};
        for (PreparedBeam const& b : beams_) {
            auto const bytes = static_cast<std::uint64_t>(cube::beam_bytes(patient_, b, options_));
            c.beam_bytes = std::max(c.beam_bytes, bytes);
            c.steps += static_cast<double>(b.fan.rows * b.fan.columns * b.fan.planes) *
                       static_cast<double>(b.sheets.size());
            for (cube::Sheet const& s : b.sheets)
                if (s.own.depth.empty()) keys_.emplace(key_of(s), 0);
        }
        std::vector<cube::KernelKey> const marched = not_kept();
        c.marched = std::ssize(marched);
        c.kernel_bytes = static_cast<std::uint64_t>(cube::march_bytes(marched, device_.threads()));
        return c;
    }

    Result<PlanDose> run() {
        SLUICE_CHECK(prepare_beams());
        for (std::string& note : machinery_.notes()) out_.notes.push_back(std::move(note));
        SLUICE_TRY(grid_, cube::DoseGrid::create(patient_, options_, std::ssize(plan_.beams)));
        index const all = steps();
        SLUICE_CHECK(check_memory());
        Run run(options_.progress, all, "no dose is left");
        SLUICE_CHECK(give_kernels(run));
        for (std::size_t i = 0; i < beams_.size(); ++i) SLUICE_CHECK(compute(i, run));
        run.report();
        finish();
        return std::move(out_);
    }

  private:
    IonPlan const& plan_;
    Patient const& patient_;
    DoseOptions options_;
    Device device_;
    cube::Machinery machinery_;
    std::vector<PreparedBeam> beams_;
    std::map<cube::KernelKey, index> keys_;
    cube::DoseGrid grid_;
    PlanDose out_;

    // The march is a judge of the pencils' errors, and predicts none.
    static DoseOptions known(DoseOptions options) {
        if (options.engine == DoseEngine::march) options.error = false;
        return options;
    }

    Status prepare_beams() {
        SLUICE_CHECK(check_options(options_));
        if (plan_.beams.empty())
            return Error{Code::invalid_argument, "the plan has no beam; is it complete?"};
        for (IonBeam const& beam : plan_.beams) {
            SLUICE_TRY(PreparedBeam prepared,
                       prepare(plan_, beam, patient_, machinery_, options_, out_.notes));
            SLUICE_CHECK(entrance(patient_, beam, prepared, out_.guards));
            beams_.push_back(std::move(prepared));
        }
        return {};
    }

    index steps() {
        index all = 0;
        for (PreparedBeam const& b : beams_) {
            all += options_.engine == DoseEngine::march ? slices_of(b.fan, b.sheets)
                                                        : steps_of(b.fan, b.sheets);
            for (cube::Sheet const& s : b.sheets)
                if (s.own.depth.empty()) keys_.emplace(key_of(s), 0);
        }
        return all + std::ssize(keys_);
    }

    cube::KernelKey key_of(cube::Sheet const& s) const {
        bool const far = s.before.gap > 0;
        return {s.energy, s.spread, patient_.water, far ? s.scattered : 0, s.before.gap};
    }

    std::string kernel_folder() const {
        if (!options_.keep_kernels) return {};
        return options_.kernels.empty() ? cube::usual_kernel_folder() : options_.kernels;
    }

    std::vector<cube::KernelKey> not_kept() const {
        std::vector<cube::KernelKey> all;
        for (auto const& [key, place] : keys_)
            if (!cube::has_kernel(kernel_folder(), key)) all.push_back(key);
        return all;
    }

    Status check_memory() const {
        auto const free = static_cast<double>(memory_available());
        double const kernels = cube::march_bytes(not_kept(), device_.threads());
        if (kernels >= free)
            return Error{
                Code::out_of_memory,
                fmt::format("depth kernels that are marched take about {:.1f} GB on {}, "
                            "and {:.1f} GB are free; give fewer threads, or see `sluice "
                            "plan --task dose`",
                            kernels / 1e9, plural(device_.threads(), "thread"), free / 1e9)};
        double most = 0;
        for (PreparedBeam const& b : beams_)
            most = std::max(most, cube::beam_bytes(patient_, b, options_));
        if (most < free) return {};
        return Error{Code::out_of_memory,
                     fmt::format("a beam's grid takes about {:.1f} GB, and {:.1f} GB are free; "
                                 "give larger pixels or steps, or see `sluice plan --task dose`",
                                 most / 1e9, free / 1e9)};
    }

    Status give_kernels(Run& run) {
        std::vector<cube::KernelKey> wanted;
        for (auto& [key, place] : keys_) {
            place = std::ssize(wanted);
            wanted.push_back(key);
        }
        SLUICE_TRY(std::vector<BaseEnergy> const marched,
                   cube::kernels(wanted, kernel_folder(), device_.threads(), run));
        // What their threads have left is for the beams' grids.
        give_memory_back();
        Physics const physics(patient_.water);
        std::vector<std::shared_ptr<cube::DepthKernel const>> made;
        for (std::size_t i = 0; i < marched.size(); ++i) {
            SLUICE_CHECK(cube::DepthKernel::check(marched[i]));
            std::array const gap = {wanted[i].shifter, wanted[i].gap};
            made.push_back(std::make_shared<cube::DepthKernel const>(physics, marched[i], gap));
        }
        for (PreparedBeam& b : beams_)
            for (cube::Sheet& sheet : b.sheets) {
                SLUICE_TRY(sheet.kernel, kernel_of(sheet, physics, made));
                double const each =
                    sheet.kernel->energy() - sheet.kernel->energy_before(sheet.water);
                for (PlanSpot const& s : sheet.spots) b.brought += s.meterset * each;
            }
        tell_narrow_halos();
        return {};
    }

    // Marched kernels know of the air behind range shifters, and those of a file do not.
    void tell_narrow_halos() {
        double gap = 0;
        for (PreparedBeam const& b : beams_)
            for (cube::Sheet const& sheet : b.sheets)
                if (!sheet.own.depth.empty()) gap = std::max(gap, sheet.before.gap);
        if (gap == 0) return;
        out_.notes.push_back(fmt::format(
            "the halo that range shifters make widens as in water, not in up to {:g} mm of air "
            "behind them: the depth doses are the machine's; the middle of spots may get some per "
            "cent too much near the skin",
            gap));
    }

    // The machine's own, or one that was marched.
    Result<std::shared_ptr<cube::DepthKernel const>> kernel_of(
        cube::Sheet const& sheet, Physics const& physics,
        std::vector<std::shared_ptr<cube::DepthKernel const>> const& made) const {
        if (sheet.own.depth.empty()) return made[static_cast<std::size_t>(keys_.at(key_of(sheet)))];
        SLUICE_CHECK(cube::DepthKernel::check(sheet.own));
        if (options_.let && sheet.own.let.empty())
            return Error{Code::invalid_argument,
                         fmt::format("the machine's depth doses have no LET at {:g} MeV; compute "
                                     "without LET (let = false)",
                                     sheet.own.energy)};
        return std::make_shared<cube::DepthKernel const>(physics, sheet.own);
    }

    Status compute(std::size_t i, Run& run) {
        PreparedBeam const& b = beams_[i];
        IonBeam const& beam = plan_.beams[i];
        cube::CubeOptions const o{.let = options_.let,
                                  .error = options_.error,
                                  .device = device_,
                                  .threads = device_.threads()};
        SLUICE_TRY(BeamCube const c, cube_of(b, o, run));
        BeamDose d{.number = beam.number, .name = beam.name};
        Volume* const alone = options_.each_beam ? &d.dose : nullptr;
        SLUICE_TRY(d.highest, grid_.add(patient_, c, device_.threads(), run, alone));
        d.layers = std::ssize(beam.layers);
        for (PlanLayer const& layer : beam.layers) d.spots += std::ssize(layer.spots);
        d.protons = b.protons;
        constexpr double joule = joule_per_mev;
        d.energy = b.brought * joule;
        d.deposited = c.deposited * joule;
        for (cube::Sheet const& s : b.sheets)
            d.water_before = std::max(d.water_before, s.scattered);
        leaving(beam, d);
        if (c.cut > 1e-3) wide(beam, c.cut);
        out_.beams.push_back(std::move(d));
        return {};
    }

    Result<BeamCube> cube_of(PreparedBeam const& b, cube::CubeOptions const& o, Run& run) const {
        if (options_.engine == DoseEngine::pencils)
            return beam_cube(patient_, b.fan, b.sheets, o, run);
        return march_cube(patient_, b.fan, b.sheets, o, run);
    }

    void leaving(IonBeam const& beam, BeamDose const& d) {
        double const part = 100 * (1 - d.deposited / d.energy);
        if (part < 1) return;
        Guard g{.name = "leaves_image", .value = part, .limit = 1, .unit = "%"};
        g.text = fmt::format(
            "{:.3g} % of what beam {} brings leaves the image behind or beside it: the image may "
            "be too small, or the isocentre wrong",
            part, beam.number);
        out_.guards.push_back(std::move(g));
    }

    // Rays lie across the image's axes as the beam does: the smallest voxels count.
    void skipping(double pixel) {
        double const voxel = *std::ranges::min_element(patient_.spacing);
        constexpr double most = 1.5;
        if (pixel <= most * voxel) return;
        Guard g{.name = "pixels_skipped", .value = pixel / voxel, .limit = most};
        g.text = fmt::format(
            "pixels of {:g} mm skip voxels of {:g} mm: what lies between rays is not met, and no "
            "error is predicted of it",
            pixel, voxel);
        g.key = "make pixel smaller";
        out_.guards.push_back(std::move(g));
    }

    void wide(IonBeam const& beam, double part) {
        Guard g{.name = "pencils_cut", .value = 100 * part, .limit = 0.1, .unit = "%"};
        g.text = fmt::format(
            "{:.3g} % of the dose of beam {} is of pencils that are wider than its grid has room "
            "for, as behind long ways in air: their sides are missing",
            g.value, beam.number);
        out_.guards.push_back(std::move(g));
    }

    void finish() {
        grid_.finish(out_);
        out_.fractions = options_.single_fraction ? 1 : plan_.fractions;
        auto const& p = patient_;
        out_.notes.insert(out_.notes.begin(), p.notes.begin(), p.notes.end());
        out_.guards.insert(out_.guards.begin(), p.guards.begin(), p.guards.end());
        skipping(options_.pixel);
        if (options_.error) judge_error();
    }

    void judge_error() {
        auto const& error = out_.error.image.values;
        auto const worst = std::ranges::max_element(error);
        double const most = static_cast<double>(*worst);
        if (!(most > options_.accuracy)) return;
        auto const place = place_of_element(out_.error, worst - error.begin());
        index bad = 0, high = 0;
        auto const& dose = out_.dose.image.values;
        float const tenth = *std::ranges::max_element(dose) / 10;
        for (std::size_t i = 0; i < dose.size(); ++i) {
            high += dose[i] >= tenth;
            bad += dose[i] >= tenth && static_cast<double>(error[i]) > options_.accuracy;
        }
        Guard g{.name = "predicted_error", .value = most, .limit = options_.accuracy, .unit = "%"};
        g.text = fmt::format(
            "the dose may be wrong by {:.0f} % of its highest value about ({:.0f}, {:.0f}, {:.0f}) "
            "mm, and by more than {:g} % in {:.2g} % of the voxels with a tenth of it: protons "
            "that scatter meet other tissue there than the rays that they follow",
            most, place[0], place[1], place[2], options_.accuracy,
            100 * static_cast<double>(bad) / static_cast<double>(std::max<index>(high, 1)));
        out_.guards.push_back(std::move(g));
    }
};

}  // namespace

Status same_coordinates(IonPlan const& plan, std::string const& frame) {
    if (frame.empty() || plan.frame_of_reference.empty() || frame == plan.frame_of_reference)
        return {};
    return Error{Code::invalid_argument,
                 fmt::format("its coordinates ({}) are not those of the plan ({}): frames of "
                             "reference (0020,0052); give what belongs to the plan's CT",
                             frame, plan.frame_of_reference)};
}

Result<PlanDose> dose(IonPlan const& plan, Patient const& patient, Machine const* machine,
                      DoseOptions const& options) {
    return PlanWork(plan, patient, machine, options).run();
}

Result<DoseCost> dose_cost(IonPlan const& plan, Patient const& patient, Machine const* machine,
                           DoseOptions const& options) {
    return PlanWork(plan, patient, machine, options).cost();
}

}  // namespace sluice::proton
