// Pictures of proton beams: maps, spectra and where everything went.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/proton/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "figure/field.h"
#include "figure/plot.h"
#include "sluice/proton_guards.h"

namespace sluice::cli {
namespace {

constexpr index width = 1000;

constexpr figure::Rgb palette[] = {{110, 168, 254}, {255, 170, 90},  {120, 210, 140},
                                   {240, 110, 130}, {190, 150, 250}, {240, 220, 110},
                                   {120, 215, 225}, {200, 200, 205}};

figure::Rgb colour(std::size_t i) {
    return palette[i % std::size(palette)];
}

figure::Field field_of(MapView const& v) {
    proton::MarchResult const& g = v.grid;
    figure::Field f{v.title, "depth, mm", "x, mm", g.columns, g.planes};
    f.values.resize(v.values.size());
    for (index k = 0; k < g.planes; ++k)
        for (index x = 0; x < g.columns; ++x)
            f.values[static_cast<std::size_t>(x * g.planes + k)] =
                v.values[static_cast<std::size_t>(k * g.columns + x)];
    f.x = {0, g.dz * static_cast<double>(g.planes)};
    f.y = {g.x0, g.x0 + g.dx * static_cast<double>(g.columns)};
    f.unit = v.unit;
    return f;
}

// Millimetres as long across as along, if that is neither a ribbon nor a tower.
figure::Drawing drawn(figure::Field const& f) {
    double const ratio = (f.y.high - f.y.low) / (f.x.high - f.x.low);
    auto const rows = static_cast<index>(std::clamp(ratio * 830.0, 240.0, 900.0)) + 90;
    return figure::draw_field(f, rows, width);
}

figure::Drawing stacked(std::vector<figure::Plot> const& plots, std::vector<index> const& heights) {
    index rows = 0, at = 0;
    for (index const h : heights) rows += h;
    figure::Drawing all = figure::sheet(rows, width, {});
    for (std::size_t i = 0; i < plots.size(); ++i) {
        figure::paste(all, at, 0, figure::draw_plot(plots[i], heights[i], width));
        at += heights[i];
    }
    return all;
}

}  // namespace

figure::Drawing dose_picture(MapView const& view) {
    figure::Field f = field_of(view);
    double const top = *std::ranges::max_element(f.values);
    if (top > 0)
        for (double& v : f.values) v *= 100 / top;
    f.limits = {{0, 100}};
    constexpr figure::Rgb colours[] = {{90, 140, 255}, {80, 210, 235},  {100, 220, 120},
                                       {245, 235, 90}, {255, 255, 255}, {255, 60, 200}};
    std::size_t n = 0;
    for (int const percent : {10, 30, 50, 70, 90, 95})
        f.contours.push_back({double(percent), fmt::format("{} %", percent), colours[n++]});
    return drawn(f);
}

figure::Drawing let_picture(MapView const& view) {
    figure::Field f = field_of(view);
    // Single cells at the end of range have so much that all else would be dark.
    std::vector<double> sorted;
    std::ranges::copy_if(f.values, std::back_inserter(sorted),
                         [](double v) { return std::isfinite(v); });
    if (!sorted.empty()) {
        std::ranges::sort(sorted);
        f.limits = {{0, sorted[sorted.size() * 98 / 100]}};
    }
    f.map = figure::Map::meadow;
    return drawn(f);
}

figure::Drawing gamma_picture(MapView const& view, double most) {
    figure::Field f = field_of(view);
    f.limits = {{0, most}};
    f.map = figure::Map::balance;
    f.contours = {{1, "", {20, 20, 20}}};
    return drawn(f);
}

figure::Drawing spectra_picture(proton::MarchResult const& r, std::string const& title) {
    figure::Plot plot{title, "energy, MeV", "primary protons per MeV a proton"};
    double most = 0, widest_top = 0;
    for (proton::Spectrum const& s : r.spectra) {
        figure::Series line{fmt::format("{:.6g} mm", s.depth), {}, {}, colour(plot.series.size())};
        auto const point = [&](double x, double y) {
            line.x.push_back(x);
            line.y.push_back(y / r.ledger.in.weight);
        };
        // Steps, so that the area under the line is the number of protons.
        for (std::size_t i = 0; i < s.protons.size(); ++i) {
            if (i == 0) point(s.edges[0], 0);
            point(s.edges[i], s.protons[i]);
            point(s.edges[i + 1], s.protons[i]);
        }
        if (!s.edges.empty()) {
            point(s.edges.back(), 0);
            most = std::max(most, s.edges.back());
            double const top = *std::ranges::max_element(s.protons) / r.ledger.in.weight;
            if (s.protons.size() > 5) widest_top = std::max(widest_top, top);
        }
        plot.series.push_back(std::move(line));
    }
    if (most > 0) plot.x = figure::Limits{0, 1.03 * most};
    // A beam of one energy is a line as high as its bin is narrow.
    if (widest_top > 0) plot.y = figure::Limits{0, 1.1 * widest_top};
    return figure::draw_plot(plot, 480, width);
}

figure::Drawing ledger_picture(proton::MarchResult const& r, std::string const& title) {
    using proton::Ledger;
    std::vector<double> depth;
    for (std::size_t k = 0; k < r.steps.size(); ++k)
        depth.push_back(static_cast<double>(k + 1) * r.dz);
    auto const add = [&](figure::Plot& plot, std::string const& name, double least,
                         std::function<double(Ledger const&)> const& part) {
        figure::Series s{name, depth, {}, colour(plot.series.size())};
        for (Ledger const& l : r.steps) s.y.push_back(part(l));
        // What hardly anything goes to would lie on the axis.
        double const most =
            std::abs(*std::ranges::max_element(s.y, {}, [](double v) { return std::abs(v); }));
        if (most >= least) plot.series.push_back(std::move(s));
    };
    auto const w = [](Ledger const& l, double v) { return 100 * v / l.in.weight; };
    auto const e = [](Ledger const& l, double v) { return 100 * v / l.in.energy; };
    constexpr double least = 0.05;
    figure::Plot protons{title, "depth, mm", "protons, % of all"};
    add(protons, "flying", least, [&](Ledger const& l) { return w(l, l.inside.weight); });
    add(protons, "stopped", least, [&](Ledger const& l) { return w(l, l.stopped.weight); });
    add(protons, "nuclear reactions", least,
        [&](Ledger const& l) { return w(l, l.nuclear.weight); });
    add(protons, "out of the sides", least,
        [&](Ledger const& l) { return w(l, l.left.weight + l.right.weight); });
    add(protons, "out of the angles", least,
        [&](Ledger const& l) { return w(l, l.angles.weight); });
    add(protons, "out of the last plane", least,
        [&](Ledger const& l) { return w(l, l.end.weight); });
    figure::Plot energy{"", "depth, mm", "energy, % of all"};
    add(energy, "flying", least, [&](Ledger const& l) { return e(l, l.inside.energy); });
    add(energy, "left by slowing down", least,
        [&](Ledger const& l) { return e(l, l.stopped.energy); });
    add(energy, "left by nuclear reactions", least,
        [&](Ledger const& l) { return e(l, l.local + l.secondary); });
    add(energy, "secondaries on their way", least,
        [&](Ledger const& l) { return e(l, l.secondary_out); });
    add(energy, "neutral, gone", least, [&](Ledger const& l) { return e(l, l.neutral); });
    add(energy, "out of the sides and angles", least,
        [&](Ledger const& l) { return e(l, l.left.energy + l.right.energy + l.angles.energy); });
    add(energy, "out of the last plane", least,
        [&](Ledger const& l) { return e(l, l.end.energy); });
    figure::Plot residual{"", "depth, mm", "residual, parts in a million"};
    add(residual, "protons", 0, [&](Ledger const& l) { return 1e4 * w(l, l.residual().weight); });
    add(residual, "energy", 0, [&](Ledger const& l) { return 1e4 * e(l, l.residual().energy); });
    figure::Plot unexplained{"", "depth, mm",
                             "dose not explained by stopping power, worst column, % of highest"};
    figure::Series off{"dose less stopping power times protons", {}, {}, colour(0)};
    for (proton::Unexplained const& u : unexplained_by_plane(r)) {
        off.x.push_back(u.depth);
        off.y.push_back(100 * u.part);
    }
    unexplained.series.push_back(std::move(off));
    for (figure::Plot* const p : {&protons, &energy, &residual, &unexplained})
        p->x = figure::Limits{0, depth.back()};
    protons.y = energy.y = figure::Limits{0, 102};
    return stacked({protons, energy, residual, unexplained}, {330, 460, 200, 200});
}

}  // namespace sluice::cli
