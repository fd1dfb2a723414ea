// NPY, raw with a description beside it, and Merlin's MIB.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "domain/conversion/flat_target.h"
#include "format/mib/mib.h"
#include "format/npy/npy.h"
#include "format/raw/side_car.h"
#include "save/npy_header.h"

namespace sluice::conversion {
namespace {

std::string descr_of(DType t) {
    char const kind = t == DType::f32 ? 'f' : 'u';
    return fmt::format("'{}{}{}'", size_of(t) == 1 ? '|' : '<', kind, size_of(t));
}

// 384 bytes, as the readout of one chip writes them; the acquisition time is not known.
std::string mib_header(Dataset const& d, index frame) {
    std::string text = fmt::format(
        "MQ1,{:06},00384,01,{:04},{:04},U{:02},{:>6},01,1970-01-01 00:00:00.000000,{:.6f},0,0,0",
        frame + 1, d.cols, d.rows, 8 * size_of(d.dtype), "1x1", d.dwell_s);
    text.resize(384, '\0');
    return text;
}

std::string hdr_text(Dataset const& d) {
    return fmt::format(
        "HDR,\t\nFrames in Acquisition (Number):\t{}\nFrames per Trigger "
        "(Number):\t{}\nScanX:\t{}\n"
        "ScanY:\t{}\nEnd\t",
        d.frames, d.scan[1], d.scan[1], d.scan[0]);
}

std::string with_ending(std::string const& path, std::string const& ending) {
    return std::filesystem::path(path).replace_extension(ending).string();
}

}  // namespace

Result<std::unique_ptr<Target>> npy_target(Wish const& wish, Places const& places) {
    auto const shape = wish.shape();
    FlatForm form;
    form.beginning = save::npy_header(descr_of(wish.like.dtype), {shape.begin(), shape.end()});
    form.reopen = [](std::string const& part) { return npy::open(part, {}); };
    return flat_target(wish, places, std::move(form));
}

Result<std::unique_ptr<Target>> raw_target(Wish const& wish, Places const& places) {
    FlatForm form;
    std::string const car = raw::side_car_of(places.path);
    form.beside = {{car, raw::side_car(wish.like)}};
    form.reopen = [car](std::string const& part) {
        return raw::open_described(part, car + ".part");
    };
    return flat_target(wish, places, std::move(form));
}

Result<std::unique_ptr<Target>> mib_target(Wish const& wish, Places const& places) {
    Dataset const& d = wish.like;
    if (d.dtype == DType::f32)
        return Error{Code::unsupported,
                     "MIB holds counts (uint8, uint16, uint32), and these values are float32; "
                     "choose another format",
                     places.path};
    if (d.rows > 9999 || d.cols > 9999 || d.frames > 999999)
        return Error{Code::unsupported,
                     fmt::format("{} frames of {}x{} pixels (headers of MIB have room for 999999 "
                                 "frames of 9999x9999) choose another format",
                                 d.frames, d.rows, d.cols),
                     places.path};
    FlatForm form;
    form.header_bytes = 384;
    form.header = [d](index frame) { return mib_header(d, frame); };
    form.big_endian = true;
    form.beside = {{with_ending(places.path, ".hdr"), hdr_text(d)}};
    form.notes = {"the headers of the frames say 1970 as the time of acquisition"};
    // Under its temporary name it has no HDR beside it.
    form.reopen = [d](std::string const& part) {
        OpenOptions options;
        options.scan_shape = d.scan;
        return mib::open(part, options);
    };
    return flat_target(wish, places, std::move(form));
}

}  // namespace sluice::conversion
