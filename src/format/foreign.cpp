// What a file is that no format here reads, by its first bytes and its name.
// SPDX-License-Identifier: Apache-2.0
#include "format/foreign.h"

#include <algorithm>
#include <filesystem>

namespace sluice {
namespace {

using namespace std::string_view_literals;

// Programs that write formats which are read here.
constexpr std::string_view hyperspy =
    "convert it to NPY, for example with HyperSpy: python3 -c \"import hyperspy.api as hs, numpy "
    "as np; np.save('out.npy', hs.load('FILE').data)\"";
constexpr std::string_view libertem =
    "convert it to NPY or HDF5, for example with LiberTEM, which reads it";
constexpr std::string_view other_slide =
    "slides are read as CZI or OME-Zarr; convert it, for example with bioformats2raw, or open it "
    "with QuPath or napari";
constexpr std::string_view unpack = "unpack it, and open what is in it";
constexpr std::string_view no_frames = "pictures, documents and programs hold no measurement";
constexpr std::string_view volume =
    "images of a patient go into `sluice proton run` by the table [ct] of a configuration";

/// Bytes at a place; a name's ending says the same or what kind of it. An empty one is any.
struct Signature {
    std::size_t at;
    std::string_view bytes, ending;
    Foreign what;
};

// Of several that fit the first counts: endings before families.
constexpr Signature signatures[] = {
    {0, "JK\0\2"sv, "", {"an EMI file of FEI's TIA", hyperspy}},
    {0, ""sv, ".bcf", {"a BCF file of Bruker", hyperspy}},
    {0, ""sv, ".xml", {"an XML file", "name the file of data that it belongs to"}},
    {0, "II*\0"sv, ".eer", {"an EER file (TIFF of electron events) of Thermo Fisher", libertem}},
    {0, "II+\0"sv, ".eer", {"an EER file (TIFF of electron events) of Thermo Fisher", libertem}},
    {0, ""sv, ".ndpi", {"a slide (NDPI) of Hamamatsu", other_slide}},
    {0, ""sv, ".svs", {"a slide (SVS) of Aperio", other_slide}},
    {0, ""sv, ".scn", {"a slide (SCN) of Leica", other_slide}},
    {0, ""sv, ".mrxs", {"a slide (MRXS) of 3DHISTECH", other_slide}},
    {0, ""sv, ".vsi", {"a slide (VSI) of Olympus", other_slide}},
    {0, ""sv, ".isyntax", {"a slide (iSyntax) of Philips", other_slide}},
    {0, "\xDA\xCE\xBE\x0A"sv, "", {"an ND2 file of Nikon", other_slide}},
    {0, "\0\0\0\x0CjP  "sv, ".nd2", {"an ND2 file of Nikon", other_slide}},
    {0, "p\0\0\0"sv, ".lif", {"a LIF file of Leica", other_slide}},
    {344, "n+1\0"sv, "", {"a NIfTI image", volume}},
    {0,
     "MATLAB 5.0 MAT-file"sv,
     "",
     {"a MAT file before version 7.3",
      "save it again in MATLAB with -v7.3, or as NPY: python3 -c \"import numpy as np, scipy.io; a "
      "= scipy.io.loadmat('FILE'); np.save('out.npy', a['NAME'])\""}},
    {0, "###CBF"sv, "", {"a CBF image", libertem}},
    {0,
     "SIMPLE  ="sv,
     "",
     {"a FITS file",
      "convert it to NPY, for example with astropy: python3 -c \"import numpy as np; from "
      "astropy.io import fits; np.save('out.npy', fits.getdata('FILE'))\""}},
    {0, "\x0E\x03\x13\x01"sv, "", {"an HDF4 file", "convert it to HDF5 with h4toh5"}},
    {0,
     "version https://git-lfs"sv,
     "",
     {"a pointer of Git LFS, and not the file", "fetch the file with `git lfs pull`"}},
    {0, "<!DOCTYPE"sv, "", {"a web page", "the download failed; get the file again"}},
    {0, "<html"sv, "", {"a web page", "the download failed; get the file again"}},
    {0, "PK\3\4"sv, "", {"a ZIP archive", unpack}},
    {0, "\x1F\x8B"sv, "", {"packed by gzip", unpack}},
    {0, "\x28\xB5\x2F\xFD"sv, "", {"packed by zstd", unpack}},
    {0,
     "\xFD"
     "7zXZ"sv,
     "",
     {"packed by xz", unpack}},
    {0, "BZh"sv, "", {"packed by bzip2", unpack}},
    {0, "7z\xBC\xAF"sv, "", {"a 7z archive", unpack}},
    {0, "\x89PNG"sv, "", {"a picture (PNG)", no_frames}},
    {0, "\xFF\xD8\xFF"sv, "", {"a picture (JPEG)", no_frames}},
    {0, "GIF8"sv, "", {"a picture (GIF)", no_frames}},
    {0, "%PDF"sv, "", {"a PDF", no_frames}},
    {0,
     "\x7F"
     "ELF"sv,
     "",
     {"a program", no_frames}},
    {0,
     "\x80\4"sv,
     "",
     {"a Python pickle", "it is not read, as it may run anything; save the array as NPY"}},
};

bool is_at(Bytes head, std::size_t at, std::string_view bytes) {
    if (head.size() < at + bytes.size()) return false;
    return std::equal(bytes.begin(), bytes.end(), head.begin() + static_cast<std::ptrdiff_t>(at),
                      [](char c, std::byte b) { return std::byte(c) == b; });
}

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return text;
}

bool is_text(Bytes head) {
    return !head.empty() && std::ranges::all_of(head, [](std::byte b) {
        auto const c = std::to_integer<unsigned char>(b);
        return (c >= 32 && c < 127) || c == '\n' || c == '\r' || c == '\t';
    });
}

}  // namespace

std::optional<Foreign> look_up_foreign(std::string const& path, Bytes head) {
    std::filesystem::path const file(path);
    std::string const ending = lower(file.extension().string());
    for (Signature const& s : signatures)
        if (is_at(head, s.at, s.bytes) && (s.ending.empty() || s.ending == ending)) return s.what;
    if (is_text(head)) return Foreign{"text", "name the file of data that it may belong to"};
    return {};
}

}  // namespace sluice
