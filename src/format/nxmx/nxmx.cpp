// Opening DECTRIS acquisitions, of the legacy format and of the format 2024.2.
// SPDX-License-Identifier: Apache-2.0
#include "format/nxmx/nxmx.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "format/calibration.h"
#include "format/described.h"
#include "format/hdf5/hdf5.h"
#include "format/nxmx/detector.h"
#include "format/nxmx/master.h"
#include "format/nxmx/recording_master.h"
#include "format/nxmx/recording_reader.h"
#include "format/while_written.h"

namespace sluice::nxmx {
namespace {

using namespace hdf5;

constexpr char const* data_path = "/entry/data/data";

/// Frames and what they are, from either format.
struct Opened {
    LegacyFrames frames;
    std::string channel = {};
    index announced = 0;                ///< frames the dataset has room for; 0: it does not say
    std::optional<ScanGrid> grid = {};  ///< of a dataset of 4 dimensions without channels
};

/// Whether the second of 4 dimensions is the channel, as in the format 2024.2: the file names its
/// channels, or announces as many images as the first dimension has.
Result<bool> has_channels(Values& file, StoredDataset const& d, std::size_t names) {
    if (d.rank() != 4) return false;
    auto const expected = static_cast<std::uint64_t>(expected_frames(file));
    if (names == d.extent[1] || d.extent[1] == 1 || expected == d.extent[0]) return true;
    if (expected == d.extent[0] * d.extent[1]) return false;
    return Error{Code::invalid_argument,
                 fmt::format("{} has the shape {} and the file does not say whether its second "
                             "dimension is the scan's or the channel; use --dataset {} for a scan "
                             "(with --axis-order for another order), or --channel NUMBER",
                             data_path, shape_text(d.extent), data_path),
                 d.file};
}

Result<index> channel_number(std::string const& wanted, std::vector<std::string> const& names,
                             index channels) {
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == wanted) return static_cast<index>(i);
    index number = -1;
    auto const [end, e] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
    bool const whole = e == std::errc{} && end == wanted.data() + wanted.size();
    if (whole && number >= 0 && number < channels) return number;
    return Error{
        Code::invalid_argument,
        fmt::format("there is no channel {}; --channel takes a number from 0 to {}{}{}", wanted,
                    channels - 1, names.empty() ? "" : " or one of ", listed(names))};
}

/// One dataset for all frames: the format 2024.2, or a writer told to make no data files.
Result<Opened> open_whole(Values& file, std::string const& wanted, Opening& opening) {
    SLUICE_TRY(StoredDataset const d, describe(file.root(), data_path));
    if (d.rank() > 4)
        return Error{Code::unsupported,
                     fmt::format("{} has the shape {} (3 or 4 dimensions are read)", data_path,
                                 shape_text(d.extent)),
                     d.file};
    auto const names = file.texts("/entry/data/channel");
    bool by_channel = d.rank() == 4 && !wanted.empty();
    if (!by_channel) {
        SLUICE_TRY(by_channel, has_channels(file, d, names.size()));
    }
    index const channels = by_channel ? static_cast<index>(d.extent[1]) : 1;
    Opened o;
    if (d.rank() == 4 && !by_channel)
        o.grid = ScanGrid{static_cast<index>(d.extent[0]), static_cast<index>(d.extent[1])};
    index number = 0;
    if (!wanted.empty()) {
        SLUICE_TRY(number, channel_number(wanted, names, channels));
    }
    bool const named = static_cast<std::size_t>(number) < names.size();
    o.channel = named ? names[static_cast<std::size_t>(number)] : std::to_string(number);
    if (channels > 1 && wanted.empty())
        opening.notes.push_back(
            fmt::format("channel {} of {} ({}) is read; choose another with "
                        "--channel",
                        o.channel, channels, names.empty() ? "not named" : listed(names)));
    o.announced = channels > 0 ? d.frames() / channels : 0;
    note_growth(d);
    SLUICE_TRY(o.frames.parts, frames_of(d, {number, channels, o.announced}, opening));
    o.frames.dtype = d.dtype;
    o.frames.rows = d.rows();
    o.frames.cols = d.cols();
    o.frames.stored_type = d.stored_type;
    // A virtual dataset has no filters of its own; its sources' are theirs.
    o.frames.filters = d.storage == Storage::mapped ? "those of the data files" : filter_names(d);
    return o;
}

Result<Opened> open_frames(Values& file, std::string const& path, std::string const& channel,
                           Opening& opening) {
    SLUICE_TRY(auto const whole, file.root().find(data_path));
    if (whole && whole->is_dataset()) return open_whole(file, channel, opening);
    SLUICE_TRY(auto const links, data_links(file.root()));
    if (links.empty())
        return Error{Code::corrupt,
                     "links to no data files (/entry/data has neither data nor data_NNNNNN); is "
                     "it the master of an aborted acquisition?",
                     path};
    if (!channel.empty()) {
        SLUICE_TRY([[maybe_unused]] index const only,
                   channel_number(channel, file.texts("/entry/data/channel"), 1));
    }
    Opened o;
    SLUICE_TRY(o.frames, open_data_files(file.root(), path, opening));
    return o;
}

ScanQuery scan_query(Opened const& o, Detector const& detector,
                     std::optional<Companion> const& companion, OpenOptions const& options) {
    ScanQuery q;
    q.present = o.frames.parts.present();
    q.holes = o.frames.parts.holes();
    q.expected = std::max(detector.expected_frames, o.announced);
    q.user = options.scan_shape;
    q.allow_incomplete = options.allow_incomplete;
    q.fill_is_no_count = o.frames.parts.fill_is_no_count(o.frames.dtype, detector.mask_applied);
    if (companion) q.companion = companion->scan;
    return q;
}

/// The detector's energy was set by hand, as the microscope's was not.
void take_energy(Dataset& d, Companion const& c) {
    if (d.energy_kv > 0 && c.energy_kv > 0 && std::abs(d.energy_kv / c.energy_kv - 1) > 0.01)
        add_note(d.notes, fmt::format("the detector says an energy of {:g} kV and the companion "
                                      "file {:g} kV: the detector's is taken",
                                      d.energy_kv, c.energy_kv));
    if (!(d.energy_kv > 0)) d.energy_kv = c.energy_kv;
}

void add_companion(Dataset& d, Companion& c, double pixel_m) {
    d.files.push_back(c.file);
    d.scan_step_nm = c.scan_step_nm;
    d.camera_length_mm = c.camera_length_m * 1e3;
    take_energy(d, c);
    std::ranges::move(c.metadata, std::back_inserter(d.metadata));
    for (std::string& n : c.notes) add_note(d.notes, std::move(n));
    if (c.camera_length_m > 0 && pixel_m > 0) {
        d.detector_step_mrad = std::atan(pixel_m / c.camera_length_m) * 1000;
        d.notes.push_back(
            fmt::format("the angle of a detector pixel, {:.4g} mrad, is from the "
                        "nominal camera length",
                        d.detector_step_mrad));
    }
}

void add_detector(Dataset& d, Detector& detector) {
    d.metadata = std::move(detector.metadata);
    d.saturation = detector.saturation;
    d.sentinel = detector.mask_applied && d.dtype != DType::f32;
    d.dwell_s = detector.frame_time_s;
    d.energy_kv = detector.energy_kv;
    for (std::string& note : detector.notes) add_note(d.notes, std::move(note));
}

Dataset describe_scan(std::string const& path, Opened& o, ScanShape& scan, Opening& opening) {
    Dataset d;
    d.path = path;
    d.format = "nxmx";
    d.files = {path};
    for (std::string const& f : opening.files) add_note(d.files, f);
    d.dtype = o.frames.dtype;
    d.rows = o.frames.rows;
    d.cols = o.frames.cols;
    d.frames = scan.frames;
    d.missing = scan.missing;
    d.missing_runs = std::move(scan.missing_runs);
    d.scan = scan.grid;
    d.scan_from = std::move(scan.from);
    d.notes = std::move(opening.notes);
    for (std::string& n : scan.notes) add_note(d.notes, std::move(n));
    d.warnings = std::move(scan.warnings);
    FrameParts& parts = o.frames.parts;
    d.source = std::make_shared<PartSource>(std::move(parts.parts), std::move(parts.fill));
    return d;
}

/// Hardware binning halves the frames but not the pixel size that is written.
double frame_pixel_m(Values& file, Detector const& detector, Dataset const& d) {
    auto const full = file.count(
        "/entry/instrument/detector/detectorSpecific/"
        "x_pixels_in_detector");
    bool const merged = full && *full == 2 * static_cast<std::uint64_t>(d.cols);
    return detector.pixel_m * (merged ? 2 : 1);
}

/// What a recording says of its images. With another shape they stay in the order in which they
/// came, those of the way back too.
Result<std::optional<RecordedPath>> recorded_path(Values& file, OpenOptions const& options,
                                                  Opening& opening) {
    SLUICE_TRY(auto path, read_recorded_path(file));
    if (!path) return path;
    bool const other = options.scan_shape && *options.scan_shape != path->scan;
    if (other)
        opening.notes.push_back(
            fmt::format("the recording says a scan of {}x{} ({}): that is left out", path->scan[0],
                        path->scan[1], path->words));
    else
        opening.notes.push_back(
            fmt::format("the path of the scan in the recording: {}", path->words));
    if (other) path.reset();
    return path;
}

Result<Dataset> open_master(Values& file, std::string const& path, OpenOptions const& options) {
    Opening opening;
    opening.allow_incomplete = options.allow_incomplete;
    SLUICE_TRY(Opened o,
               open_frames(file, path, options.format.of<NxmxOptions>().channel, opening));
    Detector detector = read_detector(file, o.channel);
    SLUICE_TRY(std::optional<RecordedPath> const recorded, recorded_path(file, options, opening));
    if (recorded && WhileWritten::now()) {
        o.grid = recorded->scan;
    } else if (recorded) {
        o.frames.parts = along_path(o.frames.parts, *recorded);
        o.announced = detector.expected_frames = o.frames.parts.count;
        o.grid = recorded->scan;
    }
    auto companion = read_companion(path);
    ScanQuery query = scan_query(o, detector, companion, options);
    if (WhileWritten* const written = WhileWritten::now(); written && written->shape_grows) {
        query.expected = detector.expected_frames;
        written->shape_grows = query.expected == 0;
        o.grid.reset();
    }
    query.attribute =
        o.grid ? o.grid : grid_of(file.attribute_numbers("/entry/data", "scan_shape"));
    if (o.grid)
        query.attribute_from = recorded ? std::string("recording") : std::string(shape_of_dataset);
    SLUICE_TRY(ScanShape scan, resolve_scan_shape(query));
    Dataset d = describe_scan(path, o, scan, opening);
    double const pixel_m = frame_pixel_m(file, detector, d);
    add_detector(d, detector);
    if (recorded)
        d.metadata.insert(d.metadata.end(), recorded->metadata.begin(), recorded->metadata.end());
    d.detector_pixel_um = ten_digits(pixel_m * 1e6);
    d.metadata.push_back({"stored as", o.frames.stored_type, ""});
    d.metadata.push_back({"filters", o.frames.filters, ""});
    if (!o.channel.empty()) d.metadata.push_back({"channel", o.channel, ""});
    if (companion) add_companion(d, *companion, pixel_m);
    // What a converted scan knew and masters have no place for; nominal lengths say less.
    if (auto const more = file.text(std::string(recording_group) + "/calibration"))
        take_description(*more, d);
    SLUICE_CHECK(read_pixel_mask(file, o.channel, d));
    SLUICE_CHECK(file.status());
    for (std::string const& note : file.notes()) add_note(d.notes, note);
    return d;
}

}  // namespace

bool recognises(std::string_view path, Bytes head) {
    if (!hdf5::recognises(path, head)) return false;
    auto const root = object::Object::open_file(std::string(path));
    if (!root) return false;
    auto const definition = object::read_text(*root, "/entry/definition");
    if (definition && *definition == "NXmx") return true;
    auto const links = data_links(*root);
    return links && !links->empty();
}

Result<Dataset> open(std::string const& path, OpenOptions const& options) {
    bool const one_array = !options.format.of<Hdf5Options>().dataset.empty();
    if (one_array && !options.format.of<NxmxOptions>().channel.empty())
        return Error{Code::invalid_argument,
                     "--channel chooses among the frames of a master, and --dataset names one "
                     "array; give one of them",
                     path};
    if (one_array) return hdf5::open(path, options);
    if (!options.axis_order.empty())
        return Error{Code::invalid_argument,
                     "--axis-order is for one dataset; name it with --dataset, as in --dataset "
                     "/entry/data/data",
                     path};
    SLUICE_TRY(auto const root, object::Object::open_file(path));
    Values values(root);
    auto d = open_master(values, path, options);
    if (!d && d.error().file.empty()) d.error().file = path;
    return d;
}

}  // namespace sluice::nxmx
