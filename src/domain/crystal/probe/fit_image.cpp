// fit_template() of one image.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/crystal/probe/fit_template.h"

namespace sluice::crystal {

using stem4d::FittedTemplate;

Status check_uncut(DiskImages const& images, EdgeFit const& fit) {
    auto const bin = static_cast<double>(images.bin);
    double const needs = (fit.probe.radius + fit.probe.edge_width) / bin;
    double const rows = static_cast<double>(images.shape[0] - 1) - fit.center.row;
    double const cols = static_cast<double>(images.shape[1] - 1) - fit.center.col;
    if (std::min({fit.center.row, fit.center.col, rows, cols}) >= needs) return {};
    return Error{Code::invalid_argument,
                 fmt::format("the disk of radius {:.1f} px at row {:.1f}, column {:.1f} is cut by "
                             "the frame (a template needs all of its edge) give a pattern that "
                             "shows the whole disk",
                             fit.probe.radius, fit.center.row * bin, fit.center.col * bin)};
}

void describe(FittedTemplate& out, EdgeFit const& fit, std::string const& from) {
    auto const& t = out.probe;
    out.radius_error = fit.radius_error;
    out.edge_width_error = fit.edge_width_error;
    out.residual = fit.residual;
    out.probe.source =
        fmt::format("{} fitted to {}: radius {:.3f} px, edge {:.3f} px",
                    t.profile.empty() ? (t.harmonics.empty() ? "an edge" : "an edge with harmonics")
                                      : "a radial profile",
                    from, t.radius, t.edge_width);
    if (fit.probe.edge_width < 0.5)
        out.notes.push_back(
            fmt::format("The edge of {:.2f} px is too thin to be measured: pixels "
                        "see it as on or off.",
                        fit.probe.edge_width));
    if (fit.uneven > 0.1)
        out.notes.push_back(
            fmt::format("The image differs from a disk of one height by {:.0f} % of "
                        "it: it is uneven, or neighbours are near.",
                        100 * fit.uneven));
}

Result<FittedTemplate> finish_template(DiskImages const& images, EdgeFit const& fit,
                                       stem4d::TemplateOptions const& options,
                                       std::string const& from) {
    FittedTemplate out;
    out.probe = fit.probe;
    if (options.profile) {
        SLUICE_TRY(out.probe, fit_profile(images, fit));
    }
    describe(out, fit, from);
    return out;
}

}  // namespace sluice::crystal

namespace sluice::stem4d {

Result<FittedTemplate> fit_template(Array<double> const& image, std::span<std::uint8_t const> bad,
                                    TemplateOptions const& options) {
    using namespace crystal;
    SLUICE_CHECK(check(options));
    SLUICE_TRY(Disk const disk, find_disk(image, bad));
    std::vector<float> counts(image.values.begin(), image.values.end());
    DiskImages const images{
        {image.shape[0], image.shape[1]}, bad, 1, {{counts.data(), disk.center}}};
    SLUICE_TRY(EdgeFit const fit, fit_edge(images, disk.radius, options.harmonics));
    SLUICE_CHECK(check_uncut(images, fit));
    DiskImages centred = images;
    centred.images[0].center = fit.center;
    SLUICE_TRY(FittedTemplate out, finish_template(centred, fit, options, "one pattern"));
    out.disk = {fit.center, fit.probe.radius, disk.quality};
    return out;
}

}  // namespace sluice::stem4d
