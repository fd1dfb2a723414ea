// Columns as wide as their cells.
// SPDX-License-Identifier: Apache-2.0
#include "bench/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/machine.h"
#include "bench/words.h"

namespace sluice::bench {
namespace {

// Cells may hold letters of several bytes.
std::size_t width_of(std::string const& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string microseconds(double s) {
    double const us = 1e6 * s;
    return fmt::format("{:.{}f}", us, us < 1000 ? 1 : 0);
}

// Every column there may be; the drawing leaves out those with nothing in them.
std::vector<Column> columns_of(Report const& report, Layout const& layout) {
    double const copied = report.copy_bandwidth.value_or(0);
    auto const where = [](bool known, std::string const& text) {
        return known ? text : std::string();
    };
    std::vector<Column> all{
        {layout.head, [](Measured const& m) { return m.name; }},
        {"ms", [](Measured const& m) { return milliseconds(m.wall_s()); }},
        {"min..max",
         [](Measured const& m) {
             return milliseconds(m.wall().min) + ".." + milliseconds(m.wall().max);
         }},
        {"cpu ms", [](Measured const& m) { return milliseconds(m.cpu_s()); }},
        {"us/" + layout.item,
         [=](Measured const& m) { return where(m.items > 1, microseconds(m.item_s())); }},
        {"GB/s",
         [=](Measured const& m) {
             return where(m.bytes > 0, fmt::format("{:.1f}", m.bytes_per_s() / 1e9));
         }},
        {"of copying", [=](Measured const& m) {
             return where(m.bytes > 0 && copied > 0, percent(m.of_bandwidth(copied)));
         }}};
    all.insert(all.end(), layout.columns.begin(), layout.columns.end());
    return all;
}

using Rows = std::vector<std::vector<std::string>>;

void draw(Rows const& rows, std::string& out) {
    std::vector<std::size_t> widths;
    for (std::size_t c = 0; c < rows[0].size(); ++c) {
        std::size_t width = 0, below = 0;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            width = std::max(width, width_of(rows[r][c]));
            if (r > 0) below = std::max(below, rows[r][c].size());
        }
        widths.push_back(below > 0 ? width : 0);
    }
    for (auto const& row : rows) {
        std::string line;
        for (std::size_t c = 0; c < row.size(); ++c) {
            if (widths[c] == 0) continue;
            std::string const cell = row[c].empty() && c > 0 ? "-" : row[c];
            std::string const room(widths[c] - std::min(widths[c], width_of(cell)), ' ');
            line += c == 0 ? "  " + cell + room : "  " + room + cell;
        }
        out += line + "\n";
    }
}

void draw_contests(Report const& report, Layout const& layout, std::string& out) {
    std::vector<Column> const columns = columns_of(report, layout);
    auto const& all = report.results;
    for (auto at = all.begin(); at != all.end();) {
        auto const end = std::find_if(at, all.end(),
                                      [&](Measured const& m) { return m.contest != at->contest; });
        out += fmt::format("\n{}, {}\n", layout.title ? layout.title(*at) : at->contest,
                           plural(std::ssize(at->laps), "round"));
        Rows rows(1);
        for (Column const& c : columns) rows[0].push_back(c.title);
        for (; at != end; ++at) {
            rows.emplace_back();
            for (Column const& c : columns) rows.back().push_back(c.cell(*at));
        }
        draw(rows, out);
    }
}

}  // namespace

std::string milliseconds(double s) {
    return fmt::format("{:.{}f}", 1e3 * s, s < 0.01 ? 2 : s < 1 ? 1 : 0);
}

std::string table(Report const& report, Layout const& layout) {
    std::string out = machine_line(report.machine);
    if (report.copy_bandwidth)
        out += fmt::format(", copies {:.1f} GB/s", *report.copy_bandwidth / 1e9);
    out += "\n" + layout.heading;
    draw_contests(report, layout, out);
    out += "\n" + layout.legend;
    if (!layout.legend.empty() && !(report.notes.empty() && report.findings.empty())) out += "\n";
    for (std::string const& note : report.notes) out += fmt::format("note: {}\n", note);
    for (Finding const& f : report.findings)
        out += fmt::format("* {}{}{}{}\n", f.text, f.advice.empty() ? "" : " ", f.advice,
                           f.evidence.empty() ? "" : fmt::format("\n  ({})", f.evidence));
    if (!report.recommendation.empty()) out += fmt::format("* {}\n", report.recommendation);
    return out;
}

}  // namespace sluice::bench
