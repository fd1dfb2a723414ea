// `sluice stem4d diffraction-pattern`.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/stem4d/command.h"
#include "app/cli/stem4d/job.h"
#include "domain/stem4d/words.h"
#include "format/npy/plane.h"
#include "store/plan.h"

namespace sluice::cli {
namespace {

struct Command {
    Stem4dJob job;
    std::vector<stem4d::Pattern> kinds = {stem4d::Pattern::mean};
    std::string at, where;
};

// Of the full scan, or of what was read of it. A bin of scan points takes part when all of them do.
Result<std::vector<std::uint8_t>> taken_points(Array<float> const& plane, Scan const& scan,
                                               std::string const& file) {
    store::Plan const& plan = scan.plan();
    std::array<index, 2> const full = scan.dataset().scan;
    bool const whole = plane.shape[0] == full[0] && plane.shape[1] == full[1];
    if (!whole && (plane.shape[0] != plan.scan[0] || plane.shape[1] != plan.scan[1]))
        return Error{Code::invalid_argument,
                     fmt::format("a choice of {}x{} points (the scan has {}x{}, and {}x{} were "
                                 "read); give one of either shape",
                                 plane.shape[0], plane.shape[1], full[0], full[1], plan.scan[0],
                                 plan.scan[1]),
                     file};
    if (!std::ranges::all_of(plane.values, [](float v) { return std::isfinite(v); }))
        return Error{Code::invalid_argument,
                     "holds a value that is not finite (it does not tell whether that point takes "
                     "part); write 0 or 1 there",
                     file};
    std::vector<std::uint8_t> take;
    for (index f = 0; f < plan.frames(); ++f) {
        bool all = true;
        for (index part = 0; part < (whole ? plan.scan_bin * plan.scan_bin : 1); ++part)
            all =
                all &&
                plane.values[static_cast<std::size_t>(whole ? plan.stored_frame(f, part) : f)] != 0;
        take.push_back(all);
    }
    return take;
}

Result<std::vector<std::uint8_t>> chosen_points(Command const& c, Scan const& scan) {
    std::vector<std::uint8_t> take;
    auto const shape = scan.scan_shape();
    if (!c.at.empty()) {
        SLUICE_TRY(auto const at, parse_point(c.at, scan));
        take.resize(static_cast<std::size_t>(shape[0] * shape[1]));
        take[static_cast<std::size_t>(at[0] * shape[1] + at[1])] = 1;
    }
    if (!c.where.empty()) {
        SLUICE_TRY(Array<float> const plane, npy::load_plane(c.where));
        SLUICE_TRY(take, taken_points(plane, scan, c.where));
    }
    return take;
}

Status run(Command& c) {
    std::vector<stem4d::Pattern> const& kinds = c.kinds;
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
        for_each_scan(
            c.job,
            [&](Scan const& scan, stem4d::Options const& options, index member,
                JobReport& r) -> Status {
                SLUICE_TRY(std::vector<std::uint8_t> const take, chosen_points(c, scan));
                SLUICE_TRY(stem4d::Products const p,
                           stem4d::products(scan, {.patterns = kinds, .take = take}, options));
                for (std::size_t k = 0; k < kinds.size(); ++k) {
                    stem4d::DiffractionPattern const& pattern = p.patterns[k];
                    images[k].map.name = fmt::format("pattern_{}", config::word_of(kinds[k]));
                    images[k].map.unit = stem4d::pixel_unit(scan);
                    if (kinds[k] == stem4d::Pattern::variance)
                        images[k].map.unit =
                            images[k].map.unit == "counts" ? "counts^2" : "(counts/pixel)^2";
                    images[k].map.counts =
                        (kinds[k] == stem4d::Pattern::sum || kinds[k] == stem4d::Pattern::max) &&
                        scan.dtype() != DType::f32;
                    images[k].of_detector = true;
                    images[k].style = style_of(scan, true, c.job.output);
                    images[k].style.title =
                        fmt::format("{} diffraction pattern", config::word_of(kinds[k]));
                    SLUICE_CHECK(stem4d::append_image(images[k].map, pattern.values.values,
                                                      scan.detector_shape(), member));
                }
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
    c->job.add(*app);
    app->add_word("--kind", c->kinds, "over the points; several with commas");
    auto const at = app->add_option("--at", c->at, "one scan point, ROW:COL of the full scan");
    app->add_option("--where", c->where, "NPY file of the full scan's shape: not 0 takes part")
        ->excludes(at);
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
