// What is told of dose volume histograms.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/proton/dvh_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/shell/terminal.h"
#include "base/file.h"
#include "figure/plot.h"

namespace sluice::cli {
namespace {

double highest(DvhReport const& r) {
    double most = 0;
    for (NamedDvh const& s : r.all) most = std::max(most, s.dvh().most);
    return most > 0 ? most : 1;
}

// Bins of a thousandth of the highest dose.
constexpr int bins = 1000;

// A cell that may have commas and quotes (RFC 4180).
std::string cell(std::string const& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string out = "\"";
    for (char const c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

std::string table(DvhReport const& r) {
    std::string text = cell("dose_" + r.unit);
    for (NamedDvh const& s : r.all) text += "," + cell(s.name + "_percent");
    text += "\n";
    for (int i = 0; i <= bins; ++i) {
        double const dose = highest(r) * i / bins;
        text += fmt::format("{:.7g}", dose);
        for (NamedDvh const& s : r.all) text += fmt::format(",{:.6g}", 100 * s.dvh().volume(dose));
        text += "\n";
    }
    return text;
}

figure::Drawing picture(DvhReport const& r) {
    constexpr figure::Rgb colours[] = {{110, 168, 254}, {255, 170, 90},  {120, 210, 140},
                                       {240, 110, 130}, {190, 150, 250}, {240, 220, 110}};
    figure::Plot plot{"dose volume histogram", "dose, " + r.unit,
                      r.structures.empty() ? "area with at least this dose, %"
                                           : "volume with at least this dose, %"};
    for (NamedDvh const& s : r.all) {
        figure::Series line{s.name, {}, {}, colours[plot.series.size() % std::size(colours)]};
        for (int i = 0; i <= bins; ++i) {
            line.x.push_back(highest(r) * i / bins);
            line.y.push_back(100 * s.dvh().volume(line.x.back()));
        }
        plot.series.push_back(std::move(line));
    }
    plot.x = figure::Limits{0, highest(r)};
    plot.y = figure::Limits{0, 102};
    return figure::draw_plot(plot, 520, 1000);
}

Json to_json(DvhReport const& r, NamedDvh const& s) {
    proton::Dvh const& d = s.dvh();
    Json j = {{"name", s.name}};
    if (s.solid) {
        j["type"] = s.type;
        j["volume_cm3"] = s.of.volume_cm3;
        j["inside_cm3"] = s.of.inside_cm3;
        j["samples"] = s.of.samples;
    } else {
        j["pixels"] = d.area;
    }
    j["mean"] = d.mean;
    j["least"] = d.least;
    j["most"] = d.most;
    j["D98"] = d.coverage(0.98);
    j["D95"] = d.coverage(0.95);
    j["D50"] = d.coverage(0.5);
    j["D2"] = d.coverage(0.02);
    for (double const at : r.at) {
        j[fmt::format("V{:g}_percent", at)] = 100 * d.volume(at);
        if (s.solid) j[fmt::format("V{:g}_cm3", at)] = s.of.inside_cm3 * d.volume(at);
    }
    return j;
}

}  // namespace

Json to_json(DvhReport const& r) {
    Json j = {{"dose", r.dose}, {"unit", r.unit}, {"scaled_by", r.factor}};
    if (!r.structures.empty()) j["file_of_structures"] = r.structures;
    if (r.same_coordinates) j["coordinates_checked"] = *r.same_coordinates;
    j["structures"] = Json::array();
    for (NamedDvh const& s : r.all) j["structures"].push_back(to_json(r, s));
    if (!r.structures.empty()) j["left_out"] = Json::array();
    for (auto const& [name, why] : r.left_out)
        j["left_out"].push_back(Json{{"name", name}, {"why", why}});
    return j;
}

void print(DvhReport const& r) {
    bool const solid = !r.structures.empty();
    std::size_t width = 14;
    for (NamedDvh const& s : r.all) width = std::max(width, s.name.size());
    say("{:<{}}{:>12}", "in " + r.unit, width, solid ? "cm3" : "pixels");
    if (solid) say("{:>12}{:>12}{:>12}", "least", "mean", "most");
    if (!solid) say("{:>12}", "mean");
    say("{:>12}{:>12}{:>12}{:>12}", "D98", "D95", "D50", "D2");
    for (double const at : r.at) say("{:>12}", fmt::format("V{:g} %", at));
    say("\n");
    for (NamedDvh const& s : r.all) {
        proton::Dvh const& d = s.dvh();
        say("{:<{}}{:>12.6g}", s.name, width, solid ? s.of.volume_cm3 : d.area);
        if (solid) say("{:>12.5g}{:>12.5g}{:>12.5g}", d.least, d.mean, d.most);
        if (!solid) say("{:>12.5g}", d.mean);
        for (double const part : {0.98, 0.95, 0.5, 0.02}) say("{:>12.5g}", d.coverage(part));
        for (double const at : r.at) say("{:>12.2f}", 100 * d.volume(at));
        say("\n");
    }
}

Status save_dvh(std::string const& folder, DvhReport const& r, PictureOption const& pictures) {
    SLUICE_CHECK(make_folder(folder));
    std::vector<std::string> from = {r.dose};
    if (!r.structures.empty()) from.push_back(r.structures);
    Provenance const provenance = provenance_of(from);
    SLUICE_CHECK(save_text(folder + "/dvh.csv", table(r)));
    SLUICE_CHECK(save_text(folder + "/dvh.json", text_of(to_json(r)) + "\n"));
    return pictures.save(folder + "/dvh", picture(r), provenance);
}

}  // namespace sluice::cli
