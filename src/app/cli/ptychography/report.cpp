// What a reconstruction gives: pictures, arrays, a file, numbers as JSON.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/ptychography/report.h"

#include <fmt/format.h>

#include <cmath>

#include "app/cli/shell/terminal.h"
#include "sluice/ptychography_file.h"
#include "sluice/ptychography_settings.h"

namespace sluice::cli {
namespace {

Array<double> part_of(Array<std::complex<float>> const& planes, index number, bool phase) {
    index const rows = planes.shape[1], cols = planes.shape[2];
    auto part = Array<double>::zeros({rows, cols});
    for (index i = 0; i < rows * cols; ++i) {
        std::complex<double> const z(
            planes.values[static_cast<std::size_t>(number * rows * cols + i)]);
        part.values[static_cast<std::size_t>(i)] = phase ? std::arg(z) : std::abs(z);
    }
    return part;
}

// A phase and an amplitude of each plane; `shown` has the planes that pictures are drawn of.
Status add_planes(std::string const& name, Array<std::complex<float>> const& planes,
                  Array<std::complex<float>> const& shown, bool probe, double pixel_nm,
                  index member, OutputOptions const& output, std::vector<ResultImage>& images,
                  std::size_t& at) {
    for (index k = 0; k < planes.shape[0]; ++k)
        for (bool phase : {true, false}) {
            if (images.size() <= at) images.emplace_back();
            ResultImage& image = images[at++];
            image.map.name = fmt::format("{}_{}", name, phase ? "phase" : "amplitude");
            if (planes.shape[0] > 1) image.map.name += fmt::format("_{}", k + 1);
            image.map.unit = phase ? "rad" : probe ? "sqrt(counts)" : "";
            image.style = style_of(pixel_nm, false, output);
            image.style.unit = phase ? "rad" : probe ? "√counts" : "";
            SLUICE_CHECK(stem4d::append_image(image.map, part_of(planes, k, phase).values,
                                              {planes.shape[1], planes.shape[2]}, member));
            SLUICE_CHECK(stem4d::append_image(image.shown, part_of(shown, k, phase).values,
                                              {planes.shape[1], planes.shape[2]}, member));
        }
    return {};
}

}  // namespace

Json json_of(stem4d::PtychographyResult const& result, PatternsFacts const& facts) {
    Json rounds = Json::array();
    double seconds = 0;
    for (auto const& round : result.rounds) {
        rounds.push_back(round.r);
        seconds += round.seconds;
    }
    Json descan = Json::array();
    for (auto const& p : result.descan) descan.push_back({p.row, p.col});
    double background = 0;
    for (float b : result.background.values) background += static_cast<double>(b);
    Json likelihoods = Json::array();
    for (auto const likelihood : result.likelihoods) likelihoods.push_back(name_of(likelihood));
    return {{"r", rounds},
            {"descan", descan},
            {"background_counts", background},
            {"slice_nm", result.slice_nm},
            {"tilt_mrad", {result.tilt_row_mrad, result.tilt_col_mrad}},
            {"r_intensity", result.rounds.back().r_intensity},
            {"likelihoods", likelihoods},
            {"poisson_floor", result.floor},
            {"mode_powers", result.mode_powers},
            {"pixel_nm", facts.pixel_nm},
            {"wavelength_nm", facts.wavelength_nm},
            {"pattern_size", facts.size},
            {"memory_bytes", result.memory},
            {"iteration_seconds", seconds},
            {"patterns_per_second",
             static_cast<double>(facts.count * std::ssize(result.rounds)) / seconds}};
}

Status save_result(PtychographyCommand const& c, stem4d::PtychographyResult const& result,
                   PatternsFacts const& facts, Provenance const& provenance, index member,
                   JobReport& r) {
    index const members = r.json["series"].get<index>();
    std::string const path = figure_path(c.job, "ptychography", member, members) + ".h5";
    Step const step(c.job.data.common.trace.get(), Phase::write, 0);
    SLUICE_CHECK(stem4d::save_ptychography(path, result, facts.pixel_nm, facts.wavelength_nm,
                                           stem4d::all_settings(c.options, result.likelihoods),
                                           provenance));
    r.files.push_back(path);
    return {};
}

Status add_images(PtychographyCommand const& c, stem4d::PtychographyResult& result, double pixel_nm,
                  index member, JobReport& r, std::vector<ResultImage>& images) {
    auto flat = result;
    SLUICE_TRY(auto const ramp, stem4d::remove_ramp(flat));
    r.notes.push_back(fmt::format(
        "a ramp of ({:.4g}, {:.4g}) rad per pixel is taken off {}", ramp.row, ramp.col,
        !c.remove_ramp                ? "the object in pictures, and stays in arrays"
        : result.object.shape[0] == 1 ? "the object and given to the probe; patterns stay as they "
                                        "are"
                                      : "the object"));
    if (c.remove_ramp) result = flat;
    std::size_t at = 0;
    SLUICE_CHECK(add_planes("object", result.object, flat.object, false, pixel_nm, member,
                            c.job.output, images, at));
    return add_planes("probe", result.probe, result.probe, true, pixel_nm, member, c.job.output,
                      images, at);
}

Status print_plan(Json const& plan, bool json) {
    if (json) {
        say("{}\n", text_of(Json{{"plan", plan}}));
        return {};
    }
    for (Json const& member : plan)
        say("{} patterns of {} pixels a side, {:.5f} nm each on the object, {:.1f} MB beyond "
            "the patterns: {} ({:.1f} MB are there)\n",
            member["patterns"].get<index>(), member["pattern_size"].get<index>(),
            member["pixel_nm"].get<double>(), member["memory_bytes"].get<double>() * 1e-6,
            member["fits"].get<bool>() ? "it fits" : "too much",
            member["memory_limit"].get<double>() * 1e-6);
    return {};
}

}  // namespace sluice::cli
