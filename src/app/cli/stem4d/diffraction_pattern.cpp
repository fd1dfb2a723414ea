// `sluice stem4d diffraction-pattern`.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/stem4d/command.h"
#include "app/cli/stem4d/pattern_output.h"
#include "domain/stem4d/chosen_points.h"
#include "domain/stem4d/fields.h"
#include "domain/stem4d/parse_places.h"
#include "domain/stem4d/words.h"
#include "format/npy/plane.h"

namespace sluice::cli {
namespace {

struct Command {
    Stem4dJob job;
    stem4d::PatternsWish wish;
};

Result<std::vector<std::uint8_t>> chosen_points(Command const& c, Scan const& scan) {
    if (!c.wish.at.empty()) {
        SLUICE_TRY(auto const at, stem4d::parse_scan_point(c.wish.at));
        return stem4d::only_point(scan, at);
    }
    if (c.wish.where.empty()) return std::vector<std::uint8_t>{};
    SLUICE_TRY(Array<float> const plane, npy::load_plane(c.wish.where));
    return stem4d::points_of(plane, scan, c.wish.where);
}

Status run(Command& c) {
    std::vector<stem4d::Pattern> const& kinds = c.wish.kinds;
    for (std::size_t k = 0; k < kinds.size(); ++k)
        if (std::find(kinds.begin(), kinds.begin() + static_cast<std::ptrdiff_t>(k), kinds[k]) !=
            kinds.begin() + static_cast<std::ptrdiff_t>(k))
            return Error{
                Code::invalid_argument,
                fmt::format("--kind names '{}' twice (its image is saved under that name); "
                            "name each once",
                            config::word_of(kinds[k]))};
    std::vector<ResultImage> images(kinds.size());
    SLUICE_TRY(
        JobReport report,
        for_each_scan(c.job,
                      [&](Scan const& scan, stem4d::Options const& options, index member,
                          JobReport& r) -> Status {
                          SLUICE_TRY(std::vector<std::uint8_t> const take, chosen_points(c, scan));
                          SLUICE_TRY(
                              stem4d::Products const p,
                              stem4d::products(scan, {.patterns = kinds, .take = take}, options));
                          for (std::size_t k = 0; k < kinds.size(); ++k)
                              SLUICE_CHECK(add_pattern(p.patterns[k], kinds[k], "", scan, member,
                                                       c.job.output, images[k]));
                          stem4d::DiffractionPattern const& first = p.patterns.front();
                          r.json["frames"] = first.frames;
                          r.notes.insert(r.notes.end(), first.notes.begin(), first.notes.end());
                          return {};
                      }));
    return finish(c.job, "diffraction_patterns", images, report);
}

}  // namespace

void add_diffraction_pattern(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand("diffraction-pattern",
                                           "patterns over the scan, a part of it, or a point");
    auto const c = std::make_shared<Command>();
    c->job.add_single_pass(*app);
    app->add_fields(stem4d::reference_fields(), c->job.references);
    auto const fields = stem4d::patterns_fields();
    app->add_field(fields[0], c->wish);
    auto const at = app->add_field(fields[1], c->wish);
    app->add_field(fields[2], c->wish)->excludes(at);
    app->footer(
        "Examples:\n"
        "  sluice stem4d diffraction-pattern scan_master.h5 --out dp\n"
        "  sluice stem4d diffraction-pattern scan_master.h5 --kind mean,max,variance --out dp\n"
        "  sluice stem4d diffraction-pattern scan_master.h5 --scan-region 10:20,30:40 --out dp\n"
        "  sluice stem4d diffraction-pattern scan_master.h5 --at 12:40 --kind sum --out dp");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
