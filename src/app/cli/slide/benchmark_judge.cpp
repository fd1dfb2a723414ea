// What the times of a slide's benchmark say, and which way of reading to recommend.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/slide/benchmark_judge.h"

#include <fmt/format.h>

#include <algorithm>

#include "domain/slide/profile/rules/findings.h"

namespace sluice::cli {
namespace {

// The rules of the profile know few repeats, and take the whole range of them.
slide::ReadFacts facts_of(bench::Measured const& m) {
    slide::ReadFacts r = m.trial();
    r.spread = m.wall().relative();
    return r;
}

std::string recommendation_of(bench::Measured const& m) {
    std::string const options = m.details["options"].get<std::string>();
    return fmt::format(
        "For this file on this machine: {} ({:.1f} ms for {}, {:.0f} million samples a second, {} "
        "rounds within {:.0f} %); {}",
        m.name, 1e3 * m.wall_s(), m.contest, m.details["samples_per_s"].get<double>() / 1e6,
        m.laps.size(), 100 * facts_of(m).spread,
        options.empty() ? "no option is needed." : options + ".");
}

}  // namespace

void judge(slide::Facts facts, std::vector<Job> const& jobs, bench::Report& report) {
    std::vector<bench::WayTimes> ways;
    std::vector<bench::Measured const*> of;
    slide::Facts first = facts;
    for (bench::Measured const& m : report.results) {
        if (m.rival || m.details["cold"].get<bool>()) continue;
        Job const& job = jobs[m.contestant];
        bool const plain = job.way.processes == 0 && !job.way.map && !job.way.cache;
        if (job.pattern == Pattern::mosaic && plain) facts.reads.push_back(facts_of(m));
        if (m.contest != report.results.front().contest) continue;
        if (plain) first.reads.push_back(facts_of(m));
        ways.push_back({m.name, job.way.options, m.wall_s(), job.way.effort});
        of.push_back(&m);
    }
    for (auto* reads : {&facts.reads, &first.reads})
        std::stable_sort(reads->begin(), reads->end(),
                         [](auto const& a, auto const& b) { return a.threads < b.threads; });
    auto const nothing = slide::cannot_tell(first);
    report.findings = slide::findings_of(nothing ? first : facts);
    auto const few = bench::too_few(first.reads);
    if (few && !nothing) {
        // Findings that were counted stay, those that rest on times do not.
        std::erase_if(report.findings, [](Finding const& f) { return !f.evidence.empty(); });
        report.findings.insert(report.findings.begin(), *few);
    }
    int const best = bench::recommended(ways);
    if (best >= 0 && !nothing && !few)
        report.recommendation = recommendation_of(*of[static_cast<std::size_t>(best)]);
}

}  // namespace sluice::cli
