// Measuring, and the report as JSON.
// SPDX-License-Identifier: Apache-2.0
#include "bench/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/answers.h"
#include "bench/words.h"
#include "sluice/device.h"

namespace sluice::bench {
namespace {

Json number_or_null(double value) {
    return value > 0 ? Json(value) : Json();
}

Json to_json(Measured const& m, double copied_per_s) {
    Spread const wall = m.wall();
    Json j{{"contest", m.contest},
           {"name", m.name},
           {"rival", m.rival},
           {"threads", m.threads},
           {"rounds", m.laps.size()},
           {"wall_s", wall.median},
           {"cpu_s", m.cpu_s()},
           {"spread_s",
            {{"min", wall.min},
             {"lower_quartile", wall.lower_quartile},
             {"upper_quartile", wall.upper_quartile},
             {"max", wall.max}}},
           {"starved", m.trial().starved},
           {"items", m.items},
           {"item_s", m.item_s()},
           {"bytes", number_or_null(m.bytes)},
           {"bytes_per_s", number_or_null(m.bytes_per_s())},
           {"of_copy_bandwidth", number_or_null(m.of_bandwidth(copied_per_s))}};
    for (Lap const& lap : m.laps) j["rounds_wall_s"].push_back(lap.wall_s);
    for (Lap const& lap : m.laps) j["rounds_cpu_s"].push_back(lap.cpu_s);
    j["details"] = m.details;
    return j;
}

// A table may have dozens of rows: two are named.
std::string whom(std::vector<std::string> const& names, std::size_t all) {
    if (names.size() == all) return "of all rows";
    std::string text = "of " + names[0];
    if (names.size() > 1) text += "; " + names[1];
    if (names.size() > 2) text += fmt::format("; and {}", plural(std::ssize(names) - 2, "other"));
    return text;
}

}  // namespace

Status measure(Report& report, std::vector<Contestant>& all, Rounds const& how,
               Progress const& comparing) {
    SLUICE_CHECK(compare_answers(all, report.notes, comparing));
    SLUICE_TRY(auto results, run_rounds(all, how, report.notes));
    report.results.insert(report.results.end(), std::make_move_iterator(results.begin()),
                          std::make_move_iterator(results.end()));
    return {};
}

std::optional<Finding> doubt_of(Measured const& m) {
    Trial const trial = m.trial();
    return cannot_tell({&trial, 1}, Device::cpu().threads());
}

void add_doubts(Report& report) {
    std::vector<Finding> doubts;
    std::vector<std::vector<std::string>> of;
    std::size_t ours = 0;
    for (Measured const& m : report.results) {
        // How restless a rival is says nothing of ours.
        if (m.rival) continue;
        ++ours;
        auto doubt = doubt_of(m);
        if (!doubt) continue;
        auto const known = std::ranges::find(doubts, doubt->rule, &Finding::rule);
        auto const at = static_cast<std::size_t>(known - doubts.begin());
        if (known == doubts.end()) {
            doubts.push_back(*std::move(doubt));
            of.emplace_back();
        }
        of[at].push_back(fmt::format("{}, {}", m.contest, m.name));
    }
    for (std::size_t i = 0; i < doubts.size(); ++i) doubts[i].evidence = whom(of[i], ours);
    report.findings.insert(report.findings.begin(), std::make_move_iterator(doubts.begin()),
                           std::make_move_iterator(doubts.end()));
}

Json to_json(Report const& report) {
    Json j{{"benchmark", report.benchmark},
           {"machine", report.machine},
           {"settings", report.settings},
           {"subject", report.subject},
           {"copy_bandwidth", number_or_null(report.copy_bandwidth.value_or(0))}};
    j["results"] = Json::array();
    for (Measured const& m : report.results)
        j["results"].push_back(to_json(m, report.copy_bandwidth.value_or(0)));
    j["notes"] = report.notes;
    j["findings"] = Json::array();
    for (Finding const& f : report.findings)
        j["findings"].push_back(
            {{"rule", f.rule}, {"text", f.text}, {"advice", f.advice}, {"evidence", f.evidence}});
    j["recommendation"] = report.recommendation;
    return j;
}

int recommended(std::vector<WayTimes> const& ways) {
    double best = 0;
    for (WayTimes const& w : ways) best = best > 0 ? std::min(best, w.wall_s) : w.wall_s;
    int chosen = -1;
    for (int i = 0; i < static_cast<int>(ways.size()); ++i) {
        auto const& w = ways[static_cast<std::size_t>(i)];
        if (w.wall_s > 1.1 * best) continue;
        if (chosen < 0) chosen = i;
        auto const& c = ways[static_cast<std::size_t>(chosen)];
        if (std::pair(w.effort, w.wall_s) < std::pair(c.effort, c.wall_s)) chosen = i;
    }
    return chosen;
}

}  // namespace sluice::bench
