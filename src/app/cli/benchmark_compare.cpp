// Rows of two runs by their names, with what the rounds show.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/benchmark_compare.h"

#include <fmt/format.h>

#include "app/cli/shell/terminal.h"
#include "bench/compare.h"
#include "bench/table.h"

namespace sluice::cli {

using bench::HistoryRow;
using bench::HistoryRun;

namespace {

std::string between(HistoryRun const& a, HistoryRun const& b) {
    if (!a.session.empty() && a.session == b.session)
        return "Their rounds were taken in turns: what the machine did met both.";
    if (a.processor != b.processor)
        return "They are of different processors, so that they compare machines, too.";
    return fmt::format(
        "Their rounds were not taken in turns (loads of {:.1f} and {:.1f} before): "
        "what else the machine did is in the differences. --beside takes turns.",
        a.load_before, b.load_before);
}

/// A row of one of two runs, or of both.
struct Pair {
    std::string benchmark, name;
    std::string missing = {};  ///< why there is nothing to compare
    bench::Comparison found = {};
};

std::vector<Pair> pairs_of(HistoryRun const& a, HistoryRun const& b) {
    std::vector<Pair> all;
    for (HistoryRow const& row : a.rows) {
        Pair& p = all.emplace_back(Pair{row.benchmark, row.name});
        HistoryRow const* const other = same_row(b, row);
        if (!row.missing.empty())
            p.missing = row.missing;
        else if (!other)
            p.missing = "the run after has none";
        else if (!other->missing.empty())
            p.missing = other->missing;
        else
            p.found = bench::compare(row.rounds_s, other->rounds_s);
    }
    for (HistoryRow const& row : b.rows)
        if (!same_row(a, row)) all.push_back({row.benchmark, row.name, "the run before has none"});
    return all;
}

}  // namespace

Json to_json(HistoryRun const& run) {
    return Json::parse(bench::line_of(run), nullptr, false);
}

HistoryRow const* same_row(HistoryRun const& run, HistoryRow const& like) {
    for (HistoryRow const& row : run.rows)
        if (row.benchmark == like.benchmark && row.name == like.name) return &row;
    return nullptr;
}

void print_comparison(HistoryRun const& a, HistoryRun const& b) {
    say("before: {}, {}\nafter:  {}, {}\n{}\n\n", a.version, a.time, b.version, b.time,
        between(a, b));
    say("  {:<15} {:<44} {:>10} {:>10} {:>6} {:>15} {:>7}\n", "benchmark", "", "before ms",
        "after ms", "ratio", "95 %", "p");
    for (Pair const& p : pairs_of(a, b)) {
        if (!p.missing.empty()) {
            say("  {:<15} {:<44} missing: {}\n", p.benchmark, p.name, p.missing);
            continue;
        }
        bench::Comparison const& c = p.found;
        say("  {:<15} {:<44} {:>10} {:>10} {:>6.2f} {:>6.2f} to {:<5.2f} {:>7.2g}  {}\n",
            p.benchmark, p.name, bench::milliseconds(c.before_s), bench::milliseconds(c.after_s),
            c.ratio, c.low, c.high, c.p, c.verdict);
    }
    say("\nms: medians; 95 %: of the ratio, by the bootstrap; p: of Mann and Whitney's rank test. "
        "Of many rows\none in twenty has p below 0.05 by chance.\n");
}

Json comparison_json(HistoryRun const& a, HistoryRun const& b) {
    Json j{{"before", to_json(a)},
           {"after", to_json(b)},
           {"in_turns", !a.session.empty() && a.session == b.session},
           {"rows", Json::array()}};
    for (Pair const& p : pairs_of(a, b)) {
        Json r{{"benchmark", p.benchmark}, {"name", p.name}};
        bench::Comparison const& c = p.found;
        if (!p.missing.empty())
            r["missing"] = p.missing;
        else
            r.update({{"before_s", c.before_s},
                      {"after_s", c.after_s},
                      {"ratio", c.ratio},
                      {"low", c.low},
                      {"high", c.high},
                      {"p", c.p},
                      {"verdict", c.verdict}});
        j["rows"].push_back(std::move(r));
    }
    return j;
}

}  // namespace sluice::cli
