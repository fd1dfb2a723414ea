// sluice proton dvh: what part of a structure has how much dose.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/proton/command.h"
#include "app/cli/proton/picture_option.h"
#include "app/cli/shell/common_options.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "base/file.h"
#include "figure/plot.h"
#include "format/npy/plane.h"
#include "sluice/proton_metrics.h"

namespace sluice::cli {
namespace {

struct Command {
    std::string dose, out, unit = "Gy";
    std::vector<std::string> structures;
    std::vector<double> at = {20};
    double scale = 1;
    CommonOptions common;
    PictureOption pictures;
};

struct Structure {
    std::string name;
    proton::Dvh dvh;
};

std::string name_of(std::string const& path) {
    std::string const file = path.substr(path.find_last_of('/') + 1);
    return file.substr(0, file.find_last_of('.'));
}

Result<std::vector<Structure>> read(Command const& c) {
    SLUICE_TRY(Array<float> dose, npy::load_plane(c.dose));
    for (float& d : dose.values) d = static_cast<float>(d * c.scale);
    std::vector<Structure> out;
    for (std::string const& path : c.structures) {
        SLUICE_TRY(Array<float> const structure, npy::load_plane(path));
        if (structure.shape != dose.shape)
            return Error{
                Code::invalid_argument,
                fmt::format("a structure of {}x{} pixels for a dose of {}x{}; give one of the "
                            "same shape",
                            structure.shape[0], structure.shape[1], dose.shape[0], dose.shape[1]),
                path};
        for (Structure const& other : out)
            if (other.name == name_of(path))
                return Error{
                    Code::invalid_argument,
                    fmt::format("a second structure is called '{}' (files name them); give "
                                "one of them another name",
                                other.name),
                    path};
        auto d = proton::dvh(dose.values, structure.values);
        if (!d) return Error{d.error().code, d.error().message, path};
        out.push_back({name_of(path), std::move(*d)});
    }
    return out;
}

double highest(std::vector<Structure> const& all) {
    double most = 0;
    for (Structure const& s : all) most = std::max(most, s.dvh.most);
    return most > 0 ? most : 1;
}

// Bins of a thousandth of the highest dose.
constexpr int bins = 1000;

std::string table(std::vector<Structure> const& all, std::string const& unit) {
    std::string text = "dose_" + unit;
    for (Structure const& s : all) text += "," + s.name + "_percent";
    text += "\n";
    for (int i = 0; i <= bins; ++i) {
        double const dose = highest(all) * i / bins;
        text += fmt::format("{:.7g}", dose);
        for (Structure const& s : all) text += fmt::format(",{:.6g}", 100 * s.dvh.volume(dose));
        text += "\n";
    }
    return text;
}

figure::Drawing picture(std::vector<Structure> const& all, std::string const& unit) {
    constexpr figure::Rgb colours[] = {{110, 168, 254}, {255, 170, 90},  {120, 210, 140},
                                       {240, 110, 130}, {190, 150, 250}, {240, 220, 110}};
    figure::Plot plot{"dose volume histogram", "dose, " + unit, "area with at least this dose, %"};
    for (Structure const& s : all) {
        figure::Series line{s.name, {}, {}, colours[plot.series.size() % std::size(colours)]};
        for (int i = 0; i <= bins; ++i) {
            line.x.push_back(highest(all) * i / bins);
            line.y.push_back(100 * s.dvh.volume(line.x.back()));
        }
        plot.series.push_back(std::move(line));
    }
    plot.x = figure::Limits{0, highest(all)};
    plot.y = figure::Limits{0, 102};
    return figure::draw_plot(plot, 520, 1000);
}

Json to_json(Command const& c, std::vector<Structure> const& all) {
    Json j = {{"dose", c.dose}, {"unit", c.unit}, {"scaled_by", c.scale}};
    for (Structure const& s : all) {
        proton::Dvh const& d = s.dvh;
        Json one = {{"name", s.name},          {"pixels", d.area},       {"mean", d.mean},
                    {"least", d.least},        {"most", d.most},         {"D98", d.coverage(0.98)},
                    {"D95", d.coverage(0.95)}, {"D50", d.coverage(0.5)}, {"D2", d.coverage(0.02)}};
        for (double const at : c.at) one[fmt::format("V{:g}_percent", at)] = 100 * d.volume(at);
        j["structures"].push_back(one);
    }
    return j;
}

void print(Command const& c, std::vector<Structure> const& all) {
    say("{:<16}{:>10}{:>12}{:>12}{:>12}{:>12}{:>12}", "in " + c.unit, "pixels", "mean", "D98",
        "D95", "D50", "D2");
    for (double const at : c.at) say("{:>12}", fmt::format("V{:g} %", at));
    say("\n");
    for (Structure const& s : all) {
        proton::Dvh const& d = s.dvh;
        say("{:<16}{:>10.6g}{:>12.5g}", s.name, d.area, d.mean);
        for (double const part : {0.98, 0.95, 0.5, 0.02}) say("{:>12.5g}", d.coverage(part));
        for (double const at : c.at) say("{:>12.2f}", 100 * d.volume(at));
        say("\n");
    }
}

Status run(Command const& c) {
    SLUICE_TRY(auto const all, read(c));
    std::string const text = text_of(to_json(c, all)) + "\n";
    if (!c.out.empty()) {
        SLUICE_CHECK(make_folder(c.out));
        Provenance const provenance = provenance_of({c.dose});
        SLUICE_CHECK(save_text(c.out + "/dvh.csv", table(all, c.unit)));
        SLUICE_CHECK(save_text(c.out + "/dvh.json", text));
        SLUICE_CHECK(c.pictures.save(c.out + "/dvh", picture(all, c.unit), provenance));
    }
    if (c.common.json)
        say("{}", text);
    else
        print(c, all);
    return {};
}

}  // namespace

void add_proton_dvh(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand("dvh", "dose volume histograms of structures");
    auto const c = std::make_shared<Command>();
    app->add_option("dose", c->dose, "a map of doses (.npy)")->required();
    app->add_option("--structure", c->structures,
                    "pixels of a structure (.npy of the same shape), 0 to 1: the part of the pixel "
                    "that is in it; may be given several times")
        ->required();
    app->add_option("--factor", c->scale,
                    "what doses are multiplied with: of `proton run`, protons by the thickness in "
                    "y in mm")
        ->check(positive())
        ->capture_default_str();
    app->add_option("--unit", c->unit, "of the scaled doses, for names")->capture_default_str();
    app->add_option("--at", c->at, "doses whose V is told, as in V20")
        ->delimiter(',')
        ->check(not_negative())
        ->capture_default_str();
    app->add_option("--out", c->out, "a folder for dvh.csv, dvh.json and the picture");
    c->pictures.add(*app);
    c->common.add(*app, {.json = applies()});
    app->footer(
        "D95 is the dose that 95 % of the area has at least, V20 the part that has 20 or more.\n\n"
        "Examples:\n"
        "  sluice proton dvh dose/dose.npy --structure target.npy --structure cord.npy --factor "
        "5e9\n"
        "  sluice proton dvh dose/dose.npy --structure target.npy --factor 5e9 --at 20,47.5 --out "
        "dvh");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
