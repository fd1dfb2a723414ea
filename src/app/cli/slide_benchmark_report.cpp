// The results of a benchmark as table, JSON and picture.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/slide_benchmark_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "domain/slide/bench_rules.h"

namespace sluice::cli {
namespace {

double rate(std::uint64_t n, double seconds) {
    return seconds > 0 ? static_cast<double>(n) / seconds : 0;
}

Measured const* sequential(BenchmarkReport const& report, Measured const& m) {
    for (Measured const& other : report.results)
        if (other.pattern == m.pattern && other.cold == m.cold && !other.rival &&
            other.way.name == "sequential")
            return &other;
    return nullptr;
}

double speed_up(BenchmarkReport const& report, Measured const& m) {
    Measured const* const one = sequential(report, m);
    return one && m.wall() > 0 ? one->wall() / m.wall() : 0;
}

std::string_view title(Pattern pattern) {
    constexpr std::string_view titles[] = {
        "the whole mosaic in one piece", "every tile by its own rectangle",
        "every tile as it is stored", "random squares of 512 pixels",
        "random squares of 16 pixels"};
    return titles[static_cast<std::size_t>(pattern)];
}

std::string ms(double s) {
    return fmt::format("{:.{}f}", 1e3 * s, s < 0.01 ? 2 : s < 1 ? 1 : 0);
}

std::string number_or_dash(double value, int digits) {
    return value > 0 ? fmt::format("{:.{}f}", value, digits) : "-";
}

void print_row(BenchmarkReport const& report, Measured const& m) {
    slide::Spread const wall = slide::spread_of(m.wall_s);
    double const pixels = rate(m.done.pixels, m.wall());
    double const each = 1e6 * m.wall() / static_cast<double>(m.items);
    std::string const decoded = m.rival ? "-" : fmt::format("{}", m.done.stats.tiles_decoded);
    fmt::print("  {:<26}{:>9}{:>19}{:>9}{:>9}{:>10.1f}{:>9.2f}{:>8}{:>8}{:>9}  {}{}\n", m.way.name,
               ms(m.wall()), fmt::format("{}..{}", ms(wall.min), ms(wall.max)), ms(m.cpu()),
               fmt::format("{:.{}f}", each, each < 1000 ? 1 : 0),
               rate(m.done.samples, m.wall()) / 1e6, speed_up(report, m),
               number_or_dash(m.done.peak_bytes / 1e6, 0),
               number_or_dash(static_cast<double>(m.done.stats.bytes_read) / 1e6, 1), decoded,
               m.pattern == Pattern::small ? "" : slide::class_of(pixels),
               m.rival && m.pixels != "same" ? ", pixels differ: " + m.pixels : "");
}

Json to_json(BenchmarkReport const& report, Measured const& m) {
    Json j{{"pattern", name_of(m.pattern)},
           {"way", m.way.name},
           {"options", m.way.options},
           {"rival", m.rival},
           {"cold", m.cold},
           {"wall_s", m.wall()},
           {"cpu_s", m.cpu()},
           {"rounds_wall_s", m.wall_s},
           {"rounds_cpu_s", m.cpu_s},
           {"items", m.items},
           {"pixels", m.done.pixels},
           {"samples", m.done.samples},
           {"pixels_per_s", rate(m.done.pixels, m.wall())},
           {"samples_per_s", rate(m.done.samples, m.wall())},
           {"class", slide::class_of(rate(m.done.pixels, m.wall()))},
           {"speed_up", speed_up(report, m)},
           {"peak_bytes", m.done.peak_bytes}};
    if (m.rival) {
        j["pixels_compared"] = m.pixels;
        return j;
    }
    j["bytes_read"] = m.done.stats.bytes_read;
    j["tiles_decoded"] = m.done.stats.tiles_decoded;
    j["decoded_per_pixel"] = m.done.pixels > 0 ? static_cast<double>(m.done.stats.pixels_decoded) /
                                                     static_cast<double>(m.done.pixels)
                                               : 0;
    return j;
}

std::string escaped(std::string const& text) {
    std::string out;
    for (char const c : text)
        out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
    return out;
}

}  // namespace

void rank(BenchmarkReport& report) {
    std::stable_sort(report.results.begin(), report.results.end(),
                     [](Measured const& a, Measured const& b) {
                         return std::tuple(a.pattern, a.cold, a.wall()) <
                                std::tuple(b.pattern, b.cold, b.wall());
                     });
}

void print(BenchmarkReport const& report) {
    Json const& m = report.machine;
    fmt::print("{} processors, {} ({}), {:.0f} GB, {}, {}, load {:.1f}\n",
               m["processors"].get<int>(), m["processor"].get<std::string>(),
               m["instructions"].get<std::string>(), m["memory_bytes"].get<double>() / 1e9,
               m["kernel"].get<std::string>(), m["file_system"].get<std::string>(),
               m["load_before"].get<double>());
    fmt::print("{}: {} x {} pixels x {} {}, {} tiles{}\n", report.path, report.shape.width,
               report.shape.height, report.shape.samples, czi::name_of(report.shape.sample),
               report.tiles,
               report.tiles < report.tiles_in_region
                   ? fmt::format(" in the middle of {} (--max-tiles)", report.tiles_in_region)
                   : std::string());
    for (auto const& [name, version] : report.rivals.items())
        fmt::print("beside {} {}\n", name, version.get<std::string>());
    Measured const* last = nullptr;
    for (Measured const& r : report.results) {
        if (!last || last->pattern != r.pattern || last->cold != r.cold)
            fmt::print(
                "\n{}{}: {} read{}, {} rounds\n  {:<26}{:>9}{:>19}{:>9}{:>9}{:>10}{:>9}"
                "{:>8}{:>8}{:>9}  class\n",
                title(r.pattern), r.cold ? ", from the disk" : "", r.items, r.items == 1 ? "" : "s",
                r.wall_s.size(), "fastest first", "ms", "min..max", "cpu ms", "us/read", "Msmp/s",
                "speed-up", "peak MB", "MB read", "decoded");
        print_row(report, r);
        last = &r;
    }
    fmt::print(
        "\nMsmp/s counts every sample of the pixels that come out; fast, moderate and slow\n"
        "are above 100, 20 to 100 and below 20 million pixels a second.\n\n");
    for (std::string const& note : report.notes) fmt::print("note: {}\n", note);
    for (slide::Finding const& f : report.findings)
        fmt::print("* {}{}{}{}\n", f.text, f.advice.empty() ? "" : " ", f.advice,
                   f.evidence.empty() ? "" : fmt::format("\n  ({})", f.evidence));
    if (!report.recommendation.empty()) fmt::print("* {}\n", report.recommendation);
}

Json to_json(BenchmarkReport const& report) {
    Json j{{"path", report.path},
           {"machine", report.machine},
           {"settings", report.settings},
           {"shape", {report.shape.height, report.shape.width, report.shape.samples}},
           {"dtype", czi::name_of(report.shape.sample)},
           {"tiles", report.tiles},
           {"tiles_in_region", report.tiles_in_region},
           {"rivals", report.rivals}};
    j["results"] = Json::array();
    for (Measured const& m : report.results) j["results"].push_back(to_json(report, m));
    j["notes"] = report.notes;
    j["findings"] = Json::array();
    for (slide::Finding const& f : report.findings)
        j["findings"].push_back(
            {{"rule", f.rule}, {"text", f.text}, {"advice", f.advice}, {"evidence", f.evidence}});
    j["recommendation"] = report.recommendation;
    return j;
}

std::string plot(BenchmarkReport const& report) {
    constexpr double left = 230, bar = 380, row = 22, gap = 46;
    std::string body;
    double y = 34;
    Measured const* last = nullptr;
    double longest = 1;
    for (Measured const& m : report.results) {
        if (!last || last->pattern != m.pattern || last->cold != m.cold) {
            longest = 0;
            for (Measured const& other : report.results)
                if (other.pattern == m.pattern && other.cold == m.cold)
                    longest = std::max(longest, slide::spread_of(other.wall_s).max);
            if (longest <= 0) longest = 1;
            y += last ? gap - row : 0;
            body += fmt::format("<text x=\"20\" y=\"{:.0f}\" class=\"head\">{}{}</text>\n", y,
                                title(m.pattern), m.cold ? ", from the disk" : "");
            y += 10;
        }
        slide::Spread const s = slide::spread_of(m.wall_s);
        auto const x = [&](double v) { return left + bar * v / longest; };
        body += fmt::format(
            "<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"end\">{}</text>\n"
            "<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.1f}\" height=\"14\" fill=\"{}\"/>\n"
            "<path d=\"M{:.1f} {:.0f}H{:.1f}\" stroke=\"#111\"/>\n"
            "<text x=\"{:.1f}\" y=\"{:.0f}\" class=\"small\">{} ms, {:.0f} Msamples/s</text>\n",
            left - 8, y + 12, escaped(m.way.name), left, y, std::max(1.0, bar * s.median / longest),
            m.rival ? "#b9a9a0" : "#3f7f93", x(s.min), y + 7, x(s.max), x(s.max) + 8, y + 12,
            ms(s.median), rate(m.done.samples, s.median) / 1e6);
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
