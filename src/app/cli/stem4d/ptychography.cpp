// `sluice stem4d ptychography`.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/ptychography.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

#include "app/cli/shell/bytes.h"
#include "app/cli/shell/ranks.h"
#include "app/cli/stem4d/command.h"
#include "app/cli/stem4d/job.h"
#include "app/cli/stem4d/monitor.h"
#include "app/cli/stem4d/ptychography_probe.h"
#include "app/cli/stem4d/ptychography_search.h"
#include "app/cli/stem4d/ptychography_start.h"
#include "base/file.h"
#include "base/memory.h"
#include "domain/ptychography/input/turn_of.h"
#include "format/npy/plane.h"
#include "sluice/ptychography_file.h"
#include "sluice/ptychography_judge.h"
#include "sluice/ptychography_settings.h"

namespace sluice::cli {
namespace {

struct Command {
    Stem4dJob job;
    stem4d::PatternsOptions patterns;
    ProbeOptions probe;
    StartOptions start;
    stem4d::PtychographyOptions options;
    std::string config, positions;
    std::map<std::string, std::string> given;  // settings by their options, as texts
    std::vector<std::string> set;              // NAME=VALUE
    bool refine_positions = false, fix_probe = false, stop_early = false, whole_pixels = false;
    bool plan = false, remove_ramp = false, transpose = false;
    SearchOptions search;
    bool saves_result = false;
    stem4d::PatternFileOptions file;
    MonitorOptions monitor;
    std::optional<JobMonitor> watched = {};
};

// The file's settings, then those of the command line.
Status read_settings(Command& c) {
    if (!c.config.empty()) {
        auto const given = c.options;
        SLUICE_TRY(c.options, stem4d::read_ptychography(c.config));
        c.options.checkpoint = given.checkpoint;
        c.options.resume = given.resume;
    }
    if (c.refine_positions) c.given["refine_positions"] = "true";
    if (c.fix_probe) c.given["fix_probe"] = "true";
    if (c.stop_early) c.given["stop_early"] = "true";
    if (c.whole_pixels) c.given["sub_pixel"] = "false";
    for (auto const& [name, value] : c.given)
        if (!value.empty()) SLUICE_CHECK(stem4d::set(c.options, name, value));
    for (std::string const& text : c.set) {
        auto const equals = text.find('=');
        if (equals == std::string::npos)
            return Error{Code::invalid_argument,
                         fmt::format("--set {} gives no value; write --set NAME=VALUE", text)};
        SLUICE_CHECK(stem4d::set(c.options, text.substr(0, equals), text.substr(equals + 1)));
    }
    if (c.options.memory_limit == 0 && !c.job.data.memory.empty()) {
        SLUICE_TRY(c.options.memory_limit, parse_bytes(c.job.data.memory));
    }
    return {};
}

// [frame][row, col], in pixels of the object.
Result<std::vector<stem4d::Position>> read_positions(std::string const& file) {
    SLUICE_TRY(Array<float> const plane, npy::load_plane(file));
    if (plane.shape[1] != 2)
        return Error{Code::invalid_argument,
                     fmt::format("holds {} numbers for each position (row and column are two) give "
                                 "an array [frame][2]",
                                 plane.shape[1]),
                     file};
    std::vector<stem4d::Position> positions;
    for (index j = 0; j < plane.shape[0]; ++j)
        positions.push_back({plane.values[static_cast<std::size_t>(2 * j)],
                             plane.values[static_cast<std::size_t>(2 * j + 1)]});
    return positions;
}

// The direct beam, on the detector as loaded. One rank reads all frames for it.
Result<stem4d::Disk> disk_of(Scan const& scan, stem4d::Options const& options, Ranks& ranks,
                             JobReport& report, index member) {
    stem4d::Disk disk;
    if (options.disk) {
        disk = *options.disk;
    } else {
        SLUICE_TRY(disk, ranks.from_first<stem4d::Disk>(
                             [&] { return stem4d::find_disk(scan, options.device); }));
    }
    report.add(disk, member);
    return stem4d::to_array(disk, stem4d::pixel_grid(scan));
}

// A unit or an angle that is wrong shows here; R hardly shows it.
void compare_aperture(Command const& c, stem4d::Patterns const& patterns, stem4d::Disk const& disk,
                      JobReport& r) {
    double const given = c.probe.optics.semiangle_mrad;
    double const mrad =
        1e3 * patterns.wavelength_nm / (static_cast<double>(patterns.size) * patterns.pixel_nm);
    double const seen = disk.radius * mrad;
    if (!(given > 0 && seen > 0) || (given > 0.8 * seen && given < 1.25 * seen)) return;
    r.notes.push_back(
        fmt::format("--semiangle is {:g} mrad, and the direct beam in the patterns has a radius of "
                    "{:.3g} mrad: check both, and the angle of a detector pixel",
                    given, seen));
}

Array<double> part_of(Array<std::complex<float>> const& planes, index number, bool phase) {
    index const rows = planes.shape[1], cols = planes.shape[2];
    auto part = Array<double>::zeros({rows, cols});
    for (index i = 0; i < rows * cols; ++i) {
        std::complex<double> const z(
            planes.values[static_cast<std::size_t>(number * rows * cols + i)]);
        part.values[static_cast<std::size_t>(i)] = phase ? std::arg(z) : std::abs(z);
    }
    return part;
}

struct Images {
    std::vector<ResultImage> images = {};

