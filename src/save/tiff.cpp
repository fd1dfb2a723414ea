// save_tiff: float32 pages by libtiff, uncompressed, so that every program can read them.
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

bool write_page(TIFF* t, float const* pixels, std::uint32_t rows, std::uint32_t cols,
                std::string const& description) {
    constexpr std::uint64_t strip_bytes = 1 << 18;
    std::uint64_t const row_bytes = std::uint64_t{cols} * sizeof(float);
    auto const strip_rows =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(strip_bytes / row_bytes, 1, rows));
    bool good =
        TIFFSetField(t, TIFFTAG_IMAGEWIDTH, cols) && TIFFSetField(t, TIFFTAG_IMAGELENGTH, rows) &&
        TIFFSetField(t, TIFFTAG_SAMPLESPERPIXEL, 1) && TIFFSetField(t, TIFFTAG_BITSPERSAMPLE, 32) &&
        TIFFSetField(t, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP) &&
        TIFFSetField(t, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK) &&
        TIFFSetField(t, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) &&
        TIFFSetField(t, TIFFTAG_COMPRESSION, COMPRESSION_NONE) &&
        TIFFSetField(t, TIFFTAG_ROWSPERSTRIP, strip_rows) &&
        TIFFSetField(t, TIFFTAG_SOFTWARE, "sluice") &&
        TIFFSetField(t, TIFFTAG_IMAGEDESCRIPTION, description.c_str());
    std::vector<float> strip;  // libtiff may swap the bytes of its argument, so it gets a copy
    for (std::uint32_t row = 0, i = 0; good && row < rows; row += strip_rows, ++i) {
        std::uint64_t const n = std::uint64_t{std::min(strip_rows, rows - row)} * cols;
        float const* from = pixels + std::uint64_t{row} * cols;
        strip.assign(from, from + n);
        auto const bytes = static_cast<tmsize_t>(n * sizeof(float));
        good = TIFFWriteEncodedStrip(t, i, strip.data(), bytes) == bytes;
    }
    return good && TIFFWriteDirectory(t);
}

}  // namespace

Status save_tiff(std::string const& path, View<float const, 3> images,
                 Provenance const& provenance) {
    constexpr index most = std::numeric_limits<std::int32_t>::max();
    index const pages = images.extent(0), rows = images.extent(1), cols = images.extent(2);
    if (pages < 1 || rows < 1 || cols < 1 || rows > most || cols > most / 4)
        return Error{Code::invalid_argument,
                     fmt::format("cannot save {} pages of {} x {} pixels as TIFF (a side is 0 or "
                                 "beyond the format) save NPY instead",
                                 pages, rows, cols),
                     path};
    SLUICE_TRY(NewFile file, NewFile::create(path));
    constexpr index classic_limit = index{1} << 31;
    bool const big = images.size() > (classic_limit - pages * 4096) / index{sizeof(float)};
    std::string message;
    errno = 0;
    save::Tiff tiff = save::open_tiff(file.temporary(), big, message);
    std::string const description = save::json_of(provenance);
    bool good = tiff != nullptr;
    for (index page = 0; good && page < pages; ++page)
        good = write_page(tiff.get(), images.data() + page * rows * cols,
                          static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(cols),
                          page == 0 ? description : "{}");
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

Status save_tiff(std::string const& path, View<float const, 2> image,
                 Provenance const& provenance) {
    return save_tiff(path,
                     View<float const, 3>(image.data(), {1, image.extent(0), image.extent(1)}),
                     provenance);
}

}  // namespace sluice
