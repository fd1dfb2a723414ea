// `sluice stem4d ptychography` with --orientations, --sweep or --frc.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/ptychography_search.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "figure/figure.h"
#include "sluice/ptychography_judge.h"

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

using Matrix = std::array<std::array<double, 2>, 2>;

// What an orientation adds to how positions lie.
void turn(Matrix& m, bool transpose, bool flip_rows, bool flip_cols) {
    if (transpose) std::swap(m[0], m[1]);
    if (flip_rows) m[0] = {-m[0][0], -m[0][1]};
    if (flip_cols) m[1] = {-m[1][0], -m[1][1]};
}

// How positions lie of a scan: its raster is turned by -degrees, and its axes are exchanged or not.
Matrix lies(stem4d::PatternsOptions const& geometry) {
    double const angle = -geometry.rotation_degrees.value_or(0) * std::numbers::pi / 180;
    Matrix m{{{std::cos(angle), -std::sin(angle)}, {std::sin(angle), std::cos(angle)}}};
    turn(m, geometry.transpose.value_or(false), false, false);
    return m;
}
// And of a file, whose positions are exchanged, and then turned around.
Matrix lies(stem4d::PatternFileOptions const& geometry) {
    Matrix m{{{1, 0}, {0, 1}}};
    turn(m, geometry.transpose, geometry.flip_rows, geometry.flip_cols);
    return m;
}

// The options that give an orientation, and how it is called.
struct Turned {
    Json options = Json::object();
    std::string words, title;
};

// The rotation and transposition of a raster that lies so, to `steps` of a degree.
Turned of_scan(Matrix m, double steps) {
    bool const transpose = m[0][0] * m[1][1] - m[0][1] * m[1][0] < 0;
    if (transpose) std::swap(m[0], m[1]);
    double const turn = -std::atan2(m[1][0], m[0][0]) * 180 / std::numbers::pi;
    double const degrees = std::round(turn * steps) / steps + 0.0;
    return {{{"rotation", degrees}, {"transpose", transpose}},
            fmt::format("--rotation {:g}{}", degrees, transpose ? " --transpose" : ""),
            fmt::format("{:g}°{}", degrees, transpose ? ", transposed" : "")};
}

// The options that make positions of a file lie so, along its axes.
Turned of_file(Matrix const& m) {
    bool const transpose = std::abs(m[0][0]) < std::abs(m[0][1]);
    Turned found;
    for (auto const& [name, given] :
         {std::pair("transpose", transpose), std::pair("flip_rows", m[0][transpose ? 1 : 0] < 0),
          std::pair("flip_cols", m[1][transpose ? 0 : 1] < 0)}) {
        found.options[name] = given;
        std::string option = name;
        std::replace(option.begin(), option.end(), '_', '-');
        if (given) found.words += (found.words.empty() ? "--" : " --") + option;
    }
    found.title = found.words.empty() ? "as the file has it" : found.words;
    if (found.words.empty()) found.words = "no option, as the file has it";
    return found;
}

Turned turned(stem4d::Orientation const& o, stem4d::PatternsOptions const& geometry) {
    Matrix m = lies(geometry);
    turn(m, o.transpose, o.flip_rows, o.flip_cols);
    return of_scan(m, 1e6);
}

