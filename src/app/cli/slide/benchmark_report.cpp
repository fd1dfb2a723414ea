// The columns of `sluice slide benchmark`, and what follows from its times.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/slide/benchmark_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "domain/slide/bench_rules.h"

namespace sluice::cli {
namespace {

using bench::Measured;

double number(Measured const& m, char const* key) {
    return m.details.value(key, 0.0);
}

bool cold(Measured const& m) {
    return m.details.value("cold", false);
}

// Empty for unknown values: the table shows a dash.
std::string number_or_none(double value, int digits) {
    return value > 0 ? fmt::format("{:.{}f}", value, digits) : std::string();
}

std::string title(Measured const& m, std::vector<Job> const& jobs) {
    constexpr std::string_view titles[] = {
        "the whole mosaic in one piece", "every tile by its own rectangle",
        "every tile as it is stored", "random squares of 512 pixels",
        "random squares of 16 pixels"};
    return fmt::format("{}{}", titles[static_cast<std::size_t>(jobs[m.contestant].pattern)],
                       cold(m) ? ", from the disk" : "");
}

Measured const* sequential(bench::Report const& report, Measured const& m) {
    for (Measured const& other : report.results)
        if (other.contest == m.contest && !other.rival && other.name == "sequential") return &other;
    return nullptr;
}

std::string class_column(Measured const& m, std::vector<Job> const& jobs) {
    std::string const name = jobs[m.contestant].pattern == Pattern::small
                                 ? std::string()
                                 : m.details.value("class", std::string());
    std::string const apart = m.details.value("difference", std::string("same"));
    return apart == "same" ? name : name + ", pixels differ: " + apart;
}

std::string decoded(Measured const& m) {
    return m.rival ? std::string() : fmt::format("{}", m.details.value("tiles_decoded", index{0}));
}

std::string escaped(std::string const& text) {
    std::string out;
    for (char const c : text)
        out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
    return out;
}

}  // namespace

void finish(bench::Report& report, std::vector<Job> const& jobs) {
    for (Measured& m : report.results) {
        double const wall = m.wall_s();
        auto const rate = [&](char const* key) { return wall > 0 ? number(m, key) / wall : 0; };
        Measured const* const one = sequential(report, m);
        m.details["pixels_per_s"] = rate("pixels");
        m.details["samples_per_s"] = rate("samples");
        m.details["class"] = slide::class_of(rate("pixels"));
        m.details["speed_up"] = one && wall > 0 ? one->wall_s() / wall : 0;
    }
    std::stable_sort(report.results.begin(), report.results.end(),
                     [&](Measured const& a, Measured const& b) {
                         return std::tuple(jobs[a.contestant].pattern, cold(a), a.wall_s()) <
                                std::tuple(jobs[b.contestant].pattern, cold(b), b.wall_s());
                     });
}

bench::Layout layout_of(bench::Report const& report, std::vector<Job> const& jobs) {
    Json const& s = report.subject;
    index const tiles = s["tiles"].get<index>(), all = s["tiles_in_region"].get<index>();
    bench::Layout layout;
    layout.heading = fmt::format(
        "{}: {} x {} pixels x {} {}, {} tiles{}\n", s["path"].get<std::string>(),
        s["shape"][1].get<index>(), s["shape"][0].get<index>(), s["shape"][2].get<index>(),
        s["dtype"].get<std::string>(), tiles,
        tiles < all ? fmt::format(" in the middle of {} (--max-tiles)", all) : std::string());
    for (auto const& [name, version] : s["rivals"].items())
        layout.heading += fmt::format("beside {} {}\n", name, version.get<std::string>());
    layout.item = "read";
    layout.head = "fastest first";
    layout.title = [&jobs](Measured const& m) {
        return fmt::format("{}: {}", title(m, jobs),
                           m.items == 1 ? "1 read" : fmt::format("{} reads", m.items));
    };
    layout.columns = {
        {"Msmp/s",
         [](Measured const& m) { return number_or_none(number(m, "samples_per_s") / 1e6, 1); }},
        {"speed-up", [](Measured const& m) { return number_or_none(number(m, "speed_up"), 2); }},
        {"peak MB",
         [](Measured const& m) { return number_or_none(number(m, "peak_bytes") / 1e6, 0); }},
        {"MB read",
         [](Measured const& m) { return number_or_none(number(m, "bytes_read") / 1e6, 1); }},
        {"decoded", decoded},
        {"class", [&jobs](Measured const& m) { return class_column(m, jobs); }}};
    layout.legend =
        "Msmp/s counts every sample of the pixels that come out; fast, moderate and slow\n"
        "are above 100, 20 to 100 and below 20 million pixels a second.\n";
    return layout;
}

std::string plot(bench::Report const& report, std::vector<Job> const& jobs) {
    constexpr double left = 230, bar = 380, row = 22, gap = 46;
    std::string body;
    double y = 34;
    bench::Measured const* last = nullptr;
    double longest = 1;
    for (bench::Measured const& m : report.results) {
        if (!last || last->contest != m.contest) {
            longest = 0;
            for (bench::Measured const& other : report.results)
                if (other.contest == m.contest) longest = std::max(longest, other.wall().max);
            if (longest <= 0) longest = 1;
            y += last ? gap - row : 0;
            body += fmt::format("<text x=\"20\" y=\"{:.0f}\" class=\"head\">{}</text>\n", y,
                                title(m, jobs));
            y += 10;
        }
        Spread const s = m.wall();
        auto const x = [&](double v) { return left + bar * v / longest; };
        body += fmt::format(
            "<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"end\">{}</text>\n"
            "<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.1f}\" height=\"14\" fill=\"{}\"/>\n"
            "<path d=\"M{:.1f} {:.0f}H{:.1f}\" stroke=\"#111\"/>\n"
            "<text x=\"{:.1f}\" y=\"{:.0f}\" class=\"small\">{} ms, {:.0f} Msamples/s</text>\n",
            left - 8, y + 12, escaped(m.name), left, y, std::max(1.0, bar * s.median / longest),
            m.rival ? "#b9a9a0" : "#3f7f93", x(s.min), y + 7, x(s.max), x(s.max) + 8, y + 12,
            bench::milliseconds(s.median), number(m, "samples_per_s") / 1e6);
        y += row;
        last = &m;
    }
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"860\" height=\"{0:.0f}\" viewBox=\"0 0 "
        "860 {0:.0f}\">\n<style>text{{font:13px sans-serif;fill:#222}}.head{{font-weight:bold}}"
        ".small{{font-size:12px;fill:#555}}</style>\n<rect width=\"100%\" height=\"100%\" "
        "fill=\"#fff\"/>\n{1}<text x=\"20\" y=\"{2:.0f}\" class=\"small\">bars are medians, lines "
        "the shortest and the longest round; {3} processors</text>\n</svg>\n",
        y + 36, body, y + 18, report.machine["processors"].get<int>());
}

}  // namespace sluice::cli
