// save_tiff of elements of any type: gray or colour, uncompressed strips.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include "base/file.h"
#include "save/provenance.h"
#include "save/tiff_common.h"
#include "sluice/save.h"

namespace sluice {
namespace {

struct Layout {
    std::uint32_t rows = 0, cols = 0;
    std::uint16_t samples = 1, bits = 8, format = SAMPLEFORMAT_UINT;
    std::uint64_t row_bytes() const { return std::uint64_t{cols} * samples * bits / 8; }
};

bool set_fields(TIFF* t, Layout const& l, std::uint32_t strip_rows, std::string const& text) {
    bool good = TIFFSetField(t, TIFFTAG_IMAGEWIDTH, l.cols) &&
                TIFFSetField(t, TIFFTAG_IMAGELENGTH, l.rows) &&
                TIFFSetField(t, TIFFTAG_SAMPLESPERPIXEL, l.samples) &&
                TIFFSetField(t, TIFFTAG_BITSPERSAMPLE, l.bits) &&
                TIFFSetField(t, TIFFTAG_SAMPLEFORMAT, l.format) &&
                TIFFSetField(t, TIFFTAG_PHOTOMETRIC,
                             l.samples == 1 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB) &&
                TIFFSetField(t, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) &&
                TIFFSetField(t, TIFFTAG_COMPRESSION, COMPRESSION_NONE) &&
                TIFFSetField(t, TIFFTAG_ROWSPERSTRIP, strip_rows) &&
                TIFFSetField(t, TIFFTAG_SOFTWARE, "sluice") &&
                TIFFSetField(t, TIFFTAG_IMAGEDESCRIPTION, text.c_str());
    std::uint16_t const alpha[] = {EXTRASAMPLE_UNASSALPHA};
    if (l.samples == 4) good = good && TIFFSetField(t, TIFFTAG_EXTRASAMPLES, 1, alpha);
    return good;
}

bool write_page(TIFF* t, std::byte const* pixels, Layout const& l, std::string const& text) {
    constexpr std::uint64_t strip_bytes = 1 << 18;
    auto const strip_rows = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(strip_bytes / l.row_bytes(), 1, l.rows));
    bool good = set_fields(t, l, strip_rows, text);
    std::vector<std::byte> strip;  // libtiff may swap the bytes of its argument, so it gets a copy
    for (std::uint32_t row = 0, i = 0; good && row < l.rows; row += strip_rows, ++i) {
        std::byte const* const from = pixels + row * l.row_bytes();
        strip.assign(from, from + std::min(strip_rows, l.rows - row) * l.row_bytes());
        auto const bytes = static_cast<tmsize_t>(strip.size());
        good = TIFFWriteEncodedStrip(t, i, strip.data(), bytes) == bytes;
    }
    return good && TIFFWriteDirectory(t);
}

Result<Layout> layout_of(std::string const& path, Elements const& a) {
    constexpr index most = std::numeric_limits<std::int32_t>::max();
    std::size_t const n = a.shape.size();
    expects(n >= 3);
    index const rows = a.shape[n - 3], cols = a.shape[n - 2], samples = a.shape[n - 1];
    bool const whole = rows >= 1 && cols >= 1 && rows <= most && cols <= most / 32;
    if (!whole || a.dtype == DType::c64)
        return Error{Code::invalid_argument,
                     fmt::format("cannot save {} x {} pixels of {} as TIFF (beyond the format) "
                                 "save NPY instead",
                                 rows, cols, name_of(a.dtype)),
                     path};
    Layout l;
    l.rows = static_cast<std::uint32_t>(rows);
    l.cols = static_cast<std::uint32_t>(cols);
    l.samples = static_cast<std::uint16_t>(samples);
    l.bits = static_cast<std::uint16_t>(8 * size_of(a.dtype));
    if (a.dtype == DType::i32) l.format = SAMPLEFORMAT_INT;
    if (a.dtype == DType::f32 || a.dtype == DType::f64) l.format = SAMPLEFORMAT_IEEEFP;
    return l;
}

}  // namespace

Status save_tiff(std::string const& path, Elements const& pages, Provenance const& provenance) {
    SLUICE_TRY(Layout const l, layout_of(path, pages));
    SLUICE_TRY(NewFile file, NewFile::create(path));
    constexpr std::uint64_t classic_limit = std::uint64_t{2} << 30;
    std::string message;
    errno = 0;
    save::Tiff tiff =
        save::open_tiff(file.temporary(), pages.bytes.size() > classic_limit, message);
    std::string const text = save::json_of(provenance);
    std::uint64_t const page_bytes = l.rows * l.row_bytes();
    bool good = tiff != nullptr;
    for (std::uint64_t at = 0; good && at + page_bytes <= pages.bytes.size(); at += page_bytes)
        good = write_page(tiff.get(), pages.bytes.data() + at, l, at == 0 ? text : "{}");
    if (!good) {
        std::string const why = errno != 0 ? std::strerror(errno) : message;
        return Error{Code::io,
                     fmt::format("writing the TIFF failed ({}) free some space or choose another "
                                 "folder",
                                 why),
                     path};
    }
    tiff.reset();
    return file.commit();
}

}  // namespace sluice
