// Reads the options of planned work.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/plan_tasks.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "audio/source.h"
#include "domain/crystal/analyze/wishes.h"
#include "domain/crystal/fields.h"
#include "domain/music/separate/fields.h"
#include "domain/orientation/library/fields.h"
#include "domain/orientation/library/load_phases.h"
#include "domain/proton/cube/fields.h"

namespace sluice::cli {
namespace {

// A table's fields but some, and some by other names, which mean other things here.
template <class T>
void add_some(Verb const& app, config::Fields<T> fields, T& into,
              std::vector<std::string_view> const& names) {
    for (auto const& field : fields)
        for (std::string_view const name : names)
            if (field.name == name) app.add_field(field, into);
}

// The YAML beside a model has its name.
std::optional<std::string> config_beside(std::string const& model) {
    for (char const* const ending : {".yaml", ".yml"}) {
        auto const beside = std::filesystem::path(model).replace_extension(ending);
        std::error_code none;
        if (std::filesystem::exists(beside, none)) return beside.string();
    }
    return {};
}

// "240s", or the length of a sound file.
Result<double> seconds_of(std::string const& path) {
    double s = 0;
    auto const [end, failed] = std::from_chars(path.data(), path.data() + path.size(), s);
    if (failed == std::errc() && std::string_view(end) == "s") return s;
    SLUICE_TRY(auto source, audio::Source::open(path));
    int const rate = source.sound().rate;
    if (auto const frames = source.sound().frames; frames && *frames > 0)
        return static_cast<double>(*frames) / rate;
    // Some files do not say it.
    std::vector<float> block(static_cast<std::size_t>(65536 * source.sound().channels));
    for (index frames = 0;;) {
        SLUICE_TRY(index const some, source.read(block));
        frames += some;
        if (some == 0) return static_cast<double>(frames) / rate;
    }
}

}  // namespace

void CrystalPlanning::add(Verb const& app) {
    source.add(app);
    app.add_fields(stem4d::disk_fields(), crystal.disks);
    app.add_option("--crystal", crystals, "of orientation: CIF of a crystal; repeat it")
        ->one_each();
    app.add_option("--calibration", calibration, "of orientation: file of `stem4d calibrate`");
    add_some(app, stem4d::library_fields(), crystal.library,
             {"zone_step", "most_frequency", "precession_mrad"});
}

Status CrystalPlanning::read(PlanTask task, DataOptions const& data, double energy) {
    SLUICE_CHECK(source.check(data));
    crystal.fit = source.fit;
    if (!source.vacuum.empty())
        return Error{Code::invalid_argument,
                     "--vacuum is not planned (the scan's own disk stands for it) leave it out"};
    if (!source.file.empty()) {
        SLUICE_TRY(crystal.probe, stem4d::load_template(source.file));
    } else if (!source.radius.empty()) {
        SLUICE_TRY(crystal.probe, crystal::parse_template_radius(source.radius));
    }
    if (task != PlanTask::orientation) return {};
    crystal.library.kilovolts = energy;
    if (crystals.empty())
        return Error{Code::invalid_argument,
                     "--task orientation has no --crystal (orientations are of known crystals) "
                     "name a CIF"};
    SLUICE_TRY(auto phases, orient::load_phases(crystals));
    crystal.cells = std::move(phases.cells);
    if (!calibration.empty()) {
        SLUICE_TRY(crystal.calibration, stem4d::load_calibration(calibration));
    }
    return {};
}

void DosePlanning::add(Verb const& app) {
    files.add(app, false);
    add_some(
        app, proton::dose_fields(), options,
        {"engine", "let", "error", "spacing", "pixel", "step", "protons_per_mu", "energy_spread"});
}

Result<WorkPlan> DosePlanning::plan(std::string const& path, Device const& device, int threads,
                                    PlanRun const& run) {
    if (files.ct.empty())
        return Error{Code::invalid_argument,
                     "--task dose has no --ct (a dose is of a plan on a CT) name one"};
    files.plan = path;
    options.device = device;
    options.threads = threads;
    SLUICE_TRY(PlanInputs const in, files.read());
    return plan_dose(path, in.plan, in.patient, in.machine_or_none(), options, run);
}

void SongPlanning::add(Verb const& app) {
    app.add_option("--model", models, "of separate: a model; several are joined")->one_each();
    app.add_option("--model-config", configs, "the YAML of a model [MODEL.yaml]; one for each")
        ->one_each();
    app.add_fields(music::model_fields(), model);
    add_some(app, music::separate_fields(), separate, {"preset", "overlap", "shifts", "augment"});
}

Result<WorkPlan> SongPlanning::plan(std::string const& path, Device const& device, int threads,
                                    PlanRun const& run) {
    if (configs.size() > models.size())
        return Error{Code::invalid_argument, "there are more --model-config than --model"};
    SLUICE_TRY(double const song_s, seconds_of(path));
    std::vector<PlanModel> all;
    for (std::size_t k = 0; k < models.size(); ++k) {
        PlanModel& one = all.emplace_back(PlanModel{models[k], model});
        one.options.config = k < configs.size() ? configs[k] : config_beside(models[k]);
        one.options.preset = separate.preset;
        one.options.device = device;
        one.options.threads = threads;
    }
    return plan_separation(fmt::format("{}, {:.0f} s", path, song_s), song_s, all, separate, run);
}

}  // namespace sluice::cli
