// `sluice stem4d overview`: the first look at an acquisition, as one figure.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <limits>

#include "app/cli/command.h"
#include "app/cli/stem4d_job.h"

namespace sluice::cli {
namespace {

struct Overview {
    stem4d::DiffractionPattern mean;
    std::optional<stem4d::VirtualImages> images;  // of a scan whose disk is known
    stem4d::CenterOfMass com;
};

image::Style panel(Scan const& scan, bool of_detector, OutputOptions const& options,
                   std::string title) {
    image::Style style = style_of(scan, of_detector, options);
    style.title = std::move(title);
    style.exact_side = true;
    style.margin = 0;
    return style;
}

View<float const, 2> floats(std::span<double const> values, index rows, index cols,
                            Array<float>& onto) {
    onto = {{rows, cols}, {}};
    onto.values.assign(values.begin(), values.end());
    return view<2>(std::as_const(onto));
}

Picture draw(Scan const& scan, Overview const& o, OutputOptions const& options,
             std::string const& caption) {
    auto const s = scan.scan_shape(), d = scan.detector_shape();
    auto const size = static_cast<std::size_t>(s[0] * s[1]);
    Array<float> a, b;
    std::vector<Picture> panels;
    panels.push_back(image::render(floats(o.mean.values.values, d[0], d[1], a),
                                   panel(scan, true, options, "mean diffraction pattern")));
    char const* const titles[] = {"bright field", "annular dark field"};
    for (std::size_t i = 0; o.images && i < 2; ++i)
        panels.push_back(
            image::render(floats({o.images->values.values.data() + i * size, size}, s[0], s[1], a),
                          panel(scan, false, options, titles[i])));
    if (!o.images)
        panels.push_back(image::render(floats(o.com.sum.values, s[0], s[1], a),
                                       panel(scan, false, options, "all counts")));
    std::vector<double> row = o.com.row.values, col = o.com.col.values;
    for (double& v : row) v -= o.com.reference.row;
    for (double& v : col) v -= o.com.reference.col;
    image::Style style = panel(scan, false, options, "centre of mass");
    style.unit = "px";
    panels.push_back(
        image::colour_wheel(floats(row, s[0], s[1], a), floats(col, s[0], s[1], b), style));
    std::string const heading = std::string(scan.dataset().path);
    return image::grid(panels, 2, heading.substr(heading.rfind('/') + 1), caption);
}

// Bright and dark field need the disk; the pattern and the centre of mass do not.
Result<Overview> look_at(Scan const& scan, stem4d::Options const& options, index member,
                         JobReport& r) {
    Overview o;
    double const start = now();
    SLUICE_TRY(o.mean, stem4d::diffraction_pattern(scan, stem4d::Pattern::mean, {}, options));
    double const pattern = now();
    std::vector<stem4d::Detector> detectors;
    for (char const* text : {"bf", "adf"}) {
        SLUICE_TRY(stem4d::Detector d, stem4d::parse_detector(text));
        detectors.push_back(std::move(d));
    }
    auto images = stem4d::virtual_image(scan, detectors, options);
    if (images) {
        r.add(*images->disk, member);
        o.images = std::move(*images);
    } else if (images.error().code != Code::not_found) {
        return std::move(images).error();
    } else {
        r.json["disk"].push_back(nullptr);
        r.notes.push_back("no bright field and no dark field: " + images.error().text());
        fmt::print(stderr, "sluice: warning: {}\n", r.notes.back());
    }
    double const virtual_images = now();
    SLUICE_TRY(o.com, stem4d::center_of_mass(scan, {}, options));
    Json seconds{{"mean diffraction pattern", pattern - start},
                 {"bright field and annular dark field", virtual_images - pattern},
                 {"centre of mass", now() - virtual_images}};
    r.json["seconds_per_step"].push_back(seconds);
    r.notes.insert(r.notes.end(), o.com.notes.begin(), o.com.notes.end());
    return o;
}

std::string caption_of(Scan const& scan) {
    auto const shape = scan.scan_shape();
    auto const& d = scan.dataset();
    std::string const where =
        scan.resident()
            ? fmt::format("{:.0f} MB", static_cast<double>(scan.memory().resident) / 1e6)
            : "streamed";
    return fmt::format("{} x {} scan, {} x {} {} detector, {} of {}", shape[0], shape[1], d.rows,
                       d.cols, name_of(d.dtype), scan.layout(), where);
}

struct Images {
    std::vector<ResultImage> all = std::vector<ResultImage>(5);
    bool any_disk = false, whole = true;

    Status add(Overview const& o, Scan const& scan, index member) {
        auto const shape = scan.scan_shape();
        auto const size = static_cast<std::size_t>(shape[0] * shape[1]);
        // A member of a series without a disk leaves a gap in the stack.
        std::vector<double> const gap(size, std::numeric_limits<double>::quiet_NaN());
        SLUICE_CHECK(stack(all[0].values, o.mean.values.values, scan.detector_shape(), member));
        for (std::size_t i = 0; i < 2; ++i) {
            std::span<double const> values = gap;
            if (o.images) values = {o.images->values.values.data() + i * size, size};
            SLUICE_CHECK(stack(all[1 + i].values, values, shape, member));
        }
        any_disk = any_disk || o.images;
        // Sums are saved as in `virtual-image`; a gap is no count.
        whole = whole && o.images && scan.dtype() != DType::f32;
        SLUICE_CHECK(stack(all[3].values, o.com.row.values, shape, member));
        return stack(all[4].values, o.com.col.values, shape, member);
    }
};

Status run(Stem4dJob const& job) {
    Images images;
    SLUICE_TRY(JobReport report,
               for_each_scan(
                   job,
                   [&](Scan const& scan, stem4d::Options const& options, index member,
                       JobReport& r) -> Status {
                       SLUICE_TRY(Overview const o, look_at(scan, options, member, r));
                       r.figures.push_back(
                           {figure_path(job, "overview", member, r.json["series"].get<index>()),
                            draw(scan, o, job.output, caption_of(scan)), provenance_of(scan, {})});
                       return images.add(o, scan, member);
                   }));
    char const* const names[] = {"pattern_mean", "bf", "adf", "com_row", "com_col"};
    for (std::size_t i = 0; i < images.all.size(); ++i) {
        images.all[i].name = names[i];
        images.all[i].unit = i < 3 ? "counts" : "px";
        images.all[i].counts = images.whole && (i == 1 || i == 2);
    }
    if (!images.any_disk) images.all.erase(images.all.begin() + 1, images.all.begin() + 3);
    OutputOptions numbers = job.output;
    std::erase(numbers.formats, "png");
    Stem4dJob without_pictures = job;
    without_pictures.output = numbers;
    return finish(without_pictures, "overview", images.all, report);
}

}  // namespace

void add_overview(CLI::App& parent, int& exit_code) {
    CLI::App* const app = parent.add_subcommand(
        "overview",
        "mean pattern, bright field, dark field and centre of mass, as numbers and one figure");
    auto const job = std::make_shared<Stem4dJob>();
    job->add(*app);
    app->footer(
        "Examples:\n  sluice stem4d overview scan_master.h5 --out overview\n"
        "  sluice stem4d overview synthetic:stem4d --out overview");
    app->callback([job, &exit_code] {
        if (auto s = run(*job); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
