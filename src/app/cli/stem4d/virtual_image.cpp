// `sluice stem4d virtual-image`.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/cli/stem4d/command.h"
#include "app/cli/stem4d/job.h"

namespace sluice::cli {
namespace {

struct Command {
    Stem4dJob job;
    std::vector<std::string> detectors = {"bf"};
    bool mean = false;
};

// Where a detector ends: in pixels of the full detector, and in mrad where the scan knows how many
// a pixel is.
Json limits_of(stem4d::Detector const& d, Scan const& scan, stem4d::Disk const& disk) {
    using Shape = stem4d::Detector::Shape;
    Json j{{"name", d.name}};
    double const step = scan.detector_step_mrad() / stem4d::pixel_grid(scan).bin;
    auto const add = [&](char const* name, std::array<double, 2> pixels, double zero) {
        j[std::string(name) + "_pixels"] = pixels;
        if (step > 0)
            j[std::string(name) + "_mrad"] = {(pixels[0] - zero) * step, (pixels[1] - zero) * step};
    };
    auto const in_pixels = stem4d::in_pixels(d, scan, disk);
    if (!in_pixels) return j;
    if (d.shape == Shape::disk || d.shape == Shape::annulus || d.shape == Shape::square)
        add("radii", {in_pixels->inner, in_pixels->outer}, 0);
    // Angles are from the direct beam.
    if (d.shape == Shape::rectangle && stem4d::needs_disk(d)) {
        add("rows", {in_pixels->from.row, in_pixels->to.row}, disk.center.row);
        add("cols", {in_pixels->from.col, in_pixels->to.col}, disk.center.col);
    }
    return j;
}

Status run(Command& c) {
    std::vector<stem4d::Detector> detectors;
    for (std::string const& text : c.detectors) {
        SLUICE_TRY(stem4d::Detector d, stem4d::parse_detector(text));
        for (stem4d::Detector const& other : detectors)
            if (file_name_of(other.name) == file_name_of(d.name))
                return Error{
                    Code::invalid_argument,
                    fmt::format("detectors '{}' and '{}' would be saved under one name; name them "
                                "apart, as in a=disk:r=20",
                                other.name, d.name)};
        detectors.push_back(std::move(d));
    }
    std::vector<ResultImage> images(detectors.size());
    SLUICE_TRY(
        JobReport report,
        for_each_scan(
            c.job,
            [&](Scan const& scan, stem4d::Options options, index member, JobReport& r) -> Status {
                options.mean = c.mean;
                SLUICE_TRY(auto const result, stem4d::virtual_image(scan, detectors, options));
                auto const shape = scan.scan_shape();
                auto const size = static_cast<std::size_t>(shape[0] * shape[1]);
                for (std::size_t d = 0; d < images.size(); ++d) {
                    auto const* const first = result.values.values.data() + d * size;
                    ScanMap map = make_map(
                        result.names[d], c.mean ? "counts/pixel" : stem4d::sum_unit(scan),
                        {{shape[0], shape[1]}, {first, first + size}}, Missing::not_measured);
                    map.counts = !c.mean && scan.dtype() != DType::f32 &&
                                 detectors[d].shape != stem4d::Detector::Shape::weights;
                    images[d].style = style_of(scan, false, c.job.output);
                    SLUICE_CHECK(stem4d::append_map(images[d].map, map, member));
                }
                if (result.disk) r.add(*result.disk, member);
                r.json["valid_pixels"].push_back(result.valid_pixels);
                Json limits = Json::array();
                for (stem4d::Detector const& d : detectors)
                    limits.push_back(limits_of(d, scan, result.disk.value_or(stem4d::Disk{})));
                r.json["detectors"].push_back(std::move(limits));
                r.notes.insert(r.notes.end(), result.notes.begin(), result.notes.end());
                return {};
            }));
    return finish(c.job, "virtual_images", images, report);
}

}  // namespace

void add_virtual_image(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand("virtual-image", "images of virtual detectors");
    auto const c = std::make_shared<Command>();
    c->job.add(*app);
    app->add_option("--detector", c->detectors,
                    "bf, abf, adf, haadf, adf:60..200mrad, disk:r=20, annulus:r=40..90, ...; any "
                    "number, one pass")
        ->capture_default_str();
    app->add_flag("--mean", c->mean,
                  "divide by the number of valid pixels of the detector (of weights: those not 0); "
                  "full, unbinned pixels, whatever --det-bin is");
    app->footer(
        "A pixel belongs to a detector when its centre is inside or exactly on an edge. bf is "
        "0..R,\n"
        "abf R/2..R, adf R..2R, haadf 2R..4R, with R the radius of the measured bright-field "
        "disk.\n"
        "Other shapes: point:row=96,col=95  square:half=10  rectangle:rows=10..20,cols=0..191\n"
        "polygon:10:10/10:90/60:50  mask:FILE.npy  weights:FILE.npy; a centre is "
        "center=ROW:COL.\n"
        "All in pixels of the full, unbinned detector, whatever --det-bin and --detector-region "
        "are.\n"
        "Radii, half and a rectangle's rows and columns may end with mrad: bf:0..20mrad\n"
        "adf:60..200mrad  disk:r=8mrad  square:half=5mrad  rectangle:rows=-9..9mrad,cols=2..4mrad\n"
        "about the disk's centre. The file, or --detector-step-mrad, gives the angle of a pixel.\n"
        "\n"
        "Examples:\n"
        "  sluice stem4d virtual-image scan_master.h5 --detector bf --detector adf --out images\n"
        "  sluice stem4d virtual-image scan_master.h5 --detector ring=annulus:r=40..90 --out "
        "images --stream\n"
        "  sluice stem4d virtual-image tilts/ --detector haadf --out images --format "
        "npy,tiff,hdf5");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
