// sluice proton gamma: how far two doses are apart.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/proton/command.h"
#include "app/cli/proton/curve.h"
#include "app/cli/proton/gamma_criterion.h"
#include "app/cli/proton/pictures.h"
#include "app/cli/shell/common_options.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "figure/plot.h"
#include "figure/render.h"
#include "format/kinds/kinds.h"
#include "format/npy/plane.h"

namespace sluice::cli {
namespace {

struct Command {
    std::string reference, evaluated, out, values;
    std::vector<double> spacing = {1, 1}, evaluated_spacing, shift = {0, 0};
    double scale = 1;
    GammaCriterion criterion;
    bool placed = false;  // an option says where the doses lie
    CommonOptions common;
};

bool is_npy(std::string const& path) {
    return path.ends_with(".npy");
}

bool is_volume(std::string const& path) {
    ContentKind const* const kind = kind_of(path);
    return kind == &kinds::volume;
}

// The middles of pixels are half a step from the edge, so that grids of other steps lie right.
Result<proton::DoseMap> read_map(std::string const& path, std::vector<double> const& spacing) {
    SLUICE_TRY(Array<float> const a, npy::load_plane(path));
    proton::DoseMap m{a.shape[0], a.shape[1], spacing[0], spacing[1]};
    m.z0 = m.dz / 2;
    m.x0 = m.dx / 2;
    m.values.assign(a.values.begin(), a.values.end());
    return m;
}

// On points equally far apart, as near to each other as the nearest of the curve.
Result<proton::DoseMap> read_line(std::string const& path) {
    SLUICE_TRY(proton::DepthCurve const c, read_curve(path));
    double step = c.depth.back() - c.depth.front();
    for (std::size_t i = 1; i < c.depth.size(); ++i)
        step = std::min(step, c.depth[i] - c.depth[i - 1]);
    double const steps = std::round((c.depth.back() - c.depth.front()) / step);
    if (steps > 1e6)
        return Error{Code::unsupported, "has points so near to each other that there are too many",
                     path};
    proton::DoseMap m{static_cast<index>(steps) + 1, 1};
    m.dz = (c.depth.back() - c.depth.front()) / steps;
    m.z0 = c.depth.front();
    for (index k = 0; k < m.rows; ++k) {
        double const at = std::min(m.z0 + m.dz * static_cast<double>(k), c.depth.back());
        auto const above = std::ranges::upper_bound(c.depth, at) - c.depth.begin();
        auto const i =
            std::clamp<std::size_t>(static_cast<std::size_t>(above), 1, c.depth.size() - 1);
        double const t = (at - c.depth[i - 1]) / (c.depth[i] - c.depth[i - 1]);
        m.values.push_back(c.dose[i - 1] + t * (c.dose[i] - c.dose[i - 1]));
    }
    return m;
}

Result<proton::DoseMap> read_dose(std::string const& path, std::vector<double> const& spacing) {
    return is_npy(path) ? read_map(path, spacing) : read_line(path);
}

figure::Drawing curves(proton::DoseMap const& reference, proton::DoseMap const& evaluated,
                       proton::GammaResult const& found, std::string const& title) {
    constexpr figure::Rgb theirs{255, 170, 90}, ours{110, 168, 254};
    auto const depths = [](proton::DoseMap const& m) {
        std::vector<double> out;
        for (index k = 0; k < m.rows; ++k) out.push_back(m.z0 + m.dz * static_cast<double>(k));
        return out;
    };
    figure::Plot dose{title,
                      "depth, mm",
                      "dose",
                      {{"reference", depths(reference), reference.values, theirs, 5},
                       {"evaluated", depths(evaluated), evaluated.values, ours}}};
    figure::Plot gamma{"", "depth, mm", "gamma", {{"", depths(reference), found.gamma, theirs}}};
    dose.x = gamma.x = figure::Limits{dose.series[0].x.front(), dose.series[0].x.back()};
    figure::Drawing all = figure::sheet(560, 1000, {});
    figure::paste(all, 0, 0, figure::draw_plot(dose, 340, 1000));
    figure::paste(all, 340, 0, figure::draw_plot(gamma, 220, 1000));
    return all;
}

figure::Drawing picture(Command const& c, proton::DoseMap const& reference,
                        proton::DoseMap const& evaluated, proton::GammaResult const& found,
                        double most) {
    std::string const title =
        fmt::format("{}: {:.2f} % passed", c.criterion.words(), 100 * found.passed);
    if (reference.columns == 1) return curves(reference, evaluated, found, title);
    proton::MarchResult grid;
    grid.planes = reference.rows;
    grid.columns = reference.columns;
    grid.dz = reference.dz;
    grid.dx = reference.dx;
    return gamma_picture({grid, found.gamma, title, "gamma"}, most);
}

Status run(Command const& c) {
    if (!c.out.empty()) SLUICE_CHECK(figure::check_ending(c.out));
    bool const in_space = is_volume(c.reference);
    if (is_npy(c.reference) != is_npy(c.evaluated) || in_space != is_volume(c.evaluated))
        return Error{Code::invalid_argument,
                     "give two doses in space (RT dose, NRRD, MetaImage), two maps (.npy) or two "
                     "curves (text)"};
    if (in_space) {
        if (c.placed)
            return Error{Code::invalid_argument,
                         "the files say where their doses lie; --spacing, --evaluated-spacing and "
                         "--shift are for maps and curves"};
        return volume_gamma({c.reference, c.evaluated, c.out, c.values, c.scale}, c.criterion,
                            c.common);
    }
    auto const& other = c.evaluated_spacing.empty() ? c.spacing : c.evaluated_spacing;
    SLUICE_TRY(proton::DoseMap const reference, read_dose(c.reference, c.spacing));
    SLUICE_TRY(proton::DoseMap evaluated, read_dose(c.evaluated, other));
    if (is_npy(c.reference) && c.evaluated_spacing.empty() &&
        (reference.rows != evaluated.rows || reference.columns != evaluated.columns))
        return Error{
            Code::invalid_argument,
            fmt::format("the doses have {}x{} and {}x{} points and one spacing (with it "
                        "their extents differ); give --evaluated-spacing, even if it is the "
                        "same",
                        reference.rows, reference.columns, evaluated.rows, evaluated.columns)};
    evaluated.z0 += c.shift[0];
    evaluated.x0 += c.shift[1];
    for (double& v : evaluated.values) v *= c.scale;
    proton::GammaOptions const o = c.criterion.options(c.common.threads);
    SLUICE_TRY(proton::GammaResult const found, gamma_index(reference, evaluated, o));
    if (found.points == 0)
        return Error{Code::invalid_argument, "no point has a dose above the cut-off", c.reference};
    double worst = 0;
    for (double const g : found.gamma)
        if (std::isfinite(g)) worst = std::max(worst, g);
    if (!c.out.empty()) {
        Provenance const provenance = provenance_of({c.reference, c.evaluated});
        SLUICE_CHECK(figure::save_drawing(c.out, picture(c, reference, evaluated, found, o.most),
                                          provenance));
    }
    if (!c.values.empty()) {
        Array<float> a{{reference.rows, reference.columns}, {}};
        a.values.assign(found.gamma.begin(), found.gamma.end());
        SLUICE_CHECK(save_npy(c.values, a));
    }
    if (c.common.json) {
        Json j = {{"reference", c.reference}, {"evaluated", c.evaluated}};
        j.update(c.criterion.json());
        j.update({{"points", found.points},
                  {"passed", found.passed},
                  {"mean", found.mean},
                  {"largest", worst},
                  {"largest_told", o.most}});
        say("{}\n", text_of(j));
        return {};
    }
    say("{}: {:.2f} % of {} points passed; mean {:.3f}, largest {}{:.3f}\n", c.criterion.words(),
        100 * found.passed, found.points, found.mean, worst >= o.most ? "at least " : "", worst);
    return {};
}

void add_places(Verb const& app, Command& c) {
    app.add_option("--spacing", c.spacing, "of maps: mm from row to row, and from column to column")
        ->delimiter(',')
        ->expected(2)
        ->check(positive())
        ->capture_default_str();
    app.add_option("--evaluated-spacing", c.evaluated_spacing, "if that of EVALUATED is another")
        ->delimiter(',')
        ->expected(2)
        ->check(positive());
    app.add_option("--shift", c.shift, "mm that EVALUATED lies deeper, and to the right")
        ->delimiter(',')
        ->expected(2);
    app.add_option("--factor", c.scale, "what EVALUATED's doses are multiplied with")
        ->check(positive());
}

}  // namespace

void add_proton_gamma(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand("gamma", "gamma index of two doses");
    auto const c = std::make_shared<Command>();
    app->add_option("reference", c->reference,
                    "a dose in space (RT dose, NRRD, MetaImage), a map (.npy) or a curve (depth in "
                    "mm, dose)")
        ->required();
    app->add_option("evaluated", c->evaluated, "the same kind; the edges of maps lie on each other")
        ->required();
    c->criterion.add(*app);
    add_places(*app, *c);
    app->add_option("--out", c->out, "a picture of gamma (.png, .svg or .pdf)");
    app->add_option("--values", c->values,
                    "gamma of each point of the reference (.npy; of doses in space .nrrd or .mha)");
    c->common.add(*app, {.threads = applies(), .json = applies()});
    app->footer(
        "Examples:\n"
        "  sluice proton gamma planned.dcm computed/dose.nrrd --dose 3 --distance 3 --values "
        "gamma.nrrd\n"
        "  sluice proton gamma a/dose.npy b/dose.npy --spacing 0.5,0.5 --out gamma.png\n"
        "  sluice proton gamma a/dose.npy b/dose.npy --dose 1 --distance 1 --local --cutoff 5\n"
        "  sluice proton gamma measured.csv dose/depth_dose.csv --factor 3.2");
    app->callback([c, app, &exit_code] {
        c->placed = std::ranges::any_of(app->given(), [](Verb::Given const& g) {
            return g.option == "--spacing" || g.option == "--evaluated-spacing" ||
                   g.option == "--shift";
        });
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
