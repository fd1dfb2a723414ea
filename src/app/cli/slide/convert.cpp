// `sluice slide convert`.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/convert.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <charconv>

#include "app/cli/shell/bytes.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "app/cli/slide/command.h"
#include "app/cli/slide/options.h"

namespace sluice::cli {
namespace {

struct ConvertCommand {
    SlideOptions slide;
    std::string output, codec = "blosc-lz4", layout = "auto", memory = "1G";
    std::string device = "cpu";
    std::vector<std::string> plane;
    slide::ConvertOptions options;
    bool json = false;
};

Result<slide::ConvertOptions> options_of(ConvertCommand const& c) {
    slide::ConvertOptions o = c.options;
    o.codec = c.codec == "zstd"   ? slide::ChunkCodec::zstd
              : c.codec == "none" ? slide::ChunkCodec::none
                                  : slide::ChunkCodec::blosc_lz4;
    o.layout = c.layout == "scenes"   ? slide::Layout::scenes
               : c.layout == "plate"  ? slide::Layout::plate
               : c.layout == "merged" ? slide::Layout::merged
                                      : slide::Layout::automatic;
    for (std::string const& text : c.plane) {
        int value = 0;
        char const* const end = text.data() + text.size();
        bool const good = text.size() > 2 && text[1] == '=';
        auto const r = good ? std::from_chars(text.data() + 2, end, value)
                            : std::from_chars_result{nullptr, std::errc::invalid_argument};
        if (!good || r.ec != std::errc() || r.ptr != end)
            return Error{
                Code::invalid_argument,
                fmt::format("--plane '{}' (must be a letter and an index); write H=2", text)};
        o.plane[text[0]] = value;
    }
    SLUICE_TRY(o.memory_limit, parse_bytes(c.memory));
    SLUICE_TRY(o.device, Device::named(c.device));
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
    fmt::print("{}\n", r.path);
    for (slide::ConvertedImage const& i : r.images)
        fmt::print("  {:<10} {} x {} x {} x {} x {} {} (t c z y x), {} {}: {}\n", i.path,
                   i.shape[0], i.shape[1], i.shape[2], i.shape[3], i.shape[4], i.dtype, i.levels,
                   i.levels == 1 ? "level" : "levels", i.name);
    auto const bytes = static_cast<double>(r.bytes), written = static_cast<double>(r.bytes_written);
    fmt::print(
        "  {} chunks, {} of nothing but background; {:.1f} MB of pixels in {:.1f} MB of "
        "files\n",
        r.chunks, r.chunks_empty, bytes / 1e6, written / 1e6);
    fmt::print("  {:.2f} s{}: {:.0f} MB/s, {:.0f} Mpx/s; at most {:.0f} MB of memory\n", r.seconds,
               r.resumed ? " since it went on" : "", rate(bytes, r.seconds),
               rate(static_cast<double>(r.pixels), r.seconds),
               static_cast<double>(r.peak_memory) / 1e6);
    if (r.chunks_verified > 0)
        fmt::print("  {} chunks read again and equal to the slide, {:.2f} s\n", r.chunks_verified,
                   r.verify_seconds);
    for (std::string const& n : r.notes) fmt::print("  note: {}\n", n);
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
        fmt::print(stderr, "sluice: {}: {}; filled with {}\n", c.slide.path, report.tiles_filled[i],
                   *options.fill_bad);
    if (report.tiles_filled.size() > most_named)
        fmt::print(stderr, "sluice: {}: {} tiles in all were filled with {}\n", c.slide.path,
                   report.tiles_filled.size(), *options.fill_bad);
    if (c.json) {
        fmt::print("{}\n", text_of(json_of(report)));
    } else {
        print(report);
    }
    return {};
}

void add_options(Verb const& app, ConvertCommand& c) {
    slide::ConvertOptions& o = c.options;
    c.slide.add_opening(app);
    app.add_option("output", c.output, "folder to write, as in slide.zarr")->required();
    app.add_option("--ngff", o.ngff, "OME-Zarr 0.4 (Zarr version 2) or 0.5 (version 3)")
        ->check(one_of({"0.4", "0.5"}))
        ->capture_default_str();
    app.add_option("--arrange", c.layout,
                   "scenes (groups 0, 1, ...), plate, merged (one canvas), or auto: plate when all "
                   "scenes stand in one")
        ->check(one_of({"auto", "scenes", "plate", "merged"}))
        ->capture_default_str();
    app.add_option("--scenes", o.scenes, "only these, as in 0,2")->delimiter(',');
    app.add_option("--channels", o.channels, "only these, as in 0,1")->delimiter(',');
    app.add_option("--plane", c.plane, "index of a dimension that OME-Zarr lacks, as in H=2")
        ->delimiter(',');
    app.add_option("--chunk", o.chunk, "pixels along the side of a chunk")->capture_default_str();
    app.add_option("--shard", o.shard, "0.5: pixels along the side of a file of several chunks");
    app.add_option("--codec", c.codec, "blosc-lz4, zstd or none")
        ->check(one_of({"blosc-lz4", "zstd", "none"}))
        ->capture_default_str();
    app.add_option("--codec-level", o.codec_level, "0 to 9, zstd to 22 [5, zstd: 3]");
    app.add_option("--min-size", o.min_size, "halve until no side is longer")
        ->capture_default_str();
    app.add_option("--background", o.fill, "where there is no tile")->capture_default_str();
    app.add_option("--fill-bad", o.fill_bad,
                   "fill damaged tiles with this, name them, and go on [stop at the first]");
    app.add_flag("--resume", o.resume, "go on with what was interrupted");
    app.add_flag("--force", o.overwrite, "replace what is there");
    app.add_flag("--verify", o.verify, "read all again afterwards, and compare");
    app.add_option("--threads", o.threads, "threads [one per processor]")->check(in_range(0, 1024));
    app.add_option("--device", c.device,
                   "what makes the coarser levels: cpu, cuda, or reference: slow, to compare with")
        ->capture_default_str();
    app.add_option("--memory-limit", c.memory, "of bands and decoded tiles, as in 500M or 4G")
        ->capture_default_str();
    app.add_flag("--json", c.json, "print the report as JSON");
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
