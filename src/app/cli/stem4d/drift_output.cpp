// Drift between scans, as results.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/drift_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "base/plural.h"
#include "figure/plot.h"
#include "figure/render.h"

namespace sluice::cli {
namespace {

using stem4d::DriftStep;
using stem4d::Point;

Json pair_of(Point p) {
    return {{"row", p.row}, {"col", p.col}};
}

Json json_of(DriftStep const& step, double step_nm) {
    Json j{{"known", step.shift.known()}};
    if (!step.shift.known()) j["why"] = step.shift.why;
    j["points"] = step.shift.known() ? pair_of(step.shift.by) : Json();
    j["error"] = step.shift.known() ? pair_of(step.shift.error) : Json();
    j["nm"] = step.shift.known() && step_nm > 0
                  ? pair_of({step.shift.by.row * step_nm, step.shift.by.col * step_nm})
                  : Json();
    j["against_scan"] = step.against + 1;
    j["correlation"] = step.shift.peak;
    j["significance"] = step.shift.significance;
    j["needed"] = step.shift.needed;
    j["fits_as_well"] = step.shift.other ? pair_of(*step.shift.other) : Json();
    Json jitter{{"known", step.jitter.known()}};
    if (!step.jitter.known()) jitter["why"] = step.jitter.why;
    if (step.jitter.known())
        jitter.update({{"rms", step.jitter.rms},
                       {"error", step.jitter.error},
                       {"odd_rows_against_even", step.jitter.turn},
                       {"odd_rows_error", step.jitter.turn_error},
                       {"rows", step.jitter.rows}});
    j["jitter"] = std::move(jitter);
    return j;
}

// Empty where there is none.
std::string number_or_none(bool known, double value) {
    return known ? fmt::format("{:.6g}", value) : std::string();
}

}  // namespace

Status DriftOutput::add(ScanMap const& image, Scan const& scan, JobReport& report) {
    SLUICE_TRY(DriftStep const step, series_.add(image));
    if (scans() == 1) {
        style_ = style_of(scan, false, output_);
        step_nm_ = scan.scan_step_nm(), unit_ = image.unit;
    }
    report.json["drift"].push_back(json_of(step, step_nm_));
    report.lines.push_back(
        fmt::format("scan {}, {}: {}", scans(), image_, stem4d::describe(step, scans() - 1)));
    return {};
}

figure::Drawing DriftOutput::drawing() const {
    figure::Plot plot{.title = "drift of " + image_, .x_label = "scan", .y_label = "points"};
    figure::Series rows{.name = "rows", .colour = {110, 168, 254}},
        cols{.name = "columns", .colour = {255, 170, 60}};
    for (DriftStep const& step : series_.steps()) {
        for (auto* one : {&rows, &cols}) one->x.push_back(static_cast<double>(one->x.size() + 1));
        rows.y.push_back(step.shift.by.row), cols.y.push_back(step.shift.by.col);
    }
    plot.series = {std::move(rows), std::move(cols)};
    return figure::draw_plot(plot, 400, 800);
}

Result<std::vector<std::string>> DriftOutput::save_table(Provenance const& provenance) const {
    std::string text =
        "scan,row,col,row_error,col_error,against,correlation,significance,jitter,jitter_error,"
        "odd_rows\n";
    index number = 0;
    for (DriftStep const& s : series_.steps()) {
        bool const known = s.shift.known(), lines = s.jitter.known();
        text += fmt::format(
            "{},{},{},{},{},{},{:.4f},{:.4g},{},{},{}\n", ++number,
            number_or_none(known, s.shift.by.row), number_or_none(known, s.shift.by.col),
            number_or_none(known, s.shift.error.row), number_or_none(known, s.shift.error.col),
            s.against + 1, s.shift.peak, s.shift.significance, number_or_none(lines, s.jitter.rms),
            number_or_none(lines, s.jitter.error), number_or_none(lines, s.jitter.turn));
    }
    std::vector<std::string> files{output_.folder + "/drift.csv"};
    SLUICE_CHECK(make_folder(output_.folder));
    SLUICE_CHECK(save_text(files[0], text));
    bool const line = std::ranges::count_if(series_.steps(),
                                            [](DriftStep const& s) { return s.shift.known(); }) > 1;
    for (std::string const& ending : output_.pictures()) {
        if (!line) break;
        files.push_back(output_.folder + "/drift" + ending);
        SLUICE_CHECK(figure::save_drawing(files.back(), drawing(), provenance));
    }
    return files;
}

std::vector<ResultImage> DriftOutput::mean(JobReport& report) const {
    stem4d::AlignedMean found = series_.mean();
    report.notes.push_back(fmt::format(
        "{}_aligned is the mean of {} where the first one has its points: moved by their drift, "
        "between points by cubic convolution; a point counts where all it is made of is there",
        image_, plural(found.taken, "image")));
    std::vector<ResultImage> out(2);
    out[0].map =
        make_map(image_ + "_aligned", unit_, std::move(found.values), Missing::no_neighbour);
    out[1].map = make_map("images_per_point", "", std::move(found.images), Missing::no);
    for (ResultImage& image : out) image.style = style_;
    return out;
}

}  // namespace sluice::cli
