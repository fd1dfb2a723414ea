// Reads the options of commands that read data.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/data_options.h"

#include <fmt/format.h>

#include <charconv>

#include "device/isa.h"
#include "format/npy/plane.h"

namespace sluice::cli {
namespace {

template <class T>
bool parse_whole(std::string_view s, T& v) {
    auto const [end, error] = std::from_chars(s.data(), s.data() + s.size(), v);
    return error == std::errc{} && end == s.data() + s.size();
}

/// "rows,cols" as "10:42,0:64", half open.
Result<std::optional<Region>> parse_region(std::string const& text, std::string_view option) {
    if (text.empty()) return std::optional<Region>{};
    std::string_view const s = text;
    std::size_t const comma = s.find(',');
    index v[4] = {};
    bool good = comma != std::string_view::npos;
    for (int half = 0; good && half < 2; ++half) {
        std::string_view const part = half ? s.substr(comma + 1) : s.substr(0, comma);
        std::size_t const colon = part.find(':');
        good = colon != std::string_view::npos && parse_whole(part.substr(0, colon), v[2 * half]) &&
               parse_whole(part.substr(colon + 1), v[2 * half + 1]);
    }
    for (index bound : v) good = good && bound >= 0 && bound <= index{1} << 40;
    if (!good)
        return Error{
            Code::invalid_argument,
            fmt::format("{} '{}' (not a region); write first and one past the last row and "
                        "column, as in 10:42,0:64",
                        option, text)};
    return std::optional<Region>(Region{v[0], v[2], v[1] - v[0], v[3] - v[2]});
}

}  // namespace

Result<std::array<index, 2>> parse_shape(std::string const& text) {
    std::string_view const s = text;
    std::size_t const x = s.find('x');
    std::array<index, 2> shape{};
    if (x == std::string_view::npos || !parse_whole(s.substr(0, x), shape[0]) ||
        !parse_whole(s.substr(x + 1), shape[1]) || shape[0] < 1 || shape[1] < 1)
        return Error{Code::invalid_argument,
                     fmt::format("'{}' is no shape; write ROWSxCOLUMNS, as in 256x256", text)};
    return shape;
}

void DataOptions::add_opening(Verb const& app) {
    app.add_option("paths", paths,
                   "acquisitions: master files, folders of them, or synthetic:stem4d")
        ->required();
    app.add_option("--scan", scan, "scan shape ROWSxCOLUMNS, when the files do not say");
    app.add_option("--dataset", dataset, "dataset inside an HDF5 file");
    app.add_option("--axis-order", axis_order,
                   "what the array's dimensions are, slowest first, if not "
                   "scan_row,scan_column,detector_row,detector_column");
    app.add_option("--channel", channel, "channel of a multi-threshold file, by name or number");
    app.add_option("--raw-dtype", raw_dtype, "raw files: uint8, uint16, uint32 or float32");
    app.add_option("--raw-frame", raw_frame, "raw files: detector shape ROWSxCOLUMNS");
    app.add_option("--raw-offset", raw_offset, "raw files: bytes before the first frame");
    app.add_flag("--allow-incomplete", allow_incomplete,
                 "open although frames are missing; they read as the file's fill value");
    app.add_flag("--skip-bad", skip_bad,
                 "leave out members of a series that differ or are incomplete");
}

void DataOptions::add_loading(Verb const& app) {
    app.add_option("--scan-region", scan_region,
                   "only these scan points: ROW:ROW,COL:COL, half open");
    app.add_option("--detector-region", detector_region, "only these pixels: ROW:ROW,COL:COL");
    app.add_option("--det-bin", det_bin, "detector binning, or auto for the smallest that fits")
        ->capture_default_str();
    app.add_option("--scan-bin", scan_bin, "scan binning")->capture_default_str();
    app.add_option("--scan-step", scan_step, "read one scan point of NxN: a fast overview")
        ->capture_default_str();
    app.add_option("--bin-mode", bin_mode, "sum (exact counts) or mean (over valid pixels)")
        ->check(one_of({"sum", "mean"}))
        ->capture_default_str();
    app.add_option("--bin-edge", bin_edge,
                   "of the detector: floor (drop what does not fill a bin) or partial")
        ->check(one_of({"floor", "partial"}))
        ->capture_default_str();
    app.add_flag("--no-pixel-mask", no_pixel_mask, "do not use the file's own mask");
    app.add_option("--mask", mask, "NPY file of detector shape: not 0 leaves the pixel out");
    app.add_flag("--hot-pixels", hot_pixels, "look for hot pixels and leave them out");
    app.add_option("--layout", layout, "auto, planes or dense")
        ->check(one_of({"auto", "planes", "dense"}))
        ->capture_default_str();
    app.add_flag("--stream", stream, "do not load: read the files for every analysis");
    app.add_option("--memory-limit", memory,
                   "memory to use at most, as in 500M or 4G [60 % of what is free]");
}

void DataOptions::add_device(Verb const& app) {
    app.add_option("--device", device,
                   "cpu, reference, cuda, best, or an instruction set as cpu:avx2")
        ->capture_default_str();
    app.add_option("--threads", threads, "threads [one per processor]")->check(in_range(0, 1024));
}

void DataOptions::add_detector_step(Verb const& app) {
    app.add_option("--detector-step-mrad", detector_step_mrad,
                   "angle of a detector pixel as loaded, in mrad [the file's]")
        .check(positive());
}

Result<OpenOptions> DataOptions::open_options() const {
    SLUICE_CHECK(check_isa_wish());
    OpenOptions options;
    options.allow_incomplete = allow_incomplete;
    options.dataset = dataset;
    options.channel = channel;
    options.axis_order = axis_order;
    options.raw_dtype = raw_dtype;
    options.raw_offset = raw_offset;
    if (!scan.empty()) {
        SLUICE_TRY(options.scan_shape, parse_shape(scan));
    }
    if (!raw_frame.empty()) {
        SLUICE_TRY(options.raw_frame, parse_shape(raw_frame));
    }
    return options;
}

Result<Series> DataOptions::open() const {
    SeriesOptions options;
    options.skip_bad = skip_bad;
    SLUICE_TRY(options.open, open_options());
    return open_series(paths, options);
}

Result<Device> DataOptions::chosen_device() const {
    return Device::named(device, threads);
}

Result<LoadOptions> DataOptions::load_options(index members) const {
    LoadOptions o;
    SLUICE_TRY(o.scan_region, parse_region(scan_region, "--scan-region"));
    SLUICE_TRY(o.detector_region, parse_region(detector_region, "--detector-region"));
    o.det_bin = 0;
    if (det_bin != "auto" && (!parse_whole(std::string_view(det_bin), o.det_bin) || o.det_bin < 1))
        return Error{
            Code::invalid_argument,
            fmt::format("--det-bin '{}' (must be a whole number from 1, or auto)", det_bin)};
    o.scan_bin = scan_bin;
    o.scan_step = scan_step;
    o.bin_mode = bin_mode == "mean" ? BinMode::mean : BinMode::sum;
    o.bin_edge = bin_edge == "partial" ? BinEdge::partial : BinEdge::floor;
    o.pixel_mask = !no_pixel_mask;
    o.hot_pixels = hot_pixels;
    o.detector_step_mrad = detector_step_mrad;
    o.layout = layout == "planes"  ? Layout::planes
               : layout == "dense" ? Layout::dense
                                   : Layout::automatic;
    o.residency = stream ? Residency::stream : Residency::automatic;
    o.share = members;
    if (!memory.empty()) {
        SLUICE_TRY(o.memory, parse_bytes(memory));
    }
    if (!mask.empty()) {
        SLUICE_TRY(Array<float> const plane, npy::load_plane(mask));
        o.user_mask.shape = plane.shape;
        for (float v : plane.values) o.user_mask.values.push_back(v != 0);
    }
    // Loading is the processor's work whatever device the analysis runs on.
    SLUICE_TRY(Device const chosen, chosen_device());
    o.device = chosen.host(threads);
    return o;
}

}  // namespace sluice::cli
