// `sluice live`.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/cli/live/record_report.h"
#include "app/cli/stem4d/moment_output.h"
#include "base/run.h"
#include "format/fields.h"

namespace sluice::cli {
namespace {

Status receive(LiveCommand& c) {
    // Before anything is received, so that a scan is not lost by a misspelt detector.
    SLUICE_TRY(auto const plan, live_plan(c));
    SLUICE_CHECK(check_ricom(c.ricom, c.phase.rotation.value_or("none") != "none"));
    stem4d::LiveOptions& live = c.stream.live;
    if (!c.scan.empty()) SLUICE_CHECK(read_shape({"--scan", {}}, c.scan, live.scan));
    SLUICE_CHECK(c.strain.check(c.job, live.scan));
    SLUICE_CHECK(c.ptychography.prepare(c.job, c.scans));
    SLUICE_TRY(c.references, read_references(c.job.references));
    SLUICE_TRY([[maybe_unused]] auto const drift, drift_image(c, plan));
    if (c.job.data.common.memory_limit > 0) live.memory = c.job.data.common.memory_limit;
    live.record.numbered = c.scans != 1;
    live.record.tell = warn_at_once;
    SLUICE_TRY(stem4d::LiveOptions options, c.stream.read());
    SLUICE_TRY(options.arm, c.arm.read());
    SLUICE_TRY(auto stream, stem4d::LiveStream::connect(c.address, std::move(options)));
    SLUICE_CHECK(c.ptychography.serve());
    for (index number = 0; (c.scans == 0 || number < c.scans) && !interrupted(); ++number) {
        double const begin = now();
        SLUICE_TRY(auto scan, stream.next([&] {
            return !interrupted() && (c.wait_s == 0 || now() - begin < c.wait_s);
        }));
        // Who sends something else than was expected is heard of here.
        if (!scan)
            for (StreamProblem const& p : stream.problems()) warn_at_once(text_of(p));
        if (!scan && !interrupted())
            return Error{
                Code::unavailable,
                fmt::format("no scan began within {:g} s ({}) arm it, or wait longer", c.wait_s,
                            is_stream(c.address)
                                ? "the detector is not armed, or sends to another address"
                                : "the detector is not armed, or writes elsewhere"),
                c.address};
        if (!scan && c.drifts) break;
        if (!scan) return cancelled("no scan was being received");
        SLUICE_CHECK(run_live_scan(c, *scan,
                                   c.scans == 1
                                       ? c.job.output.folder
                                       : fmt::format("{}/{:04}", c.job.output.folder, number + 1)));
    }
    SLUICE_CHECK(finish_drift(c));
    if (c.late_error) return *c.late_error;
    return {};
}

Status run(LiveCommand& c) {
    Status done = receive(c);
    c.ptychography.conclude(done);
    return done;
}

void add_options(Verb const& app, LiveCommand& c) {
    app.add_option("ADDRESS", c.address,
                   "of the stream, as tcp://127.0.0.1:31001; or the path of a file that is being "
                   "written, or of a folder in which one will appear")
        ->required();
    app.add_option("--scan", c.scan,
                   "ROWSxCOLS [what the stream's user data or the files say, else a square]");
    c.stream.add(app);
    for (auto const& field : open_fields().subspan(common_open_fields().size()))
        if (field.name != "channel" && field.name != "axis_order" && field.name != "dm_image" &&
            field.name != "tvips_start" && field.name != "tpx3_flyback")
            app.add_field(field, c.stream.live.stream.open);
    app.add_option("--scans", c.scans,
                   "how many scans to receive, each into a folder of its own; 0: until Ctrl-C")
        ->check(in_range(0, 1000000))
        ->capture_default_str();
    app.add_option("--wait", c.wait_s, "seconds to wait for a scan to begin; 0: for ever")
        ->check(not_negative())
        ->capture_default_str();
    app.add_option("--detector", c.images.detectors,
                   "as `sluice stem4d virtual-image` has it; any number")
        ->capture_default_str();
    app.add_field(stem4d::images_fields()[1], c.images);
    app.add_fields(stem4d::moments_fields(), c.moments);
    app.add_fields(stem4d::phase_fields(), c.phase);
    app.add_option("--ricom", c.ricom, ricom_words)
        ->check(in_range(0, 100000))
        ->capture_default_str();
    app.add_option("--disk", c.job.disk,
                   "the bright-field disk as ROW:COL:RADIUS, instead of measuring it on the first "
                   "frames");
    app.add_option("--disk-frames", c.disk_frames, "frames to measure the disk on")
        ->check(in_range(1, 100000))
        ->capture_default_str();
    app.add_option("--drift", c.drift,
                   "of several scans: the detector whose images are compared, or none [bf, or the "
                   "first one]");
    app.add_flag("--correct-drift", c.correct_drift,
                 "of several scans: also write the mean of these images without their drift");
    app.add_option("--record", c.stream.live.record.prefix,
                   "also write the images as they come, as PREFIX_master.h5 and its data files");
    app.add_option("--images-per-file", c.stream.live.record.images_per_file, "of a recording")
        ->check(in_range(1, 1000000000))
        ->capture_default_str();
    c.strain.add(app);
    c.arm.add(app);
    c.job.data.add_detector_step(app);
    c.ptychography.add(app);
    app.add_option("--mask", c.job.data.mask,
                   "NPY file of detector shape: not 0 leaves the pixel out");
    app.add_fields(stem4d::reference_fields(), c.job.references);
    c.job.output.add(app);
    c.job.data.common.add(
        app, {.threads = applies(),
              .json = applies(),
              .memory_limit = applies("memory for frames that wait, half of it for --record, as in "
                                      "500M or 4G [1G]"),
              .trace = applies()});
}

}  // namespace

void add_live(Verb const& program, int& exit_code) {
    Verb const app =
        program.add_subcommand("live", "a scan from the detector while it is measured");
    auto const c = std::make_shared<LiveCommand>();
    add_options(*app, *c);
    app->footer(
        "Receives DECTRIS' Stream V2 (CBOR) and V1, Merlin and Timepix3, and computes\n"
        "virtual images, centres of mass and the sum of all patterns while frames come. The\n"
        "results have the bits of `sluice stem4d` on the same frames; what did not come is NaN "
        "and\n"
        "counted. Ctrl-C, and a sender that falls silent, end the scan: what came is written.\n"
        "Files that are being written (DECTRIS masters and their data files, HDF5, MIB, NPY and\n"
        "raw) are read as they grow; of a folder the scans that appear in it.\n"
        "\n"
        "Examples:\n"
        "  sluice live tcp://127.0.0.1:31001 --scan 64x64 --out live\n"
        "  sluice live tcp://merlin:6342 --out live      # 9999: Stream V1; or give --protocol\n"
        "  sluice live tcp://127.0.0.1:31001 --scan 256x256 --order serpentine --flyback 4 \\\n"
        "      --detector bf --detector adf:60..200mrad --disk 96:95.5:21 --out live --json\n"
        "  sluice live tcp://127.0.0.1:31001 --scan 256x256 --record run/scan --out live\n"
        "  sluice live tcp://127.0.0.1:31001 --scan 256x256 --strain --template probe.json --out "
        "live\n"
        "  sluice live tcp://127.0.0.1:31001 --scan 256x256 --ptychography --energy 300 "
        "--semiangle "
        "21 \\\n"
        "      --scan-step-nm 0.05 --detector-step-mrad 0.8 --record run/scan --out live "
        "--monitor\n"
        "  sluice live tcp://dcu:31001 --arm --scan 256x256 --dwell-s 1e-5 --on-armed "
        "'scan --start'\n"
        "  sluice live run/scan_master.h5 --out live     # as its data files appear\n"
        "  sluice live /data/today --scans 0 --out live  # every scan that appears there\n"
        "  sluice live scan.raw --raw-frame 256x256 --raw-dtype uint16 --scan 64x64 --out live\n"
        "  sluice synth stream dectris-v2 scan_master.h5 --rate 2000    # a simulated detector");
    app->callback([c, app, &exit_code] {
        c->strain.given = c->ptychography.given = app->given();
        if (auto s = run(*c); !s)
            exit_code = report(s.error());
        else if (interrupted())
            exit_code = 130;
    });
}

}  // namespace sluice::cli
