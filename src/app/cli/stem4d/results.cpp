// Saves results and describes them.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/stem4d/coordinates.h"
#include "base/file.h"
#include "figure/render.h"
#include "figure/words.h"
#include "scan/scan_tables.h"
#include "sluice/stem4d.h"
#include "store/plan.h"

namespace sluice::cli {
namespace {

std::vector<index> image_shape(Array<double> const& a) {
    return {a.shape[a.shape.size() - 2], a.shape[a.shape.size() - 1]};
}

Array<float> as_float(Array<double> const& a) {
    Array<float> out{a.shape, {}};
    out.values.assign(a.values.begin(), a.values.end());
    return out;
}

Status save_pictures(ResultImage const& image, std::string const& stem,
                     std::vector<std::string> const& endings, Provenance const& provenance,
                     std::vector<std::string>& files) {
    Array<float> const values = as_float(image.shown.size() ? image.shown : image.map);
    auto const shape = image_shape(image.map);
    index const size = shape[0] * shape[1], members = values.size() / size;
    figure::Style style = image.style;
    if (style.title.empty()) style.title = image.map.name;
    for (index m = 0; m < members; ++m) {
        View<float const, 2> const plane(values.values.data() + m * size, {shape[0], shape[1]});
        figure::Drawing const drawing = figure::render(plane, style);
        for (std::string const& ending : endings) {
            files.push_back(members == 1 ? stem + ending
                                         : fmt::format("{}_{:04}{}", stem, m + 1, ending));
            SLUICE_CHECK(figure::save_drawing(files.back(), drawing, provenance));
        }
    }
    return {};
}

}  // namespace

std::string file_name_of(std::string const& name) {
    std::string out;
    for (char c : name) {
        bool const plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
        out += plain ? c : '_';
    }
    out.resize(std::min<std::size_t>(out.size(), 100));  // file systems end at 255
    return out.empty() ? "image" : out;
}

void OutputOptions::add(Verb const& app, bool needs_folder) {
    Option const its = app.add_option("--out", folder, "folder for the results");
    if (needs_folder) its.required();
    app.add_option("--format", formats,
                   "npy, tiff (float32), hdf5, and pictures: png, svg, pdf; several with commas")
        ->delimiter(',')
        ->check(one_of({"npy", "tiff", "hdf5", "png", "svg", "pdf"}))
        ->capture_default_str();
    app.add_word("--map", map, "colour map [by kind]");
    app.add_word("--scale", scale, "of values to colours [by kind]");
    app.add_option("--low", low, "percentile drawn darkest")
        ->check(in_range(0.0, 100.0))
        ->capture_default_str();
    app.add_option("--high", high, "percentile drawn brightest")
        ->check(in_range(0.0, 100.0))
        ->capture_default_str();
}

bool OutputOptions::wants(std::string_view format) const {
    return std::ranges::find(formats, format) != formats.end();
}

std::vector<std::string> OutputOptions::pictures() const {
    std::vector<std::string> endings;
    for (char const* const format : {"png", "svg", "pdf"})
        if (wants(format)) endings.push_back(std::string(".") + format);
    return endings;
}

Provenance provenance_of(Scan const& scan, std::vector<std::string> const& notes) {
    Dataset const& d = scan.dataset();
    Provenance p = provenance_of(d.files);
    p.add("scan", fmt::format("{} ({})", d.path, d.format));
    p.add("scan shape",
          fmt::format("{}x{} (from: {})", scan.scan_shape()[0], scan.scan_shape()[1], d.scan_from));
    p.add("detector shape", fmt::format("{}x{} {}", scan.detector_shape()[0],
                                        scan.detector_shape()[1], name_of(scan.dtype())));
    p.add("coordinates", std::string(coordinates));
    store::Plan const& plan = scan.plan();
    stem4d::PixelGrid const grid = stem4d::pixel_grid(scan);
    p.add("detector pixels",
          fmt::format("element [0][0] of a pattern is centred on row {:g}, column {:g} of the full "
                      "detector, and its elements are {} pixels apart",
                      grid.origin.row, grid.origin.col, plan.det_bin));
    p.add("scan points",
          fmt::format("element [0][0] of an image is point row {}, column {} of the full scan; its "
                      "elements are {} points apart and made of {}x{}",
                      plan.scan_region.row, plan.scan_region.col, plan.scan_bin * plan.scan_step,
                      plan.scan_bin, plan.scan_bin));
    for (std::string const& note : notes) p.add("note", note);
    return p;
}

figure::Style style_of(Scan const& scan, bool of_detector, OutputOptions const& options) {
    return style_of(of_detector ? scan.detector_step_mrad() : scan.scan_step_nm(), of_detector,
                    options);
}

figure::Style style_of(double step, bool of_detector, OutputOptions const& options) {
    figure::Style style;
    style.step =
        step > 0 ? figure::PixelStep{step, of_detector ? "mrad" : "nm"} : figure::PixelStep{};
    style.low_percentile = options.low, style.high_percentile = options.high;
    if (of_detector) style.map = figure::Map::ember, style.scale = figure::Scale::log;
    if (options.scale) style.scale = *options.scale;
    if (options.map) style.map = *options.map;
    return style;
}

Result<std::vector<std::string>> save(std::vector<ResultImage> const& images,
                                      std::string const& job, Provenance const& provenance,
                                      OutputOptions const& options) {
    SLUICE_CHECK(make_folder(options.folder));
    std::vector<std::string> files;
    std::vector<ScanMap> maps;
    for (ResultImage const& image : images) {
        std::string const stem = options.folder + "/" + file_name_of(image.map.name);
        for (auto const& [format, ending] : {std::pair{"npy", ".npy"}, {"tiff", ".tif"}}) {
            if (!options.wants(format)) continue;
            files.push_back(stem + ending);
            SLUICE_CHECK(save_map(files.back(), image.map, provenance));
        }
        auto const endings = options.pictures();
        if (image.drawn && !endings.empty())
            SLUICE_CHECK(save_pictures(image, stem, endings, provenance, files));
        if (!options.wants("hdf5")) continue;
        maps.push_back(image.map);
        maps.back().name = file_name_of(image.map.name);
    }
    if (options.wants("hdf5")) {
        files.push_back(options.folder + "/" + job + ".h5");
        SLUICE_CHECK(save_hdf5(files.back(), maps, provenance));
    }
    return files;
}

Json summary_of(Array<double> const& values) {
    double low = INFINITY, high = -INFINITY, sum = 0;
    index n = 0;
    for (double v : values.values) {
        if (!std::isfinite(v)) continue;
        low = std::min(low, v), high = std::max(high, v), sum += v;
        ++n;
    }
    Json j;
    j["shape"] = values.shape;
    if (n > 0) j["min"] = low, j["max"] = high, j["mean"] = sum / static_cast<double>(n);
    j["not_finite"] = values.size() - n;
    return j;
}

Json description_of(Scan const& scan) {
    Json j;
    j["source"] = scan.dataset().path;
    j["scan"] = scan.scan_shape();
    j["detector"] = scan.detector_shape();
    j["dtype"] = name_of(scan.dtype());
    store::Plan const& plan = scan.plan();
    stem4d::PixelGrid const grid = stem4d::pixel_grid(scan);
    j["scan_from"] = scan.dataset().scan_from;
    j["detector_origin"] = {grid.origin.row, grid.origin.col};
    j["detector_bin"] = plan.det_bin;
    j["scan_origin"] = {plan.scan_region.row, plan.scan_region.col};
    j["scan_pitch"] = plan.scan_bin * plan.scan_step;
    j["layout"] = scan.layout();
    j["resident_bytes"] = scan.memory().resident;
    if (scan.tables() && scan.tables()->file()) {
        j["tables"] = {{"file", scan.tables()->file()->path()},
                       {"answers", scan.tables()->answers()}};
    }
    return j;
}

}  // namespace sluice::cli
