// `sluice slide profile`: where the time of reading a slide goes, and what to change.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/shell/common_options.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "app/cli/slide/command.h"
#include "app/cli/slide/options.h"
#include "base/file.h"
#include "base/plural.h"
#include "sluice/slide_profile.h"

namespace sluice::cli {
namespace {

struct Command {
    SlideOptions slide;
    std::vector<int> threads;
    std::string picture;
    int level = 0;
    index max_tiles = 100;
    bool warm = false;
    CommonOptions common;
};

std::string milliseconds(double s) {
    return fmt::format("{:.{}f}", 1e3 * s, s < 0.01 ? 3 : s < 1 ? 1 : 0);
}

std::string reads_of(slide::ReadTimes const& r) {
    return fmt::format("{}, {}", plural(r.threads, "thread"), r.cold ? "from the disk" : "cached");
}

double samples_of(slide::Profile const& p) {
    return static_cast<double>(p.shape.width) * static_cast<double>(p.shape.height) *
           p.shape.samples;
}

Json json_of(Spread const& s) {
    return {{"min", s.min}, {"median", s.median}, {"max", s.max}};
}

Json json_of(slide::Slide const& slide, slide::ReadTimes const& r, double samples) {
    Json j{{"threads", r.threads},
           {"cold", r.cold},
           {"wall_s", r.wall_s},
           {"cpu_s", r.cpu_s},
           {"process_cpu_s", r.system.cpu_s},
           {"minor_faults", r.system.minor_faults},
           {"major_faults", r.system.major_faults},
           {"disk_bytes", r.system.disk_bytes},
           {"steal", r.system.steal},
           {"repeats", r.repeats},
           {"all_wall_s", json_of(r.all_wall_s)},
           {"samples_per_s", r.wall_s > 0 ? samples / r.wall_s : 0},
           {"bytes_read", r.stats.bytes_read},
           {"tiles_decoded", r.stats.tiles_decoded},
           {"tiles_hidden", r.stats.tiles_hidden},
           {"tiles_bad", r.stats.tiles_bad}};
    for (slide::StepTime const& s : r.steps)
        j["steps"].push_back({{"step", s.name},
                              {"seconds", s.seconds},
                              {"tiles", s.tiles},
                              {"tile_s", json_of(s.tile_s)}});
    for (slide::TileTime const& t : r.slowest) {
        slide::Tile const& tile = slide.tiles()[static_cast<std::size_t>(t.tile)];
        j["slowest"].push_back({{"tile", t.tile},
                                {"x", tile.rect.x},
                                {"y", tile.rect.y},
                                {"seconds", t.seconds},
                                {"wait_s", t.wait_s},
                                {"decode_s", t.decode_s}});
    }
    return j;
}

Json json_of(slide::Slide const& slide, slide::Profile const& p) {
    Json j{{"path", p.path},
           {"file_bytes", p.file_bytes},
           {"processors", p.processors},
           {"entries", p.entries},
           {"level", p.level},
           {"tiles_in_region", p.tiles_in_region},
           {"tiles", p.tiles.size()},
           {"shape", {p.shape.height, p.shape.width, p.shape.samples}},
           {"dtype", name_of(p.shape.sample)}};
    if (p.region.rect)
        j["rect"] = {p.region.rect->x, p.region.rect->y, p.region.rect->width,
                     p.region.rect->height};
    j["open"] = {{"directory_s", p.open.directory_s},
                 {"model_s", p.open.model_s},
                 {"xml_read_s", p.open.xml_read_s},
                 {"xml_parse_s", p.open.xml_parse_s},
                 {"xml_bytes", p.open.xml_bytes}};
    j["disk"] = {{"bytes", p.disk.bytes},
                 {"cold", p.disk.cold},
                 {"cached_after_dropping", p.disk.cached},
                 {"warm_s", p.disk.warm_s}};
    if (p.disk.cold) j["disk"]["cold_s"] = p.disk.cold_s;
    for (slide::ReadTimes const& r : p.reads)
        j["reads"].push_back(json_of(slide, r, samples_of(p)));
    if (p.cold_read) j["cold_read"] = json_of(slide, *p.cold_read, samples_of(p));
    for (slide::SeekStats const& s : p.seeks)
        j["seeks"].push_back({{"order", s.order},
                              {"total", s.total},
                              {"median", s.median},
                              {"largest", s.largest},
                              {"backwards", s.backwards}});
    j["amplification"] = {{"by_rectangle", p.amplification.per_tile},
                          {"most", p.amplification.most},
                          {"of_region", p.amplification.of_region}};
    j["findings"] = Json::array();
    for (Finding const& f : p.findings)
        j["findings"].push_back(
            {{"rule", f.rule}, {"text", f.text}, {"advice", f.advice}, {"evidence", f.evidence}});
    return j;
}

void print_head(slide::Profile const& p) {
    say("{}: {:.1f} MB, {} directory entries\n", p.path, static_cast<double>(p.file_bytes) / 1e6,
        p.entries);
    say("{} x {} pixels x {} {} of level {}, {} tiles{}\n", p.shape.width, p.shape.height,
        p.shape.samples, name_of(p.shape.sample), p.level, p.tiles.size(),
        std::ssize(p.tiles) < p.tiles_in_region
            ? fmt::format(" in the middle of {} (--max-tiles)", p.tiles_in_region)
            : std::string());
    say("\nopen, ms: directory {}, planes and levels {}, XML read {}, XML parsed {} ({} kB)\n",
        milliseconds(p.open.directory_s), milliseconds(p.open.model_s),
        milliseconds(p.open.xml_read_s), milliseconds(p.open.xml_parse_s), p.open.xml_bytes / 1000);
    // Of few bytes the time is told, because it is not the speed of anything.
    auto const told = [&](double s) {
        auto const bytes = static_cast<double>(p.disk.bytes);
        return bytes >= slide::enough_bytes && s > 0 ? fmt::format("{:.0f} MB/s", bytes / 1e6 / s)
                                                     : milliseconds(s) + " ms";
    };
    say("the tiles' {:.1f} MB without decoding: {} from the cache, {}\n",
        static_cast<double>(p.disk.bytes) / 1e6, told(p.disk.warm_s),
        p.disk.cold ? told(p.disk.cold_s) + " from the disk" : "the disk was not measured");
}

// What a worker does; the other steps are waiting.
bool computes(std::string_view step) {
    return !step.starts_with("wait") && step != "idle" && step != "between the steps";
}

void print_step(slide::StepTime const& s, double time, double cpu) {
    std::string line = fmt::format("  {:<22}{:>12}{:>7.1f}%", s.name, milliseconds(s.seconds),
                                   100 * s.seconds / time);
    if (computes(s.name) && cpu > 0)
        line += fmt::format("{:>7.1f}%", 100 * s.seconds / cpu);
    else if (s.tiles > 0)
        line += fmt::format("{:>8}", "");
    if (s.tiles > 0)
        line += fmt::format("{:>10}{:>10}{:>10}", milliseconds(s.tile_s.min),
                            milliseconds(s.tile_s.median), milliseconds(s.tile_s.max));
    say("{}\n", line);
}

void print_reads(slide::Profile const& p) {
    std::vector<slide::ReadTimes const*> all;
    for (slide::ReadTimes const& r : p.reads) all.push_back(&r);
    if (p.cold_read) all.push_back(&*p.cold_read);
    say("\n{:<24}{:>12}{:>12}{:>12}{:>14}{:>8}{:>13}\n", "one read of the region", "wall ms",
        "cpu ms", "speed-up", "Msamples/s", "reads", "page faults");
    for (slide::ReadTimes const* r : all)
        say("{:<24}{:>12}{:>12}{:>12.2f}{:>14.1f}{:>8}{:>13}\n", reads_of(*r),
            milliseconds(r->wall_s), milliseconds(r->computed_s()),
            p.reads.front().wall_s / r->wall_s, samples_of(p) / 1e6 / r->wall_s, r->repeats,
            r->system.minor_faults + r->system.major_faults);
    for (slide::ReadTimes const* r : all) {
        say("\n{:<24}{:>12}{:>8}{:>8}{:>10}{:>10}{:>10}   (of a tile, ms)\n", reads_of(*r),
            "sum ms", "of time", "of cpu", "min", "median", "max");
        for (slide::StepTime const& s : r->steps)
            print_step(s, r->wall_s * r->threads, r->computed_s());
    }
}

void print_tiles(slide::Slide const& slide, slide::Profile const& p) {
    say("\nslowest tiles, {}\n", reads_of(p.reads.front()));
    std::size_t shown = 0;
    for (slide::TileTime const& t : p.reads.front().slowest) {
        if (++shown > 5) break;
        slide::Tile const& tile = slide.tiles()[static_cast<std::size_t>(t.tile)];
        say("  tile {:<6} X {:<8} Y {:<8} {:>9} ms, decoding {}\n", t.tile, tile.rect.x,
            tile.rect.y, milliseconds(t.seconds), milliseconds(t.decode_s));
    }
    say("\njumps in the file, MB{:>14}{:>10}{:>10}{:>12}\n", "total", "median", "largest",
        "backwards");
    for (slide::SeekStats const& s : p.seeks)
        say("  order of {:<14}{:>10.2f}{:>10.3f}{:>10.2f}{:>12}\n", s.order,
            static_cast<double>(s.total) / 1e6, static_cast<double>(s.median) / 1e6,
            static_cast<double>(s.largest) / 1e6, s.backwards);
    say("\ndecoded for one tile: {:.2f} in a read of the region; {:.2f} ({} at most) when every "
        "tile is\nread by its own rectangle and all that meet it are decoded\n",
        p.amplification.of_region, p.amplification.per_tile, p.amplification.most);
}

void print_findings(slide::Profile const& p) {
    say("\nWhat this says:\n");
    for (Finding const& f : p.findings)
        say("* {}{}{}{}\n", f.text, f.advice.empty() ? "" : " ", f.advice,
            f.evidence.empty() ? "" : fmt::format("\n  ({})", f.evidence));
}

Status run(Command const& c) {
    if (!c.picture.empty() && !c.picture.ends_with(".svg"))
        return Error{
            Code::invalid_argument,
            fmt::format("--picture '{}' has no ending that is known; end it in .svg", c.picture)};
    SLUICE_TRY(slide::Slide const slide, c.slide.open_czi("slide profile"));
    slide::ProfileOptions options;
    SLUICE_TRY(options.region, c.slide.region_of(slide));
    options.level = c.level;
    options.max_tiles = c.max_tiles;
    options.threads = c.threads;
    options.cold = !c.warm;
    options.access = c.slide.map ? Access::map : Access::read;
    options.open = c.slide.czi;
    ProgressBar progress("measuring");
    options.progress = progress.callback();
    SLUICE_TRY(slide::Profile const p, slide::profile(c.slide.path, options));
    std::string const& trace = c.common.trace.path();
    if (!trace.empty()) SLUICE_CHECK(save_text(trace, slide::trace_events(slide, p)));
    if (!c.picture.empty()) SLUICE_CHECK(save_text(c.picture, slide::order_svg(slide, p)));
    if (c.common.json) {
        say("{}\n", text_of(json_of(slide, p)));
        return {};
    }
    print_head(p);
    print_reads(p);
    print_tiles(slide, p);
    print_findings(p);
    if (!trace.empty())
        say("\n{}: open it in https://ui.perfetto.dev or chrome://tracing\n", trace);
    if (!c.picture.empty()) say("{}: the order of the tiles\n", c.picture);
    return {};
}

}  // namespace

void add_slide_profile(Verb const& parent, int& exit_code) {
    Verb const app =
        parent.add_subcommand("profile", "where the time of reading goes, and what to change");
    auto const c = std::make_shared<Command>();
    c->slide.add_opening(*app);
    c->slide.add_selection(*app);
    app->add_option("--threads", c->threads, "numbers of threads to compare [1,2,4,8 as there are]")
        ->delimiter(',')
        ->check(in_range(1, 1024));
    app->add_option("--level", c->level, "a level of the pyramid")->capture_default_str();
    app->add_option("--max-tiles", c->max_tiles,
                    "read so many tiles of the middle of the region; 0 reads all")
        ->check(not_negative())
        ->capture_default_str();
    app->add_flag("--warm", c->warm, "leave the system's cache as it is: the disk is not measured");
    app->add_option("--picture", c->picture, "write the order of the tiles in the file as x.svg");
    c->common.add(*app, {.threads = own(),
                         .json = applies(),
                         .memory_limit = refused("holds the region that it reads; see --max-tiles"),
                         .trace = applies()});
    app->footer(
        "Reads the region once for each number of threads, and times every step of every tile.\n"
        "The first channel is read where none is given.\n\n"
        "Examples:\n"
        "  sluice slide profile x.czi\n"
        "  sluice slide profile x.czi --scene 0 --max-tiles 0 --threads 1,2,16\n"
        "  sluice slide profile x.czi --trace t.json --picture order.svg");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
