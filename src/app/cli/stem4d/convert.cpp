// `sluice stem4d convert`.
// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>

#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "app/cli/stem4d/command.h"
#include "app/cli/stem4d/data_options.h"
#include "base/plural.h"
#include "domain/conversion/fields.h"
#include "sluice/stem4d_convert.h"

namespace sluice::cli {
namespace {

struct ConvertCommand {
    DataOptions data;
    std::string output;
    stem4d::ScanConvertOptions options;
};

double rate(std::uint64_t bytes, double seconds) {
    return seconds > 0 ? static_cast<double>(bytes) / 1e6 / seconds : 0;
}

Json json_of(stem4d::ScanConvertReport const& r) {
    return {{"path", r.path},
            {"format", r.format},
            {"codec", r.codec},
            {"files", r.files},
            {"scan", {r.shape[0], r.shape[1]}},
            {"detector", {r.shape[2], r.shape[3]}},
            {"dtype", r.dtype},
            {"bytes", r.bytes},
            {"bytes_written", r.bytes_written},
            {"seconds", r.seconds},
            {"mb_per_s", rate(r.bytes, r.seconds)},
            {"verified", r.verified},
            {"verify_seconds", r.verify_seconds},
            {"resumed", r.resumed},
            {"blocks", r.blocks},
            {"blocks_kept", r.blocks_kept},
            {"not_carried", r.not_carried},
            {"notes", r.notes}};
}

void print(stem4d::ScanConvertReport const& r) {
    say("{}\n", r.path);
    print_line("format", r.format + (r.codec == "none" ? "" : ", " + r.codec));
    print_line("scan", fmt::format("{} x {}", r.shape[0], r.shape[1]));
    print_line("detector", fmt::format("{} x {} {}", r.shape[2], r.shape[3], r.dtype));
    print_line("size", fmt::format("{:.1f} MB of values in {:.1f} MB of files",
                                   static_cast<double>(r.bytes) / 1e6,
                                   static_cast<double>(r.bytes_written) / 1e6));
    if (r.resumed)
        print_line("resumed",
                   fmt::format("{} of {} were there", r.blocks_kept, plural(r.blocks, "block")));
    print_line("time", fmt::format("{:.2f} s: {:.0f} MB/s", r.seconds, rate(r.bytes, r.seconds)));
    if (r.verified)
        print_line("verified", fmt::format("every value was read back and is equal, {:.2f} s",
                                           r.verify_seconds));
    for (std::string const& what : r.not_carried) print_line("not carried", what);
    for (std::string const& n : r.notes) print_line("note", n);
}

Status run(ConvertCommand& c) {
    SLUICE_CHECK(c.data.expect_processor());
    // Left to itself malloc keeps freed blocks of megabytes in its heaps, where they leave holes.
    ::mallopt(M_MMAP_THRESHOLD, 64 << 20);
    SLUICE_TRY(OpenOptions const open, c.data.open_options());
    SLUICE_TRY(Dataset dataset, sluice::open(c.data.paths.front(), open));
    SLUICE_TRY(LoadOptions const load, c.data.load_options(1));
    SLUICE_TRY(Scan const scan, Scan::load(std::move(dataset), stem4d::convert_load_options(load)));
    c.options.provenance = provenance_of({c.data.paths.front()});
    std::optional<ProgressBar> progress("converting");
    c.options.progress = progress->callback();
    SLUICE_TRY(auto const report, stem4d::convert(scan, c.output, c.options));
    progress.reset();
    if (c.data.common.json)
        say("{}\n", text_of(json_of(report)));
    else
        print(report);
    return {};
}

}  // namespace

void add_stem4d_convert(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand("convert", "a scan to a file of another format");
    auto const c = std::make_shared<ConvertCommand>();
    c->data.paths.resize(1);
    app->add_option("input", c->data.paths.front(), "acquisition: a file, or a Zarr folder")
        ->required();
    app->add_option("output", c->output,
                    "file or folder to write: X.zarr, X_master.h5, X.emd, X.hspy, X.zspy, X.npy, "
                    "X.mib or X.raw")
        ->required();
    c->data.add_reading(*app);
    c->data.add_detector_step(*app);
    app->add_fields(stem4d::convert_fields(), c->options);
    CommonUse use = DataOptions::use();
    use.device = refused("reads and writes on the processor");
    use.memory_limit = refused("takes some megabytes for each thread");
    c->data.common.add(*app, use);
    app->footer(
        "Values arrive as they are stored, bad pixels too, unless binning or a mask is asked for.\n"
        "Until it is complete the output's name ends in .part.\n\n"
        "Examples:\n"
        "  sluice stem4d convert scan.mib scan.zarr --verify\n"
        "  sluice stem4d convert scan.mib scan_master.h5\n"
        "  sluice stem4d convert scan_master.h5 scan.emd --det-bin 2 --scan-region 0:64,0:64\n"
        "  sluice stem4d convert scan.zarr scan.hspy --force\n"
        "  sluice stem4d convert scan_master.h5 scan.zarr --resume");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
