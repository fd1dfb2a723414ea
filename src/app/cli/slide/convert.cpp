// `sluice slide convert`.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/convert.h"

#include <malloc.h>

#include <algorithm>

#include "app/cli/shell/common_options.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "app/cli/slide/command.h"
#include "app/cli/slide/options.h"
#include "base/plural.h"
#include "domain/slide/fields.h"

namespace sluice::cli {
namespace {

struct ConvertCommand {
    SlideOptions slide;
    std::string output;
    slide::ConvertOptions options;
    CommonOptions common;
};

Result<slide::ConvertOptions> options_of(ConvertCommand const& c) {
    slide::ConvertOptions o = c.options;
    o.threads = c.common.threads;
    o.memory_limit = c.common.memory_limit;
    SLUICE_TRY(o.device, Device::named(c.common.device));
    return o;
}

double rate(double amount, double seconds) {
    return seconds > 0 ? amount / 1e6 / seconds : 0;
}

Json json_of(slide::ConvertReport const& r) {
    Json images = Json::array();
    for (slide::ConvertedImage const& i : r.images)
        images.push_back({{"path", i.path},
                          {"name", i.name},
                          {"shape", i.shape},
                          {"dtype", i.dtype},
                          {"levels", i.levels}});
    return {{"path", r.path},
            {"images", images},
            {"pixels", r.pixels},
            {"bytes", r.bytes},
            {"bytes_written", r.bytes_written},
            {"chunks", r.chunks},
            {"chunks_empty", r.chunks_empty},
            {"chunks_verified", r.chunks_verified},
            {"seconds", r.seconds},
            {"verify_seconds", r.verify_seconds},
            {"mb_per_s", rate(static_cast<double>(r.bytes), r.seconds)},
            {"mpx_per_s", rate(static_cast<double>(r.pixels), r.seconds)},
            {"band_memory", r.band_memory},
            {"peak_memory", r.peak_memory},
            {"resumed", r.resumed},
            {"files_made_again", r.files_made_again},
            {"tiles_filled", r.tiles_filled},
            {"notes", r.notes}};
}

void print(slide::ConvertReport const& r) {
    say("{}\n", r.path);
    for (slide::ConvertedImage const& i : r.images)
        say("  {:<10} {} x {} x {} x {} x {} {} (t c z y x), {}: {}\n", i.path, i.shape[0],
            i.shape[1], i.shape[2], i.shape[3], i.shape[4], i.dtype, plural(i.levels, "level"),
            i.name);
    auto const bytes = static_cast<double>(r.bytes), written = static_cast<double>(r.bytes_written);
    say("  {}, {} of nothing but background; {:.1f} MB of pixels in {:.1f} MB of "
        "files\n",
        plural(r.chunks, "chunk"), r.chunks_empty, bytes / 1e6, written / 1e6);
    say("  {:.2f} s{}: {:.0f} MB/s, {:.0f} Mpx/s; at most {:.0f} MB of memory\n", r.seconds,
        r.resumed ? " since it went on" : "", rate(bytes, r.seconds),
        rate(static_cast<double>(r.pixels), r.seconds), static_cast<double>(r.peak_memory) / 1e6);
    if (r.chunks_verified > 0)
        say("  {} read again and equal to the slide, {:.2f} s\n",
            plural(r.chunks_verified, "chunk"), r.verify_seconds);
    for (std::string const& n : r.notes) say("  note: {}\n", n);
}

Status run(ConvertCommand const& c) {
    SLUICE_TRY(slide::ConvertOptions options, options_of(c));
    // Left to itself malloc puts tiles of megabytes into its heaps once the first was freed, where
    // they leave holes: three times the memory in the end.
    ::mallopt(M_MMAP_THRESHOLD, 4 << 20);
    SLUICE_TRY(auto const slide, c.slide.open_czi("slide convert"));
    std::optional<ProgressBar> progress("converting");
    options.progress = progress->callback();
    options.provenance = provenance_of({c.slide.path});
    SLUICE_TRY(auto const report, slide::convert(slide, c.output, options));
    progress.reset();
    constexpr std::size_t most_named = 50;
    for (std::size_t i = 0; i < std::min(most_named, report.tiles_filled.size()); ++i)
        say(stderr, "sluice: {}: {}; filled with {}\n", c.slide.path, report.tiles_filled[i],
            *options.fill_bad);
    if (report.tiles_filled.size() > most_named)
        say(stderr, "sluice: {}: {} tiles in all were filled with {}\n", c.slide.path,
            report.tiles_filled.size(), *options.fill_bad);
    if (c.common.json) {
        say("{}\n", text_of(json_of(report)));
    } else {
        print(report);
    }
    return {};
}

void add_options(Verb const& app, ConvertCommand& c) {
    c.slide.add_opening(app);
    app.add_option("output", c.output, "folder to write, as in slide.zarr")->required();
    app.add_fields(slide::convert_fields(), c.options);
    c.common.memory_limit = 1'000'000'000;
    c.common.add(
        app, {.threads = applies(),
              .device = applies("what makes the coarser levels: cpu, cuda, or reference: slow, to "
                                "compare with"),
              .json = applies(),
              .memory_limit = applies("of bands and decoded tiles, as in 500M or 4G"),
              .trace = refused("notes no steps; `sluice slide profile` does")});
}

}  // namespace

void add_slide_convert(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand("convert", "a CZI file to OME-Zarr");
    auto const c = std::make_shared<ConvertCommand>();
    add_options(*app, *c);
    app->footer(
        "Levels are halved by means of 2 x 2 pixels. Until it is complete the folder's name ends\n"
        "in .part.\n\n"
        "Examples:\n"
        "  sluice slide convert slide.czi slide.zarr\n"
        "  sluice slide convert slide.czi slide.zarr --ngff 0.5 --shard 4096 --codec zstd\n"
        "  sluice slide convert plate.czi plate.zarr --arrange plate --channels 0,1 --verify\n"
        "  sluice slide convert slide.czi slide.zarr --resume");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
