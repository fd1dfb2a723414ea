// What FreeType knows of the font.
// SPDX-License-Identifier: Apache-2.0
#include "figure/typeface.h"

#include <ft2build.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "base/utf8.h"
#include "sluice/result.h"

#include FT_FREETYPE_H
#include FT_ADVANCES_H

namespace sluice::figure {
namespace {

// In parts of the font's own unit; out of DejaVu's table OS/2.
constexpr double units = 2048, capital = 1493;

// A face may be asked by one thread at a time.
struct Measure {
    std::mutex mutex;
    FT_Library library = nullptr;
    FT_Face face = nullptr;

    Measure() {
        auto const file = font_file();
        expects(FT_Init_FreeType(&library) == 0);
        expects(FT_New_Memory_Face(library, file.data(), static_cast<FT_Long>(file.size()), 0,
                                   &face) == 0);
    }
    Measure(Measure const&) = delete;
    Measure& operator=(Measure const&) = delete;
    ~Measure() {
        FT_Done_Face(face);
        FT_Done_FreeType(library);
    }
};

Measure& measure() {
    static Measure one;
    return one;
}

}  // namespace

unsigned glyph_of(char32_t character) {
    if (character == not_utf8 || character < U' ') return 0;
    Measure& m = measure();
    std::lock_guard const lock(m.mutex);
    return FT_Get_Char_Index(m.face, character);
}

index advance_of(unsigned glyph, double cap) {
    Measure& m = measure();
    std::lock_guard const lock(m.mutex);
    FT_Fixed wide = 0;
    if (FT_Get_Advance(m.face, glyph, FT_LOAD_NO_SCALE, &wide) != 0) return 0;
    return std::lround(static_cast<double>(wide) * cap / capital);
}

double font_size(double cap) {
    return cap * units / capital;
}

}  // namespace sluice::figure