    // `shown` has the planes that pictures are drawn of.
    Status add(std::string const& name, Array<std::complex<float>> const& planes,
               Array<std::complex<float>> const& shown, bool probe, double pixel_nm, index member,
               OutputOptions const& output, std::size_t& at) {
        for (index k = 0; k < planes.shape[0]; ++k)
            for (bool phase : {true, false}) {
                if (images.size() <= at) images.emplace_back();
                ResultImage& image = images[at++];
                image.map.name = fmt::format("{}_{}", name, phase ? "phase" : "amplitude");
                if (planes.shape[0] > 1) image.map.name += fmt::format("_{}", k + 1);
                image.map.unit = phase ? "rad" : probe ? "sqrt(counts)" : "";
                image.style = style_of(pixel_nm, false, output);
                image.style.unit = phase ? "rad" : probe ? "√counts" : "";
                SLUICE_CHECK(stem4d::append_image(image.map, part_of(planes, k, phase).values,
                                                  {planes.shape[1], planes.shape[2]}, member));
                SLUICE_CHECK(stem4d::append_image(image.shown, part_of(shown, k, phase).values,
                                                  {planes.shape[1], planes.shape[2]}, member));
            }
        return {};
    }
};

Json json_of(stem4d::PtychographyResult const& result, stem4d::Patterns const& geometry,
             index patterns) {
    Json rounds = Json::array();
    double seconds = 0;
    for (auto const& round : result.rounds) {
        rounds.push_back(round.r);
        seconds += round.seconds;
    }
    Json descan = Json::array();
    for (auto const& p : result.descan) descan.push_back({p.row, p.col});
    double background = 0;
    for (float b : result.background.values) background += static_cast<double>(b);
    Json likelihoods = Json::array();
    for (auto const likelihood : result.likelihoods) likelihoods.push_back(name_of(likelihood));
    return {{"r", rounds},
            {"descan", descan},
            {"background_counts", background},
            {"slice_nm", result.slice_nm},
            {"tilt_mrad", {result.tilt_row_mrad, result.tilt_col_mrad}},
            {"r_intensity", result.rounds.back().r_intensity},
            {"likelihoods", likelihoods},
            {"poisson_floor", result.floor},
            {"mode_powers", result.mode_powers},
            {"pixel_nm", geometry.pixel_nm},
            {"wavelength_nm", geometry.wavelength_nm},
            {"pattern_size", geometry.size},
            {"memory_bytes", result.memory},
            {"iteration_seconds", seconds},
            {"patterns_per_second",
             static_cast<double>(patterns * std::ssize(result.rounds)) / seconds}};
}

// All that is known of the patterns when they were given away.
struct Geometry {
    index count = 0;
    stem4d::Patterns patterns;
};

Status save_result(Command& c, stem4d::PtychographyResult const& result, Geometry const& geometry,
                   Provenance const& provenance, Ranks& ranks, index member, JobReport& r) {
    if (!c.saves_result || !ranks.speaks()) return {};
    index const members = r.json["series"].get<index>();
    std::string const path = figure_path(c.job, "ptychography", member, members) + ".h5";
    Step const step(c.job.trace.get(), Phase::write, 0);
    SLUICE_CHECK(stem4d::save_ptychography(
        path, result, geometry.patterns.pixel_nm, geometry.patterns.wavelength_nm,
        stem4d::all_settings(c.options, result.likelihoods), provenance));
    r.files.push_back(path);
    return {};
}

// The object in pictures, or everywhere, without the ramp that its phase has with the probe.
Status add_images(Command& c, stem4d::PtychographyResult& result, double pixel, index member,
                  JobReport& r, Images& images) {
    auto flat = result;
    SLUICE_TRY(auto const ramp, stem4d::remove_ramp(flat));
    r.notes.push_back(fmt::format(
        "a ramp of ({:.4g}, {:.4g}) rad per pixel is taken off {}", ramp.row, ramp.col,
        !c.remove_ramp                ? "the object in pictures, and stays in arrays"
        : result.object.shape[0] == 1 ? "the object and given to the probe; patterns stay as they "
                                        "are"
                                      : "the object"));
    if (c.remove_ramp) result = flat;
    std::size_t at = 0;
    SLUICE_CHECK(
        images.add("object", result.object, flat.object, false, pixel, member, c.job.output, at));
    return images.add("probe", result.probe, result.probe, true, pixel, member, c.job.output, at);
}

// `scan` is null where a file of patterns was given.
Status reconstruct(Command& c, stem4d::Patterns patterns, Scan const* scan, Device const& device,
                   Provenance const& provenance, Ranks& ranks, index member, JobReport& r,
                   Images& images) {
    bool const keeps = !c.options.checkpoint.empty() || !c.options.resume.empty();
    if ((keeps || !c.start.file.empty()) && r.json["series"].get<index>() > 1)
        return Error{Code::invalid_argument,
                     fmt::format("a {} is that of one scan (and there are several) reconstruct one "
                                 "after the other",
                                 keeps ? "checkpoint" : "result to start with")};
    if (!c.start.file.empty() && c.probe.any())
        return Error{Code::invalid_argument,
                     "--start and --semiangle or --vacuum both say what the probe begins as; give "
                     "one of them"};
    c.options.communicator = ranks.communicator();
    SLUICE_CHECK(c.probe.choose(patterns, c.job.data, ranks, c.options, r.notes));
    auto const& vacuum = c.probe.optics.vacuum;
    if (scan && vacuum.size() > 0 && !std::ranges::equal(vacuum.shape, scan->detector_shape()))
        r.notes.push_back(
            fmt::format("the vacuum image has {}x{} pixels and the detector {}x{}: its pixels are "
                        "taken to be as large as the detector's",
                        vacuum.shape[0], vacuum.shape[1], scan->detector_shape()[0],
                        scan->detector_shape()[1]));
    SLUICE_CHECK(c.start.choose(patterns, ranks, c.options, r.notes));
    Geometry geometry{.count = patterns.count(), .patterns = {}};
    SLUICE_TRY(auto const grid, stem4d::ptychography_grid(patterns, c.options));
    geometry.patterns.size = patterns.size;
    geometry.patterns.pixel_nm = grid.pixel_nm;
    geometry.patterns.wavelength_nm = patterns.wavelength_nm;
    c.options.device = device;
    c.options.trace = c.job.trace.get();
    SLUICE_TRY(std::uint64_t const bytes, stem4d::ptychography_memory(patterns, c.options));
    if (c.plan) {
        std::uint64_t const limit =
            c.options.memory_limit ? c.options.memory_limit : memory_available();
        r.json["plan"].push_back({{"patterns", geometry.count},
                                  {"pattern_size", patterns.size},
                                  {"pixel_nm", grid.pixel_nm},
                                  {"memory_bytes", bytes},
                                  {"memory_limit", limit},
                                  {"fits", bytes <= limit}});
        return {};
    }
    ProgressBar bar("reconstruct", ProgressBar::Counts::patterns);
    c.options.progress = bar.callback();
    SearchInput input{patterns, &c.file, c.options, provenance, member, bar};
    stem4d::PatternsOptions turned = c.patterns;
    if (scan) {
        auto const turn = ptycho::turn_of(*scan, c.patterns);
        turned.rotation_degrees = turn.degrees;
        turned.transpose = turn.transpose;
        input.geometry = &turned;
    }
    if (c.search.instead()) return search(c.search, input, c.job, r);
    if (!c.search.frc.empty()) SLUICE_CHECK(report_halves(c.search, input, r));
    std::string const source = scan ? scan->dataset().path : c.job.data.paths.front();
    c.watched->watch(std::filesystem::path(source).filename().string(), patterns, c.options);
    stem4d::Patterns part;
    if (ranks.count() == 1) {
        SLUICE_TRY(part, stem4d::part_to_try(patterns, c.options));
    }
    auto found = stem4d::ptychography(std::move(patterns), c.options);
    bar.clear();
    c.watched->finish(found);
    SLUICE_TRY(auto result, std::move(found));
    if (part.count() > 0) explain_misfit(result, part, input);
    r.notes.insert(r.notes.end(), result.notes.begin(), result.notes.end());
    double const pixel = geometry.patterns.pixel_nm;
    r.notes.push_back(fmt::format("R {:.4f} after {} iterations; counting alone leaves {:.4f}{}",
                                  result.rounds.back().r, result.rounds.size(), result.floor,
                                  pixel > 0 ? fmt::format("; a pixel is {:.5f} nm", pixel) : ""));
    r.json["reconstruction"].push_back(json_of(result, geometry.patterns, geometry.count));
    r.json["reconstruction"].back()["findings"] = findings_json(result);
    SLUICE_CHECK(add_images(c, result, pixel, member, r, images));
    return save_result(c, result, geometry, provenance, ranks, member, r);
}

// This rank's patterns.
Result<stem4d::Patterns> read_part(Command& c, Scan const& scan, Ranks& ranks, JobReport& r) {
    c.patterns.trace = c.job.trace.get();
    c.patterns.part = ranks.rank();
    c.patterns.parts = ranks.count();
    auto patterns = stem4d::patterns_of(scan, c.patterns, &r.notes);
    SLUICE_CHECK(ranks.agree(patterns ? Status{} : patterns.error()));
    return patterns;
}

// Of a far field: its patterns are cut about the direct beam.
Result<stem4d::Patterns> read_far_field(Command& c, Scan const& scan,
                                        stem4d::Options const& options, Ranks& ranks, index member,
                                        JobReport& r) {
    SLUICE_TRY(auto const disk, disk_of(scan, options, ranks, r, member));
    c.patterns.center = stem4d::Position{disk.center.row, disk.center.col};
    SLUICE_TRY(auto patterns, read_part(c, scan, ranks, r));
    compare_aperture(c, patterns, disk, r);
    return patterns;
}

Status reconstruct_scan(Command& c, Scan const& scan, stem4d::Options const& options, Ranks& ranks,
                        index member, JobReport& r, Images& images) {
    if (!(c.patterns.kilovolts > 0 || c.patterns.wavelength_nm > 0 || scan.dataset().energy_kv > 0))
        return Error{Code::invalid_argument,
                     "the electrons' energy is not known (it sets the pixel of the object) give "
                     "it with --energy, in kV, or --wavelength-nm"};
    SLUICE_CHECK(ranks.agree({}));  // that every rank has the scan
    c.patterns.propagation = c.options.propagation;
    bool const near = c.options.propagation == stem4d::Propagation::near;
    SLUICE_TRY(auto patterns, near ? read_part(c, scan, ranks, r)
                                   : read_far_field(c, scan, options, ranks, member, r));
    return reconstruct(c, std::move(patterns), &scan, options.device, provenance_of(scan, {}),
                       ranks, member, r, images);
}

// As many modes of the file's probe as there are to be.
void take_probe(stem4d::PatternFile& file, stem4d::PtychographyOptions& options,
                std::vector<std::string>& notes) {
    index const area = file.patterns.size * file.patterns.size;
    index const stored = std::ssize(file.probe) / area;
    if (stored > options.modes) {
        notes.push_back(fmt::format(
            "the file's probe has {} modes, and {} begin{} the reconstruction (--modes {} takes "
            "all)",
            stored, options.modes == 1 ? "the first one" : fmt::format("{}", options.modes),
            options.modes == 1 ? "s" : "", stored));
        file.probe.resize(static_cast<std::size_t>(std::max<index>(options.modes, 0) * area));
    }
    options.probe = std::move(file.probe);
}

// A file of patterns says itself what of a scan has to be told.
Result<JobReport> reconstruct_file(Command& c, Ranks& ranks, Images& images) {
    double const start = now();
    for (auto const& [given, option] :
         {std::pair(!c.positions.empty(), "--positions"),
          std::pair(c.patterns.scan_step_nm > 0, "--scan-step-nm"),
          std::pair(c.patterns.rotation_degrees.has_value(), "--rotation")})
        if (given)
            return Error{Code::invalid_argument,
                         fmt::format("{} is for scans (a file of patterns has its positions) leave "
                                     "it out",
                                     option)};
    SLUICE_CHECK(make_folder(c.job.output.folder));
    SLUICE_TRY(Device const device, c.job.data.chosen_device());
    SLUICE_TRY(c.file.trace, c.job.trace.on(device.threads()));
    c.file.size = c.patterns.size;
    c.file.kilovolts = c.patterns.kilovolts;
    c.file.wavelength_nm = c.patterns.wavelength_nm;
    c.file.detector_step_mrad = c.job.data.detector_step_mrad;
    c.file.detector_pixel_um = c.patterns.detector_pixel_um;
    c.file.propagation = c.options.propagation;
    c.file.transpose = c.transpose;
    if (!c.job.disk.empty()) {
        SLUICE_TRY(auto const disk, parse_disk(c.job.disk));
        c.file.center = stem4d::Position{disk.center.row, disk.center.col};
    }
    std::string const& path = c.job.data.paths.front();
    JobReport report;
    report.json["series"] = 1;
    report.provenance = provenance_of({path});
    ProgressBar bar("reading");
    c.file.progress = bar.callback();
    auto read = stem4d::read_patterns(path, c.file, &report.notes);
    bar.clear();
    SLUICE_CHECK(ranks.agree(read ? Status{} : read.error()));
    stem4d::PatternFile& file = *read;
    take_probe(file, c.options, report.notes);
    report.json["members"].push_back(
        {{"source", path}, {"format", file.format}, {"patterns", file.patterns.count()}});
    SLUICE_CHECK(reconstruct(c, std::move(file.patterns), nullptr, device, *report.provenance,
                             ranks, 0, report, images));
    report.json["seconds"] = now() - start;
    return report;
}

Result<JobReport> reconstruct_all(Command& c, Ranks& ranks, Images& images) {
    auto const& paths = c.job.data.paths;
    if (paths.size() == 1 && stem4d::holds_patterns(paths.front()))
        return reconstruct_file(c, ranks, images);
    if (std::ranges::any_of(paths, stem4d::holds_patterns))
        return Error{Code::invalid_argument,
                     "a file of patterns is reconstructed alone (and there are several paths) run "
                     "one after the other"};
    if (c.file.flip_rows || c.file.flip_cols)
        return Error{Code::invalid_argument,
                     "--flip-rows and --flip-cols are for files of patterns; a scan has --rotation "
                     "and --transpose"};
    return for_each_scan(
        c.job, [&](Scan const& scan, stem4d::Options const& options, index member, JobReport& r) {
            return reconstruct_scan(c, scan, options, ranks, member, r, images);
        });
}

Status print_plan(Json const& plan, bool json) {
    if (json) {
        fmt::print("{}\n", text_of(Json{{"plan", plan}}));
        return {};
    }
    for (Json const& member : plan)
        fmt::print(
            "{} patterns of {} pixels a side, {:.5f} nm each on the object, {:.1f} MB beyond "
            "the patterns: {} ({:.1f} MB are there)\n",
            member["patterns"].get<index>(), member["pattern_size"].get<index>(),
            member["pixel_nm"].get<double>(), member["memory_bytes"].get<double>() * 1e-6,
            member["fits"].get<bool>() ? "it fits" : "too much",
            member["memory_limit"].get<double>() * 1e-6);
    return {};
}

Status run_watched(Command& c, Ranks& ranks) {
    SLUICE_CHECK(read_settings(c));
    if (c.transpose) c.patterns.transpose = true;
    if (c.options.propagation == stem4d::Propagation::near && !c.job.disk.empty())
        return Error{Code::invalid_argument,
                     "--disk is the direct beam of far fields (a near field is an image, cut about "
                     "the detector's middle) leave it out"};
    if (ranks.count() > 1) {
        // A rank keeps its patterns only, and has its part of the processors.
        c.job.data.stream = true;
        if (c.job.data.threads == 0) c.job.data.threads = threads_of_rank();
        c.job.warns = ranks.speaks();
    }
    if (!c.positions.empty()) {
        SLUICE_TRY(c.patterns.positions, read_positions(c.positions));
    }
    // One file has all of a result.
    c.saves_result = std::erase(c.job.output.formats, "hdf5") > 0;
    Images images;
    SLUICE_TRY(JobReport report, reconstruct_all(c, ranks, images));
    if (!ranks.speaks()) return {};
    if (c.plan) return print_plan(report.json["plan"], c.job.output.json);
    return finish(c.job, "ptychography", images.images, report);
}

Status run(Command& c, Ranks& ranks) {
    // A plan is done before anybody could look at it, and one rank has all that is to be seen.
    if (c.plan || !ranks.speaks()) c.monitor.port = MonitorOptions::none;
    auto monitor = JobMonitor::start(c.monitor);
    SLUICE_CHECK(ranks.agree(monitor ? Status{} : monitor.error()));
    c.watched.emplace(*std::move(monitor));
    Status done = run_watched(c, ranks);
    c.watched->conclude(done);
    return done;
}

void add_geometry(Verb const& app, Command& c) {
    app->add_option("--energy", c.patterns.kilovolts, "of the electrons, in kV [the file's]")
        .check(positive());
    app->add_option("--wavelength-nm", c.patterns.wavelength_nm,
                    "instead of --energy, as of X-rays [the file's]")
        .check(positive());
    app->add_option("--detector-pixel-um", c.patterns.detector_pixel_um,
                    "of near fields (--set propagation=near), instead of the angle: the side of a "
                    "detector pixel as loaded, in um [the file's]")
        .check(positive());
    app->add_option("--scan-step-nm", c.patterns.scan_step_nm,
                    "distance of two scan points as loaded, in nm [the file's]")
        .check(positive());
    app->add_option("--rotation", c.patterns.rotation_degrees,
                    "of the detector against the scan, in degrees, as `center-of-mass --rotation "
                    "auto` finds it [the file's, else 0]");
    app->add_flag("--transpose", c.transpose,
                  "the detector's rows and columns are exchanged before the rotation");
    app->add_flag("--flip-rows", c.file.flip_rows,
                  "of a file of patterns: positions go the other way along rows");
    app->add_flag("--flip-cols", c.file.flip_cols, "the same along columns");
    app->add_option("--positions", c.positions,
                    "an array [frame][2] of rows and columns in pixels of the object, as .npy: "
                    "instead of the raster");
    app->add_option("--size", c.patterns.size,
                    "side of the patterns [the smallest of 64, 128, 192 and 256 that holds the "
                    "detector, else its own]")
        .check(in_range(8, 4096));
    c.probe.add(app);
    c.start.add(app);
}

void add_solver(Verb const& app, Command& c) {
    // What a setting's option says behind what the setting is.
    constexpr std::pair<char const*, char const*> options[] = {
        {"solver", "[lsqml]"},
        {"iterations", "[20]"},
        {"group",
         "[a fiftieth of the patterns for epie, rpie and mpie, else a fifth; for lsqml 100 or a "
         "hundredth at most]"},
        {"likelihood", "[auto]"},
        {"modes", "[1]"},
        {"slices", "[1]"},
        {"slice_nm", ""},
        {"probe_from", "[2]"},
        {"object_step", ""},
        {"probe_step", ""},
        {"margin", "[8]"},
        {"seed", "[0]"}};
    auto const what_is = [](std::string const& name) {
        for (auto const& setting : stem4d::ptychography_settings())
            if (setting.name == name) return setting.what;
        return std::string();
    };
    for (auto const& [name, usual] : options) {
        std::string option = name;
        std::replace(option.begin(), option.end(), '_', '-');
        app->add_option("--" + option, c.given[name], what_is(name) + " " + usual);
    }
    app->add_flag("--refine-positions", c.refine_positions, what_is("refine_positions"));
    app->add_flag("--whole-pixels", c.whole_pixels,
                  "round positions instead of moving the probe by parts of a pixel");
    app->add_flag("--fix-probe", c.fix_probe, what_is("fix_probe"));
    app->add_flag("--stop-early", c.stop_early, what_is("stop_early"));
    app->add_option("--config", c.config,
                    "a TOML file with settings and a [[stage]] for each stage; options of the "
                    "command line are given to all its stages");
    app->add_option("--set", c.set, "NAME=VALUE: any other setting, of all stages; see below")
        .one_each();
    app->add_flag("--remove-ramp", c.remove_ramp,
                  "take the phase's ramp off the object's arrays too, and give it to the probe");
    app->add_option("--checkpoint", c.options.checkpoint,
                    "a file that always has the newest state, whole, whatever stops the work");
    app->add_option("--resume", c.options.resume,
                    "a checkpoint to go on from, with the same bits as without interruption");
    c.monitor.add(app);
    app->add_flag("--plan", c.plan, "say what it would take, and do nothing");
}

std::string settings_help() {
    std::string text = "\n\nSettings, for --set and TOML files (*: of a stage):\n";
    for (auto const& setting : stem4d::ptychography_settings())
        text +=
            fmt::format("  {}{:<24}{}\n", setting.of_stage ? '*' : ' ', setting.name, setting.what);
    return text;
}

}  // namespace

void add_ptychography(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand("ptychography", "object and probe out of all patterns");
    auto const c = std::make_shared<Command>();
    c->job.add(*app);
    add_geometry(app, *c);
    add_solver(app, *c);
    c->search.add(app);
    app->footer(
        std::string(
            "Examples:\n"
            "  sluice stem4d ptychography scan_master.h5 --energy 300 --semiangle 21 --defocus 10 "
            "--out "
            "ptychography\n"
            "  sluice stem4d ptychography scan_master.h5 --energy 80 --modes 4 --iterations 50 "
            "--refine-positions --out ptychography\n"
            "  sluice stem4d ptychography scan.npy --energy 300 --detector-step-mrad 0.8 "
            "--scan-step-nm 0.04 "
            "--solver epie --group 1 --out ptychography --json\n"
            "  sluice stem4d ptychography scan_master.h5 --energy 300 --config stages.toml --set "
            "momentum=0.9 --out ptychography\n"
            "  sluice stem4d ptychography scan.cxi --checkpoint state.h5 --out ptychography "
            "--format hdf5,png\n"
            "  sluice stem4d ptychography scan.cxi --start ptychography/ptychography.h5 --modes 4 "
            "--iterations 50 --out modes") +
        settings_help());
    app->callback([c, &exit_code] {
        exit_code = run_on_ranks([c](Ranks& ranks) { return run(*c, ranks); });
    });
}

}  // namespace sluice::cli
