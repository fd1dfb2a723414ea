// Answers from tables beside the same answers from the frames, as contestants.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "domain/stem4d/benchmark/contests.h"
#include "domain/stem4d/benchmark/question.h"
#include "store/plan.h"

namespace sluice::stem4d {
namespace {

using bench::Contestant;

// Tables of a centre are made when it is asked for again, which the answers do before any round.
void add_both(Question question, Scan const& scan, Options const& options,
              std::vector<Contestant>& all) {
    auto const q = std::make_shared<Question const>(std::move(question));
    for (bool const tables : {false, true}) {
        Contestant who;
        who.contest = "from tables: " + q->name;
        who.name = fmt::format("{} from {}", q->name, tables ? "tables" : "frames");
        who.threads = options.device.threads();
        who.items = static_cast<double>(scan.dataset().frames);
        who.run = bench::timed([q, &scan, &options, tables]() -> Status {
            SLUICE_TRY([[maybe_unused]] auto const found,
                       ask(*q, scan, options, tables ? Shortcuts::all : Shortcuts::none));
            return {};
        });
        who.answer = [q, &scan, &options, tables]() -> Result<bench::Answer> {
            for (int i = 0; tables && i < 2; ++i)
                SLUICE_CHECK(ask(*q, scan, options, tables ? Shortcuts::all : Shortcuts::none));
            SLUICE_TRY(auto const found,
                       ask(*q, scan, options, tables ? Shortcuts::all : Shortcuts::none));
            return numbers_of(found);
        };
        all.push_back(std::move(who));
    }
}

Detector annulus(Point center, double inner, double outer) {
    Detector d;
    d.name = fmt::format("r={:g}..{:g}", inner, outer);
    d.shape = Detector::Shape::annulus;
    d.center = center;
    d.inner = std::round(inner), d.outer = std::round(outer);
    return d;
}

}  // namespace

std::vector<Contestant> table_contestants(Scan const& scan, Options const& options) {
    std::vector<Contestant> all;
    if (!scan.tables() || options.device.kind() != Device::Kind::cpu) return all;
    Point const center{std::round(options.disk->center.row), std::round(options.disk->center.col)};
    auto const [rows, cols] = scan.detector_shape();
    double const reach = static_cast<double>(std::min(rows, cols)) / 2;
    add_both({.name = "disk", .detectors = {annulus(center, 0, reach * 0.21)}}, scan, options, all);
    add_both({.name = "annulus", .detectors = {annulus(center, reach * 0.42, reach * 0.94)}}, scan,
             options, all);
    Question sixteen{.name = "sixteen annuli"};
    for (int i = 0; i < 16; ++i) {
        sixteen.detectors.push_back(annulus(center, reach * (0.35 + 0.01 * i), reach));
        sixteen.detectors.back().name += fmt::format(" ({})", i);
    }
    add_both(std::move(sixteen), scan, options, all);
    add_both({.name = "center of mass", .center_of_mass = true}, scan, options, all);
    add_both({.name = "mean pattern", .patterns = {Pattern::mean}}, scan, options, all);
    add_both({.name = "mean of a circle",
              .patterns = {Pattern::mean},
              .take = middle_of(scan.scan_shape())},
             scan, options, all);
    return all;
}

}  // namespace sluice::stem4d