Turned turned(stem4d::Orientation const& o, stem4d::PatternFileOptions const& geometry) {
    Matrix m = lies(geometry);
    turn(m, o.transpose, o.flip_rows, o.flip_cols);
    return of_file(m);
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
        Turned const way =
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

Result<stem4d::SweepOptions> parse_sweep(SearchOptions const& search,
                                         stem4d::PtychographyOptions const& base) {
    stem4d::SweepOptions sweep{.base = base, .held_out = search.held_out};
    for (std::string const& text : search.sweep) {
        auto const equals = text.find('=');
        if (equals == std::string::npos || equals + 1 == text.size())
            return Error{Code::invalid_argument,
                         fmt::format("--sweep {} gives no values; write --sweep NAME=A,B,C", text)};
        stem4d::SweepAxis axis{text.substr(0, equals), {}};
        for (std::size_t at = equals + 1; at <= text.size();) {
            std::size_t const comma = std::min(text.find(',', at), text.size());
            axis.values.push_back(text.substr(at, comma - at));
            at = comma + 1;
        }
        sweep.axes.push_back(std::move(axis));
    }
    return sweep;
}

Status run_sweep(SearchOptions const& search, SearchInput const& input, Stem4dJob const& job,
                 JobReport& report) {
    SLUICE_TRY(auto const sweep, parse_sweep(search, input.options));
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
    if (!job.output.json) {
        fmt::print("{:<10} {:<10} {:<8} {}\n", "R", search.held_out > 0 ? "held out" : "floor",
                   "seconds", "settings");
        for (Json const& one : ranked) {
            std::string name;
            for (auto const& [setting, value] : one["settings"].items())
                name += (name.empty() ? "" : " ") + setting + "=" + value.get<std::string>();
            if (one.contains("error"))
                fmt::print("{:<30} {}\n", "failed", name);
            else
                fmt::print("{:<10.4f} {:<10.4f} {:<8.2f} {}\n", one["r"].get<double>(),
                           one[search.held_out > 0 ? "held_out_r" : "poisson_floor"].get<double>(),
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
    app->add_option("--sweep", sweep,
                    "NAME=A,B,C: run a setting's values instead of one; several give all "
                    "combinations, ranked by R")
        .one_each();
    app->add_option("--held-out", held_out,
                    "part of the patterns that no run of a sweep sees, as in 0.05; runs are ranked "
                    "by their R [0]")
        .check(in_range(0.0, 0.2))
        .needs("--sweep");
    app->add_option("--frc", frc,
                    "reconstruct two halves too, of the patterns or of their counts, and say the "
                    "resolution at which they agree")
        .check(one_of({"patterns", "counts"}));
}

Status search(SearchOptions const& search, SearchInput const& input, Stem4dJob const& job,
              JobReport& report) {
    if (search.orientations && !search.sweep.empty())
        return Error{Code::invalid_argument,
                     "--orientations and --sweep are two searches; run one after the other"};
    if (!search.frc.empty())
        return Error{Code::invalid_argument,
                     "--frc goes with one reconstruction; run it after the search"};
    return search.orientations ? show_orientations(input, job, report)
                               : run_sweep(search, input, job, report);
}

Status report_halves(SearchOptions const& search, SearchInput const& input, JobReport& report) {
    auto const halves = search.frc == "counts" ? stem4d::Halves::counts : stem4d::Halves::patterns;
    auto options = input.options;
    options.checkpoint.clear();  // that is the whole's
    options.resume.clear();
    SLUICE_TRY(auto const rings, stem4d::correlate_halves(input.patterns, options, halves));
    bool const nm = input.patterns.pixel_nm > 0;
    report.json["frc"].push_back({{"halves", search.frc},
                                  {nm ? "resolution_nm" : "resolution_pixels", rings.resolution},
                                  {"crossed", rings.crossed},
                                  {nm ? "per_nm" : "per_pixel", rings.frequency},
                                  {"correlation", rings.correlation},
                                  {"half_bit", rings.threshold}});
    report.notes.push_back(
        fmt::format("resolution {:.4g} {} (period; where rings of the {} fall below half a bit{})",
                    rings.resolution, nm ? "nm" : "pixels",
                    search.frc == "counts" ? "halves of the counts" : "halves of the patterns",
                    rings.crossed ? "" : "; they never do: it is two pixels"));
    return {};
}

namespace {

Matrix after(std::array<double, 4> const& m, Matrix const& lies) {
    Matrix product{};
    for (std::size_t i : {0U, 1U})
        for (std::size_t k : {0U, 1U})
            product[i][k] = m[2 * i] * lies[0][k] + m[2 * i + 1] * lies[1][k];
    return product;
}

// The options that mend a cause; empty: what the library says of it will do.
std::string options_for(stem4d::TriedCause const& cause, SearchInput const& input) {
    bool const turns = cause.name == "rotation" || cause.name == "transpose";
    auto const* const* const scan = std::get_if<stem4d::PatternsOptions const*>(&input.geometry);
    if (scan) {
        if (!(*scan)->positions.empty()) return {};
        std::string const way = of_scan(after(cause.turn, lies(**scan)), 1e1).words;
        bool const slanted = std::min(std::abs(cause.turn[0]), std::abs(cause.turn[1])) > 0.01;
        if (turns)
            return fmt::format("give {}{}", slanted ? "about " : "", way) +
                   (slanted ? " (center-of-mass --rotation auto measures it on the whole scan)"
                            : "");
        if (cause.name == "defocus sign")
            return fmt::format(
                "give --defocus of the other sign, or {}, which is the same to the patterns", way);
        if (cause.name == "unit of positions")
            return fmt::format("give a --scan-step-nm that is {:.4g} times as large",
                               cause.turn[0]);
    }
    if (cause.name == "modes") return "give more --modes";
    // A file's axes can be exchanged and turned around only.
    double const slant = std::min(std::abs(cause.turn[0]), std::abs(cause.turn[1]));
    if (scan || !turns || slant > 0.01) return {};
    auto const& file = *std::get<stem4d::PatternFileOptions const*>(input.geometry);
    return "give " + of_file(after(cause.turn, lies(file))).words;
}

}  // namespace

void explain_misfit(stem4d::PtychographyResult& result, stem4d::Patterns const& part,
                    SearchInput const& input) {
    ProgressBar bar("try causes of the misfit", ProgressBar::Counts::steps);
    auto options = input.options;
    options.progress = bar.callback();
    Status const tried = stem4d::explain_misfit(
        result, part, options, [&](auto const& cause) { return options_for(cause, input); });
    if (!tried)
        result.notes.push_back("causes of the misfit were not tried: " + tried.error().message);
}

Json findings_json(stem4d::PtychographyResult const& result) {
    Json all = Json::array();
    for (auto const& f : result.findings) {
        all.push_back({{"name", f.name},
                       {"value", f.value},
                       {"threshold", f.threshold},
                       {"found", f.found},
                       {"advice", f.advice}});
        if (f.cause.empty()) continue;
        all.back()["cause"] = f.cause;
        all.back()["tried_r"] = f.tried_r;
        for (auto const& tried : f.tried)
            all.back()["tried"].push_back({{"name", tried.name},
                                           {"r", tried.r},
                                           {"turn", tried.turn},
                                           {"advice", tried.advice}});
    }
    return all;
}

}  // namespace sluice::cli
