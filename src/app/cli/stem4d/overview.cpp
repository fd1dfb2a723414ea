// `sluice stem4d overview`: the first look at an acquisition, as one figure.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <limits>

#include "app/cli/shell/terminal.h"
#include "app/cli/stem4d/command.h"
#include "app/cli/stem4d/job.h"

namespace sluice::cli {
namespace {

char const* const field_titles[] = {"bright field", "annular dark field"};

struct Overview {
    stem4d::DiffractionPattern mean;
    std::array<std::vector<double>, 2> fields;  // bright and dark; empty: there is none
    stem4d::CenterOfMass com;
};

figure::Style panel(Scan const& scan, bool of_detector, OutputOptions const& options,
                    std::string title) {
    figure::Style style = style_of(scan, of_detector, options);
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

figure::Drawing draw(Scan const& scan, Overview const& o, OutputOptions const& options,
                     std::string const& caption) {
    auto const s = scan.scan_shape(), d = scan.detector_shape();
    Array<float> a, b;
    std::vector<figure::Drawing> panels;
    panels.push_back(figure::render(floats(o.mean.values.values, d[0], d[1], a),
                                    panel(scan, true, options, "mean diffraction pattern")));
    for (std::size_t i = 0; i < 2; ++i)
        if (!o.fields[i].empty())
            panels.push_back(figure::render(floats(o.fields[i], s[0], s[1], a),
                                            panel(scan, false, options, field_titles[i])));
    if (panels.size() == 1)
        panels.push_back(figure::render(floats(o.com.sum.values, s[0], s[1], a),
                                        panel(scan, false, options, "all counts")));
    std::vector<double> row = o.com.row.values, col = o.com.col.values;
    for (double& v : row) v -= o.com.reference.row;
    for (double& v : col) v -= o.com.reference.col;
    figure::Style style = panel(scan, false, options, "centre of mass");
    style.unit = "px";
    panels.push_back(
        figure::colour_wheel(floats(row, s[0], s[1], a), floats(col, s[0], s[1], b), style));
    std::string const heading = std::string(scan.dataset().path);
    return figure::grid(panels, 2, heading.substr(heading.rfind('/') + 1), caption);
}

void warn(std::string text, JobReport& r) {
    say(stderr, "sluice: warning: {}\n", text);
    r.notes.push_back(std::move(text));
}

// The fields that lie within what was read; the others are said to be left out.
Result<std::vector<stem4d::Detector>> fields_of(Scan const& scan, stem4d::Disk const& disk,
                                                std::array<bool, 2>& there, JobReport& r) {
    std::vector<stem4d::Detector> detectors;
    char const* const texts[] = {"bf", "adf"};
    for (std::size_t i = 0; i < 2; ++i) {
        SLUICE_TRY(stem4d::Detector d, stem4d::parse_detector(texts[i]));
        auto const placed = stem4d::rasterize(scan, d, disk);
        if (!placed && placed.error().code != Code::invalid_argument) return placed.error();
        there[i] = placed.has_value();
        if (placed)
            detectors.push_back(std::move(d));
        else
            warn(fmt::format("no {}: {}", field_titles[i], placed.error().text()), r);
    }
    return detectors;
}

// Bright and dark field need the disk; the pattern and the centre of mass do not.
Result<Overview> look_at(Scan const& scan, stem4d::Options options, index member, JobReport& r) {
    Overview o;
    double const start = now();
    auto const disk = options.disk ? *options.disk : stem4d::find_disk(scan, options.device);
    double const found = now();
    std::vector<stem4d::Detector> fields;
    std::array<bool, 2> there = {};
    if (disk) {
        r.add(*disk, member);
        options.disk = *disk;
        SLUICE_TRY(fields, fields_of(scan, *disk, there, r));
    } else if (disk.error().code != Code::not_found) {
        return disk.error();
    } else {
        r.json["disk"].push_back(nullptr);
        warn("no bright field and no dark field: " + disk.error().text(), r);
    }
    stem4d::Pattern const mean = stem4d::Pattern::mean;
    SLUICE_TRY(
        stem4d::Products p,
        stem4d::products(
            scan, {.detectors = fields, .center_of_mass = true, .patterns = {&mean, 1}}, options));
    o.mean = std::move(p.patterns.front());
    o.com = std::move(p.center_of_mass);
    auto const frames = static_cast<std::ptrdiff_t>(o.com.sum.values.size());
    for (std::ptrdiff_t i = 0, image = 0; i < 2; ++i) {
        if (!there[static_cast<std::size_t>(i)]) continue;
        auto const from = p.images.values.values.begin() + image++ * frames;
        o.fields[static_cast<std::size_t>(i)].assign(from, from + frames);
    }
    Json seconds{{"disk", found - start}, {"all products in one pass", now() - found}};
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
    std::array<bool, 2> any = {}, whole = {true, true};  // of the two fields
    std::string pixel = "counts", sum = "counts";        // units

    Status add(Overview const& o, Scan const& scan, index member) {
        auto const shape = scan.scan_shape();
        auto const size = static_cast<std::size_t>(shape[0] * shape[1]);
        // A member of a series without a field leaves a gap in the stack.
        std::vector<double> const gap(size, std::numeric_limits<double>::quiet_NaN());
        SLUICE_CHECK(
            stem4d::append_image(all[0].map, o.mean.values.values, scan.detector_shape(), member));
        for (std::size_t i = 0; i < 2; ++i) {
            bool const there = !o.fields[i].empty();
            Array<double> field{{shape[0], shape[1]}, there ? o.fields[i] : gap};
            ScanMap const map = there ? make_map({}, {}, std::move(field), Missing::not_measured)
                                      : ScanMap{std::move(field)};
            SLUICE_CHECK(stem4d::append_map(all[1 + i].map, map, member));
            any[i] = any[i] || there;
            // Sums are saved as in `virtual-image`; a gap is not a count.
            whole[i] = whole[i] && there && scan.dtype() != DType::f32;
        }
        pixel = stem4d::pixel_unit(scan), sum = stem4d::sum_unit(scan);
        SLUICE_CHECK(stem4d::append_map(all[3].map, o.com.row, member));
        return stem4d::append_map(all[4].map, o.com.col, member);
    }
};

Status run(Stem4dJob& job) {
    // The figure is what this verb is for: a PNG where no other kind is asked for.
    std::vector<std::string> endings = job.output.pictures();
    if (endings.empty()) endings.emplace_back(".png");
    Images images;
    SLUICE_TRY(
        JobReport report,
        for_each_scan(job,
                      [&](Scan const& scan, stem4d::Options const& options, index member,
                          JobReport& r) -> Status {
                          SLUICE_TRY(Overview const o, look_at(scan, options, member, r));
                          r.figures.push_back(
                              {figure_path(job, "overview", member, r.json["series"].get<index>()),
                               endings, draw(scan, o, job.output, caption_of(scan)),
                               provenance_of(scan, {})});
                          return images.add(o, scan, member);
                      }));
    char const* const names[] = {"pattern_mean", "bf", "adf", "com_row", "com_col"};
    for (std::size_t i = 0; i < images.all.size(); ++i) {
        images.all[i].map.name = names[i];
        images.all[i].map.unit = i == 0 ? images.pixel : i < 3 ? images.sum : "px";
        images.all[i].map.counts = (i == 1 || i == 2) && images.whole[i - 1];
    }
    for (std::size_t i = 2; i > 0; --i)
        if (!images.any[i - 1]) images.all.erase(images.all.begin() + static_cast<index>(i));
    OutputOptions numbers = job.output;
    std::erase_if(numbers.formats, [](std::string const& format) {
        return format == "png" || format == "svg" || format == "pdf";
    });
    Stem4dJob without_pictures = job;
    without_pictures.output = numbers;
    return finish(without_pictures, "overview", images.all, report);
}

}  // namespace

void add_overview(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand(
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
