// `sluice stem4d virtual-image`.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/cli/stem4d/command.h"
#include "app/cli/stem4d/image_output.h"
#include "domain/stem4d/fields.h"

namespace sluice::cli {
namespace {

struct Command {
    Stem4dJob job;
    stem4d::ImagesWish wish;
};

// Their own centre, if it is one and the same.
std::optional<stem4d::Point> center_of_all(std::vector<stem4d::Detector> const& detectors) {
    std::optional<stem4d::Point> const first = detectors.front().center;
    bool const same =
        first && std::ranges::all_of(detectors, [&](stem4d::Detector const& d) {
            return d.center && d.center->row == first->row && d.center->col == first->col;
        });
    return same ? first : std::nullopt;
}

Status run(Command& c) {
    std::vector<stem4d::Detector> detectors;
    std::vector<std::string> names;
    for (std::string const& text : c.wish.detectors) {
        SLUICE_TRY(stem4d::Detector d, stem4d::parse_detector(text));
        names.push_back(d.name);
        detectors.push_back(std::move(d));
    }
    SLUICE_CHECK(check_file_names(names));
    c.job.center = center_of_all(detectors);
    std::vector<ResultImage> images(detectors.size());
    ImageOutput const out{detectors, c.wish.mean, c.job.output};
    SLUICE_TRY(
        JobReport report,
        for_each_scan(
            c.job,
            [&](Scan const& scan, stem4d::Options options, index member, JobReport& r) -> Status {
                options.mean = c.wish.mean;
                SLUICE_TRY(auto const result, stem4d::virtual_image(scan, detectors, options));
                if (result.disk) r.add(*result.disk, member);
                SLUICE_CHECK(out.add(result, scan, member, images, r.json));
                r.notes.insert(r.notes.end(), result.notes.begin(), result.notes.end());
                return {};
            }));
    return finish(c.job, "virtual_images", images, report);
}

}  // namespace

void add_virtual_image(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand("virtual-image", "images of virtual detectors");
    auto const c = std::make_shared<Command>();
    c->job.add_single_pass(*app);
    app->add_fields(stem4d::reference_fields(), c->job.references);
    app->add_option("--detector", c->wish.detectors, std::string(stem4d::images_fields()[0].what))
        ->capture_default_str();
    app->add_field(stem4d::images_fields()[1], c->wish);
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
