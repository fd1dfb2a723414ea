// `sluice stem4d ptychography` with --orientations, --sweep or --frc.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/ptychography/search.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/ptychography/axes.h"
#include "app/cli/shell/terminal.h"
#include "domain/ptychography/settings/input_fields.h"
#include "domain/ptychography/settings/words.h"
#include "figure/figure.h"

namespace sluice::cli {
namespace {

figure::Drawing draw_phase(Array<float> const& phase, std::string title, double pixel_nm) {
    figure::Style style;
    style.title = std::move(title);
    style.unit = "rad";
    if (pixel_nm > 0) style.step = figure::PixelStep{pixel_nm, "nm"};
    style.least_side = 256, style.most_side = 512;
    return figure::render(view<2>(phase), style);
}

void add_figure(std::string const& name, figure::Drawing drawing, SearchInput const& input,
                Stem4dJob const& job, JobReport& report) {
    // The picture is what the search is for: a PNG where no other kind is asked for.
    std::vector<std::string> endings = job.output.pictures();
    if (endings.empty()) endings.emplace_back(".png");
    report.figures.push_back(
        {figure_path(job, name, input.member, report.json["series"].get<index>()), endings,
         std::move(drawing), input.provenance});
}

AxesOptions turned(stem4d::ScanOrientation const& o, stem4d::PatternsOptions const& geometry) {
    AxesMatrix m = axes_of(geometry);
    turn(m, o.transpose, o.flip_rows, o.flip_cols);
    return scan_options(m, 1e6);
}

AxesOptions turned(stem4d::ScanOrientation const& o, stem4d::PatternFileOptions const& geometry) {
    AxesMatrix m = axes_of(geometry);
    turn(m, o.transpose, o.flip_rows, o.flip_cols);
    return file_options(m);
}

Status show_orientations(SearchInput const& input, Stem4dJob const& job, JobReport& report) {
    auto const* const* const of_scan = std::get_if<stem4d::PatternsOptions const*>(&input.geometry);
    if (of_scan && !(*of_scan)->positions.empty())
        return Error{Code::invalid_argument,
                     "--orientations turns the raster, and --positions replaces it; leave one out"};
    SLUICE_TRY(auto const all, stem4d::orientations(input.patterns, input.options));
    std::vector<figure::Drawing> panels;
    Json ranked = Json::array();
    for (auto const& o : all) {
        AxesOptions const way =
            std::visit([&](auto const* geometry) { return turned(o, *geometry); }, input.geometry);
        Json one = way.options;
        one["r"] = o.r;
        one["positions"] = {
            {"transpose", o.transpose}, {"flip_rows", o.flip_rows}, {"flip_cols", o.flip_cols}};
        ranked.push_back(std::move(one));
        panels.push_back(draw_phase(o.phase, fmt::format("R {:.4f}: {}", o.r, way.title),
                                    input.patterns.pixel_nm));
        report.notes.push_back(
            fmt::format("orientation {}: R {:.4f} with {}", ranked.size(), o.r, way.words));
    }
    if (all[1].r < 1.02 * all[0].r)
        report.notes.push_back(
            "the two best orientations differ by less than 2 % in R (a pattern's twin, conjugated "
            "and turned, is as good) give --semiangle and --defocus, or look at the sign of the "
            "phase");
    report.json["orientations"].push_back(std::move(ranked));
    add_figure("orientations", figure::grid(panels, 4, "Orientations of the detector", ""), input,
               job, report);
    return {};
}

Status run_sweep(SearchOptions const& search, SearchInput const& input, Stem4dJob const& job,
                 JobReport& report) {
    stem4d::SweepOptions sweep = search.sweep;
    sweep.base = input.options;
    SLUICE_TRY(auto const runs, stem4d::ptychography_sweep(input.patterns, sweep));
    std::vector<figure::Drawing> panels;
    Json ranked = Json::array();
    for (auto const& run : runs) {
        std::string name;
        Json settings = Json::object();
        for (auto const& [setting, value] : run.settings) {
            name += (name.empty() ? "" : ", ") + setting + "=" + value;
            settings[setting] = value;
        }
        Json one{{"settings", settings}};
        if (!run.error.empty()) {
            one["error"] = run.error;
            report.notes.push_back(fmt::format("{}: {}", name, run.error));
        } else {
            one["r"] = run.r;
            one["poisson_floor"] = run.floor;
            if (run.held_out_r > 0) one["held_out_r"] = run.held_out_r;
            one["iteration_seconds"] = run.seconds;
            one["findings"] = run.findings;
            double const r = run.held_out_r > 0 ? run.held_out_r : run.r;
            // A page of pictures, and no more.
            if (panels.size() < 24)
                panels.push_back(draw_phase(run.phase, fmt::format("R {:.4f}: {}", r, name),
                                            input.patterns.pixel_nm));
        }
        ranked.push_back(std::move(one));
    }
    if (std::ranges::all_of(runs, [](auto const& run) { return !run.error.empty(); }))
        return Error{Code::invalid_argument,
                     "no run of the sweep gave a result; the first: " + runs.front().error};
    report.json["sweep"].push_back(ranked);
    input.bar.clear();
    if (!job.data.common.json) {
        say("{:<10} {:<10} {:<8} {}\n", "R", sweep.held_out > 0 ? "held out" : "floor", "seconds",
            "settings");
        for (Json const& one : ranked) {
            std::string name;
            for (auto const& [setting, value] : one["settings"].items())
                name += (name.empty() ? "" : " ") + setting + "=" + value.get<std::string>();
            if (one.contains("error"))
                say("{:<30} {}\n", "failed", name);
            else
                say("{:<10.4f} {:<10.4f} {:<8.2f} {}\n", one["r"].get<double>(),
                    one[sweep.held_out > 0 ? "held_out_r" : "poisson_floor"].get<double>(),
                    one["iteration_seconds"].get<double>(), name);
        }
    }
    add_figure("sweep", figure::grid(panels, 4, "Sweep", ""), input, job, report);
    return {};
}

}  // namespace

void SearchOptions::add(Verb const& app) {
    app->add_flag("--orientations", orientations,
                  "try the eight orientations of the detector, and show them with their R; few "
                  "--iterations will do");
    app.add_fields(ptycho::sweep_fields(), sweep);
    app->get_option("--held-out").needs("--sweep");
    app->add_word("--frc", frc,
                  "reconstruct two halves too, of the patterns or of their counts, and say the "
                  "resolution at which they agree");
}

Status search(SearchOptions const& search, SearchInput const& input, Stem4dJob const& job,
              JobReport& report) {
    if (search.orientations && !search.sweep.axes.empty())
        return Error{Code::invalid_argument,
                     "--orientations and --sweep are two searches; run one after the other"};
    if (search.frc)
        return Error{Code::invalid_argument,
                     "--frc goes with one reconstruction; run it after the search"};
    return search.orientations ? show_orientations(input, job, report)
                               : run_sweep(search, input, job, report);
}

Status report_halves(SearchOptions const& search, SearchInput const& input, JobReport& report) {
    auto options = input.options;
    options.checkpoint.clear();  // that is the whole's
    options.resume.clear();
    SLUICE_TRY(auto const rings, stem4d::correlate_halves(input.patterns, options, *search.frc));
    bool const nm = input.patterns.pixel_nm > 0;
    report.json["frc"].push_back({{"halves", config::word_of(*search.frc)},
                                  {nm ? "resolution_nm" : "resolution_pixels", rings.resolution},
                                  {"crossed", rings.crossed},
                                  {nm ? "per_nm" : "per_pixel", rings.frequency},
                                  {"correlation", rings.correlation},
                                  {"half_bit", rings.threshold}});
    report.notes.push_back(
        fmt::format("resolution {:.4g} {} (period; where rings of the {} fall below half a bit{})",
                    rings.resolution, nm ? "nm" : "pixels",
                    fmt::format("halves of the {}", config::word_of(*search.frc)),
                    rings.crossed ? "" : "; they never do: it is two pixels"));
    return {};
}

}  // namespace sluice::cli
