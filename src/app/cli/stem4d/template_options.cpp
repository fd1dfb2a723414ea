// Makes the template that disks are found with.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/template_options.h"

#include <fmt/format.h>

#include "domain/crystal/analyze/wishes.h"
#include "domain/crystal/fields.h"

namespace sluice::cli {
namespace {

using stem4d::FittedTemplate;

Result<Dataset> open_vacuum(std::string const& path, DataOptions& data) {
    data.paths = {path};
    data.series.open.scan_shape.reset();
    data.load.scan_region.reset();
    data.load.scan_bin = data.load.scan_step = 1;
    SLUICE_TRY(Series series, data.open());
    if (series.members.size() != 1)
        return Error{Code::invalid_argument,
                     "is a series of scans (a scan in vacuum is one) name one of them", path};
    return std::move(series.members.front());
}

Result<FittedTemplate> from_vacuum(std::string const& path, DataOptions data,
                                   stem4d::TemplateOptions const& fit, stem4d::Options const& run) {
    SLUICE_TRY(Dataset vacuum, open_vacuum(path, data));
    SLUICE_TRY(auto const load, data.load_options(1));
    SLUICE_TRY(Scan const scan, Scan::load(std::move(vacuum), load));
    return stem4d::fit_template(scan, fit, run);
}

}  // namespace

void TemplateSource::add(Verb const& app) {
    auto const from_file = app.add_option(
        "--template", file, "a template that --save-template wrote [the scan's own direct disk]");
    auto const from_scan =
        app.add_option("--vacuum", vacuum,
                       "a scan of the direct beam without specimen: the template "
                       "is fitted to its disk");
    auto const given = app.add_option("--template-radius", radius,
                                      "of a disk, in pixels; RADIUS,WIDTH gives the width of its "
                                      "edge, too, which is 1 else");
    from_file.excludes(from_scan);
    from_file.excludes(given);
    from_scan.excludes(given);
    app.add_option("--save-template", save, "writes the template to this JSON file");
    app.add_fields(stem4d::template_fields(), fit);
}

std::vector<std::string> TemplateSource::names() {
    std::vector<std::string> all = {"--template", "--vacuum", "--template-radius",
                                    "--save-template"};
    stem4d::TemplateOptions const usual;
    for (auto const& field : stem4d::template_fields()) all.push_back(option_of(field, usual).name);
    return all;
}

Status TemplateSource::check_wishes() const {
    bool const fits = file.empty() && radius.empty();
    if (!fits && (fit.harmonics > 0 || fit.profile))
        return Error{Code::invalid_argument,
                     fmt::format("{} has no effect (it is about a template that is fitted, and one "
                                 "is given) leave one of both out",
                                 fit.profile ? "--radial-profile" : "--harmonics")};
    return {};
}

Status TemplateSource::check(DataOptions const& data) const {
    SLUICE_CHECK(check_wishes());
    if (!file.empty()) SLUICE_CHECK(stem4d::load_template(file));
    if (!radius.empty()) SLUICE_CHECK(crystal::parse_template_radius(radius));
    DataOptions its = data;
    if (!vacuum.empty()) SLUICE_CHECK(open_vacuum(vacuum, its));
    return {};
}

Result<FittedTemplate> TemplateSource::make(Scan const& scan, DataOptions const& data,
                                            stem4d::Options const& run) const {
    SLUICE_CHECK(check_wishes());
    FittedTemplate made;
    if (!file.empty()) {
        SLUICE_TRY(made.probe, stem4d::load_template(file));
    } else if (!radius.empty()) {
        SLUICE_TRY(made.probe, crystal::parse_template_radius(radius));
    } else if (!vacuum.empty()) {
        SLUICE_TRY(made, from_vacuum(vacuum, data, fit, run));
    } else {
        SLUICE_TRY(made, stem4d::fit_template(scan, fit, run));
    }
    if (!save.empty()) SLUICE_CHECK(stem4d::save_template(save, made.probe));
    return made;
}

}  // namespace sluice::cli
