// `sluice stem4d center-of-mass`.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/command.h"
#include "app/cli/stem4d_job.h"

namespace sluice::cli {
namespace {

struct Command {
    Stem4dJob job;
    std::string mask;
};

// The field as one picture: hue is direction, brightness is length.
Picture draw_wheel(stem4d::CenterOfMass const& com, Scan const& scan,
                   OutputOptions const& options) {
    auto const shape = scan.scan_shape();
    Array<float> row{{shape[0], shape[1]}, {}}, col = row;
    for (std::size_t i = 0; i < com.row.values.size(); ++i) {
        row.values.push_back(static_cast<float>(com.row.values[i] - com.reference.row));
        col.values.push_back(static_cast<float>(com.col.values[i] - com.reference.col));
    }
    image::Style style = style_of(scan, false, options);
    style.title = "centre of mass";
    style.unit = "px";
    return image::colour_wheel(view<2>(std::as_const(row)), view<2>(std::as_const(col)), style);
}

// Drawn from the reference, far enough for all but two in a thousand, saved as it is.
std::optional<image::Limits> limits_about(double middle, Array<double> const& values) {
    std::vector<double> away;
    for (double v : values.values)
        if (v == v) away.push_back(std::abs(v - middle));
    if (away.empty()) return {};
    auto const at = away.begin() + std::ssize(away) * 998 / 1000;
    std::nth_element(away.begin(), at, away.end());
    if (*at == 0) return {};
    return image::Limits{middle - *at, middle + *at};
}

Status run(Command const& c) {
    std::optional<stem4d::Detector> mask;
    if (!c.mask.empty()) {
        SLUICE_TRY(mask, stem4d::parse_detector(c.mask));
    }
    std::vector<ResultImage> images(4);
    std::optional<image::Limits> limits[2];
    SLUICE_TRY(
        JobReport report,
        for_each_scan(
            c.job,
            [&](Scan const& scan, stem4d::Options const& options, index member,
                JobReport& r) -> Status {
                SLUICE_TRY(auto const com, stem4d::center_of_mass(scan, mask, options));
                struct Part {
                    char const* name;
                    Array<double> const& values;
                };
                Part const parts[] = {{"com_row", com.row},
                                      {"com_col", com.col},
                                      {"com_magnitude", com.magnitude},
                                      {"com_sum", com.sum}};
                for (std::size_t i = 0; i < 4; ++i) {
                    images[i].name = parts[i].name;
                    images[i].unit = i < 3 ? "px" : "counts";
                    images[i].counts = i == 3 && scan.dtype() != DType::f32;
                    images[i].style = style_of(scan, false, c.job.output);
                    if (i < 2) images[i].style.map = image::Map::balance;
                    // A series has one pair of limits for all members: its first one's.
                    if (i < 2 && member == 0)
                        limits[i] = limits_about(i == 0 ? com.reference.row : com.reference.col,
                                                 parts[i].values);
                    if (i < 2) images[i].style.limits = limits[i];
                    SLUICE_CHECK(
                        stack(images[i].values, parts[i].values.values, scan.scan_shape(), member));
                }
                r.json["reference"].push_back(
                    {{"row", com.reference.row}, {"col", com.reference.col}});
                r.notes.insert(r.notes.end(), com.notes.begin(), com.notes.end());
                r.notes.push_back(
                    "coordinates are pixels (row, column) of the detector; NaN where a frame has "
                    "no counts");
                if (!c.job.output.wants("png")) return {};
                r.figures.push_back(
                    {figure_path(c.job, "com", member, r.json["series"].get<index>()),
                     draw_wheel(com, scan, c.job.output), provenance_of(scan, com.notes)});
                return {};
            }));
    return finish(c.job, "center_of_mass", images, report);
}

}  // namespace

void add_center_of_mass(CLI::App& parent, int& exit_code) {
    CLI::App* const app = parent.add_subcommand("center-of-mass", "first moments of every frame");
    auto const c = std::make_shared<Command>();
    c->job.add(*app);
    app->add_option("--within", c->mask,
                    "take it over this detector only, as in disk:r=40 [everything]");
    app->footer(
        "Examples:\n"
        "  sluice stem4d center-of-mass scan_master.h5 --out com\n"
        "  sluice stem4d center-of-mass scan_master.h5 --within disk:r=40 --out com --format "
        "hdf5,png");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
