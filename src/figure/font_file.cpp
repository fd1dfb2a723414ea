// The bytes of the font, which the assembler takes from the file that CMake names.
// SPDX-License-Identifier: Apache-2.0
#include "figure/typeface.h"

__asm__(
    ".section .rodata\n"
    ".balign 16\n"
    ".global sluice_font_begin\n"
    "sluice_font_begin:\n"
    ".incbin \"" SLUICE_FONT
    "\"\n"
    ".global sluice_font_end\n"
    "sluice_font_end:\n"
    ".previous\n");

extern "C" unsigned char const sluice_font_begin[], sluice_font_end[];

namespace sluice::figure {

std::span<unsigned char const> font_file() {
    return {sluice_font_begin, sluice_font_end};
}

}  // namespace sluice::figure
