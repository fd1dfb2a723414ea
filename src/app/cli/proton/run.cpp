// sluice proton run: a dose out of a configuration.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "app/cli/proton/command.h"
#include "app/cli/proton/dose.h"
#include "app/cli/proton/outputs.h"
#include "app/cli/proton/plot.h"
#include "app/cli/proton/report.h"
#include "app/cli/shell/common_options.h"
#include "app/cli/shell/terminal.h"
#include "base/file.h"
#include "base/plural.h"
#include "device/isa.h"
#include "domain/proton/physics/constants.h"
#include "domain/proton/words.h"
#include "sluice/proton_config.h"
#include "sluice/proton_metrics.h"

namespace sluice::cli {
namespace {

struct Command {
    std::string config, out, reference;
    proton::Precision precision = proton::Precision::f32;
    std::vector<std::string> formats = {"npy"};
    bool anyway = false;
    PictureOption pictures;
    CommonOptions common;
};

/// What a run found, and what is said of it.
struct Outcome {
    proton::Config config;
    std::vector<proton::Guard> guards;
    ProtonSum sum;
    proton::BraggMetrics metrics;
    std::optional<Reference> beside;
    std::vector<std::string> files = {};

    proton::MarchResult const& total() const { return sum.total; }
};

Result<proton::Config> read(Command const& c) {
    SLUICE_TRY(Device const device, c.common.chosen_device());
    SLUICE_TRY(proton::Config config, proton::read_config(c.config, device));
    if (config.sweep)
        return Error{
            Code::invalid_argument,
            "has a [sweep], and beams of a sweep are not to be added up; march each on its "
            "own with `sluice proton batch`",
            c.config};
    config.options.precision = c.precision;
    return config;
}

Result<std::vector<proton::Guard>> allowed(Command const& c, proton::Config& config) {
    SLUICE_TRY(std::vector<proton::Guard> guards, check_all(config));
    if (auto refused = refuse(guards, c.config, c.anyway); !refused) {
        if (c.common.json)
            say("{}\n", text_of({{"config", c.config}, {"guards", to_json(guards)}}));
        return std::move(refused).error();
    }
    return guards;
}

Result<Outcome> compute(Command& c) {
    SLUICE_TRY(proton::Config config, read(c));
    SLUICE_TRY(std::vector<proton::Guard> guards, allowed(c, config));
    SLUICE_CHECK(make_folder(c.out));
    SLUICE_TRY(Trace* const trace, c.common.trace.on(1));
    SLUICE_TRY(ProtonSum sum, march_all(config, c.common.threads, trace));
    auto const after = guards_after(config, sum.total);
    guards.insert(guards.end(), after.begin(), after.end());
    auto curve = depth_dose(sum.total);
    SLUICE_TRY(proton::BraggMetrics const metrics, bragg_metrics(curve));
    std::optional<Reference> beside;
    if (!c.reference.empty()) {
        for (double& d : curve.dose) d *= proton::gray_mm2 / sum.total.ledger.in.weight;
        SLUICE_TRY(beside, read_reference(c.reference, curve));
    }
    return Outcome{std::move(config), std::move(guards), std::move(sum), metrics,
                   std::move(beside)};
}

Result<std::vector<std::string>> save(Command& c, Outcome const& o) {
    Provenance provenance = provenance_of({c.config});
    for (std::string const& a : assumptions(o.config)) provenance.add("assumption", a);
    for (std::string const& w : warnings(o.guards)) provenance.add("warning", w);
    SLUICE_TRY(auto files, save_run(c.out, c.config.substr(c.config.find_last_of('/') + 1),
                                    {c.formats, summary(o.guards)}, c.pictures, o.config, o.sum,
                                    o.beside, provenance));
    SLUICE_CHECK(c.common.trace.save("plane", files));
    return files;
}

Json sigma_of(Outcome const& o) {
    proton::MarchResult const& r = o.total();
    auto const peak = static_cast<std::size_t>(std::clamp<double>(
        std::floor(o.metrics.peak_depth / r.dz), 0, static_cast<double>(r.planes - 1)));
    auto const sigma = proton::lateral_sigma(r), core = proton::core_sigma(r);
    return {{"surface_mm", sigma[0]},
            {"surface_core_mm", core[0]},
            {"peak_mm", sigma[peak]},
            {"peak_core_mm", core[peak]}};
}

Json report_of(Command const& c, Outcome const& o) {
    proton::MarchResult const& r = o.total();
    Json j;
    j["config"] = c.config;
    j["provenance"] = to_json(provenance_of({c.config}));
    j["assumed"] = assumptions(o.config);
    j["warnings"] = warnings(o.guards);
    j["guards"] = to_json(o.guards);
    j["grid"] = {{"planes", r.planes}, {"columns", r.columns},
                 {"dz_mm", r.dz},      {"dx_mm", r.dx},
                 {"x0_mm", r.x0},      {"precision", config::word_of(c.precision)}};
    j["device"] = o.config.options.device.name();
    j["metrics"] = to_json(o.metrics);
    for (proton::Sobp const& s : o.config.sobps) j["spread_out_peaks"].push_back(to_json(s));
    j["sigma_x"] = sigma_of(o);
    j["ledger"] = to_json(r.ledger);
    j["worst_residual_of_a_step"] = {{"weight", r.worst_weight}, {"energy", r.worst_energy}};
    proton::Unexplained const u = proton::worst_unexplained(r);
    j["physics"] = {
        {"column_dose", {{"part", u.part}, {"depth_mm", u.depth}, {"x_mm", u.x}}},
        {"spread", {{"part", r.place_off.part}, {"depth_mm", r.place_off.depth}}},
        {"angle_spread", {{"part", r.angle_off.part}, {"depth_mm", r.angle_off.depth}}},
        {"range_spread", {{"part", r.range_off.part}, {"depth_mm", r.range_off.depth}}}};
    j["seconds"] = o.sum.seconds;
    if (o.beside)
        j["reference"] = {{"path", c.reference},
                          {"scaled_by", o.beside->factor},
                          {"worst_of_peak", o.beside->worst},
                          {"rms_of_peak", o.beside->rms},
                          {"metrics", to_json(o.beside->metrics)}};
    return j;
}

void print(Command const& c, Outcome const& o) {
    proton::MarchResult const& r = o.total();
    proton::BraggMetrics const& m = o.metrics;
    say("{}: {}, {} of {} mm, {} of {} mm\n", c.config, plural(o.config.beams.size(), "beam"),
        plural(r.planes, "plane"), r.dz, plural(r.columns, "column"), r.dx);
    for (std::string const& a : assumptions(o.config)) say("  {}\n", a);
    say("\nR90 {:.2f} mm, R80 {:.2f} mm, R50 {:.2f} mm; peak at {:.2f} mm; fall-off 80-20 {:.2f} "
        "mm; width {:.2f} mm; peak/entrance {:.2f}\n",
        m.r90, m.r80, m.r50, m.peak_depth, m.fall_off, m.width, m.peak_to_entrance);
    if (o.beside)
        say("{}: R80 {:.2f} mm (here {:+.2f}), fall-off {:.2f} mm (here {:+.2f}); scaled by {:.4g} "
            "to "
            "the same integral, the difference is {:.1f} % of the peak at most, {:.1f} % rms\n",
            o.beside->name, o.beside->metrics.r80, m.r80 - o.beside->metrics.r80,
            o.beside->metrics.fall_off, m.fall_off - o.beside->metrics.fall_off, o.beside->factor,
            100 * o.beside->worst, 100 * o.beside->rms);
    for (proton::Sobp const& s : o.config.sobps)
        say("spread-out peak: {} layers of {:.2f} to {:.2f} MeV; in water it is flat within {:.2f} "
            "% from {:.1f} to {:.1f} mm and falls to 80 % at {:.2f} mm\n",
            s.beams.size(), s.beams.back().energy, s.beams.front().energy, 100 * s.flatness,
            s.begin, s.end, s.range);
    print_ledger(r.ledger);
    say("\n{:.0f} ms; in {}: {}, report.json; doses are Gy mm a proton\n", 1e3 * o.sum.seconds,
        c.out, fmt::join(o.files, ", "));
}

Status run(Command& c) {
    SLUICE_CHECK(check_isa_wish());
    SLUICE_TRY(Outcome o, compute(c));
    SLUICE_TRY(o.files, save(c, o));
    std::string const text = text_of(report_of(c, o)) + "\n";
    SLUICE_CHECK(save_text(c.out + "/report.json", text));
    print_guards(o.guards);
    if (c.common.json)
        say("{}", text);
    else
        print(c, o);
    return {};
}

}  // namespace

void add_proton_run(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand("run", "dose, ranges and LET of a configuration");
    auto const c = std::make_shared<Command>();
    app->add_option("config", c->config, "a TOML file")->required();
    app->add_option("--out", c->out, "a folder for the results")->required();
    app->add_option("--reference", c->reference,
                    "another depth dose to draw beside it: lines of mm and dose");
    app->add_option("--format", c->formats,
                    "of the dose, one or several with commas between: npy, mhd, mha, nrrd")
        ->delimiter(',')
        ->check(one_of(dose_formats()))
        ->capture_default_str();
    c->pictures.add(*app);
    app->add_word("--precision", c->precision, "of the state");
    app->add_flag("--anyway", c->anyway,
                  "compute what is refused because the dose would be wrong, with warnings");
    c->common.add(
        *app, {.threads = applies(),
               .device = applies("cpu, an instruction set as cpu:avx2, cuda, or reference: slow, "
                                 "to compare with"),
               .json = applies(),
               .memory_limit = refused("takes what its grid takes; a coarser grid takes less"),
               .trace = applies()});
    app->footer(
        "A configuration:\n"
        "  [grid]\n"
        "  depth = \"180 mm\"\n"
        "  width = \"50 mm\"\n"
        "  [[beam]]\n"
        "  energy = \"150 MeV\"\n"
        "  sigma_x = \"3 mm\"\n\n"
        "Examples:\n"
        "  sluice proton run beam.toml --out dose\n"
        "  sluice proton run beam.toml --out dose --reference measured.csv\n"
        "  sluice proton run beam.toml --out dose --format npy,mhd,nrrd\n"
        "  sluice proton run beam.toml --out dose --precision f64 --json\n"
        "  sluice proton run beam.toml --out slow --device reference");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
