// save_png: 8-bit RGB by libpng, with the provenance as text chunks.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <png.h>

#include <algorithm>

#include "base/file.h"
#include "save/provenance.h"
#include "sluice/save.h"

namespace sluice {
namespace {

struct Encoder {
    std::vector<std::byte> bytes = {};
    std::string message = {};
};

void append(png_struct* png, png_byte* data, png_size_t n) {
    auto& bytes = static_cast<Encoder*>(png_get_io_ptr(png))->bytes;
    auto const* from = reinterpret_cast<std::byte const*>(data);
    bytes.insert(bytes.end(), from, from + n);
}

void fail(png_struct* png, char const* message) {
    static_cast<Encoder*>(png_get_error_ptr(png))->message = message;
    png_longjmp(png, 1);
}

/// 1 to 79 printable ASCII characters without spaces at the ends, as PNG asks for.
std::string keyword_of(std::string_view name) {
    std::string word;
    for (char c : name.substr(0, 79)) word += c >= ' ' && c <= '~' ? c : '_';
    if (word.front() == ' ') word.front() = '_';
    if (word.back() == ' ') word.back() = '_';
    return word;
}

/// Holds what setjmp jumps over: it may contain nothing with a destructor.
bool encode(png_struct* png, png_info* info, Picture const& picture, png_text* texts, int n_texts,
            Encoder& encoder) {
    if (setjmp(png_jmpbuf(png))) return false;
    png_set_write_fn(png, &encoder, append, nullptr);
    png_set_IHDR(png, info, static_cast<png_uint_32>(picture.cols),
                 static_cast<png_uint_32>(picture.rows), 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    if (n_texts > 0) png_set_text(png, info, texts, n_texts);
    png_write_info(png, info);
    for (index row = 0; row < picture.rows; ++row)
        png_write_row(png, picture.rgb.data() + row * picture.cols * 3);
    png_write_end(png, nullptr);
    return true;
}

bool encode(Picture const& picture, Provenance& fields, Encoder& encoder) {
    std::vector<png_text> texts;
    for (auto& [name, value] : fields.fields) {
        name = keyword_of(name);
        bool const ascii = std::all_of(value.begin(), value.end(),
                                       [](char c) { return static_cast<unsigned char>(c) < 0x80; });
        png_text text{};
        text.compression = ascii ? PNG_TEXT_COMPRESSION_NONE : PNG_ITXT_COMPRESSION_NONE;
        text.key = name.data();
        text.text = value.data();
        text.text_length = ascii ? value.size() : 0;
        text.itxt_length = ascii ? 0 : value.size();
        texts.push_back(text);
    }
    png_struct* png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &encoder, fail,
                                              [](png_struct*, char const*) {});
    if (png == nullptr) return false;
    png_info* info = png_create_info_struct(png);
    bool const good = info != nullptr && encode(png, info, picture, texts.data(),
                                                static_cast<int>(texts.size()), encoder);
    png_destroy_write_struct(&png, &info);
    return good;
}

}  // namespace

Status save_png(std::string const& path, Picture const& picture, Provenance const& provenance) {
    constexpr index most = 1'000'000;  // libpng's own limit for a side
    if (picture.rows < 1 || picture.cols < 1 || picture.rows > most || picture.cols > most)
        return Error{Code::invalid_argument,
                     fmt::format("cannot save a picture of {} x {} pixels as PNG (a side is 0 or "
                                 "more than {}) choose another size",
                                 picture.rows, picture.cols, most),
                     path};
    expects(static_cast<index>(picture.rgb.size()) == picture.rows * picture.cols * 3);
    SLUICE_TRY(NewFile file, NewFile::create(path));
    Encoder encoder;
    Provenance fields = save::tidy(provenance);
    if (!encode(picture, fields, encoder))
        return Error{Code::io, fmt::format("cannot encode the PNG ({})", encoder.message), path};
    SLUICE_CHECK(file.write(encoder.bytes));
    return file.commit();
}

}  // namespace sluice
