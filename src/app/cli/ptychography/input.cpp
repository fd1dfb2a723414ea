// Reads scans and files of patterns, and reconstructs each.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/ptychography/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/cli/ptychography/reconstruct.h"
#include "base/file.h"
#include "domain/ptychography/settings/input_fields.h"
#include "domain/stem4d/parse_places.h"
#include "format/npy/plane.h"
#include "sluice/ptychography_file.h"

namespace sluice::cli {
namespace {

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
void compare_aperture(PtychographyCommand const& c, stem4d::Patterns const& patterns,
                      stem4d::Disk const& disk, JobReport& r) {
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

// This rank's patterns.
Result<stem4d::Patterns> read_part(PtychographyCommand& c, Scan const& scan, Ranks& ranks,
                                   JobReport& r) {
    c.patterns.trace = c.job.data.common.trace.get();
    c.patterns.part = ranks.rank();
    c.patterns.parts = ranks.count();
    auto patterns = stem4d::patterns_of(scan, c.patterns, &r.notes);
    SLUICE_CHECK(ranks.agree(patterns ? Status{} : patterns.error()));
    return patterns;
}

// Of a far field: its patterns are cut about the direct beam.
Result<stem4d::Patterns> read_far_field(PtychographyCommand& c, Scan const& scan,
                                        stem4d::Options const& options, Ranks& ranks, index member,
                                        JobReport& r) {
    SLUICE_TRY(auto const disk, disk_of(scan, options, ranks, r, member));
    c.patterns.center = stem4d::Position{disk.center.row, disk.center.col};
    SLUICE_TRY(auto patterns, read_part(c, scan, ranks, r));
    compare_aperture(c, patterns, disk, r);
    return patterns;
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

Status refuse_options_of_scans(PtychographyCommand const& c) {
    std::vector<std::string> of_scans = DataOptions::names_of_scans();
    of_scans.emplace_back("--positions");
    for (auto const& field : ptycho::pattern_fields())
        if (!config::find_field(ptycho::pattern_file_fields(), field.name))
            of_scans.push_back(option_of(field, c.patterns).name);
    for (Verb::Given const& given : c.all_given)
        if (std::ranges::find(of_scans, given.option) != of_scans.end())
            return Error{Code::invalid_argument,
                         fmt::format("{} is for scans (this is a file of patterns) leave "
                                     "it out",
                                     given.option)};
    return {};
}

// Options that scans and files of patterns share.
Status take_options(PtychographyCommand& c) {
    c.file.size = c.patterns.size;
    c.file.kilovolts = c.patterns.kilovolts;
    c.file.wavelength_nm = c.patterns.wavelength_nm;
    c.file.detector_step_mrad = c.job.data.load.detector_step_mrad;
    c.file.detector_pixel_um = c.patterns.detector_pixel_um;
    c.file.propagation = c.options.propagation;
    c.file.transpose = c.patterns.transpose.value_or(false);
    if (!c.job.disk.empty()) {
        SLUICE_TRY(auto const disk, stem4d::parse_disk(c.job.disk));
        c.file.center = stem4d::Position{disk.center.row, disk.center.col};
    }
    return {};
}

// A file of patterns itself states what the caller must tell of a scan.
Result<JobReport> reconstruct_file(PtychographyCommand& c, Ranks& ranks,
                                   std::vector<ResultImage>& images) {
    double const start = now();
    SLUICE_CHECK(refuse_options_of_scans(c));
    SLUICE_CHECK(make_folder(c.job.output.folder));
    SLUICE_TRY(Device const device, c.job.data.common.chosen_device());
    SLUICE_TRY(c.file.trace, c.job.data.common.trace.on(device.threads()));
    SLUICE_CHECK(take_options(c));
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
    SLUICE_CHECK(reconstruct(c, std::move(file.patterns), {nullptr, device, *report.provenance},
                             ranks, report, images));
    report.json["seconds"] = now() - start;
    return report;
}

}  // namespace

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

Status reconstruct_scan(PtychographyCommand& c, Scan const& scan, stem4d::Options const& options,
                        Ranks& ranks, index member, JobReport& r,
                        std::vector<ResultImage>& images) {
    if (!(c.patterns.kilovolts > 0 || c.patterns.wavelength_nm > 0 || scan.dataset().energy_kv > 0))
        return Error{Code::invalid_argument,
                     "the electrons' energy is not known (it sets the pixel of the object) give "
                     "it with --energy, in kV, or --wavelength-nm"};
    SLUICE_CHECK(ranks.agree({}));  // that every rank has the scan
    c.patterns.propagation = c.options.propagation;
    bool const near = c.options.propagation == stem4d::Propagation::near;
    SLUICE_TRY(auto patterns, near ? read_part(c, scan, ranks, r)
                                   : read_far_field(c, scan, options, ranks, member, r));
    Provenance const provenance = provenance_of(scan, {});
    return reconstruct(c, std::move(patterns), {&scan, options.device, provenance, member}, ranks,
                       r, images);
}

Result<JobReport> reconstruct_all(PtychographyCommand& c, Ranks& ranks,
                                  std::vector<ResultImage>& images) {
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

}  // namespace sluice::cli
