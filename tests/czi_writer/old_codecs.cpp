// Encoders of JPEG and LZW.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>

#include "czi_writer/encode.h"

// After <cstdio>, which it forgets to include.
#include <jpeglib.h>

namespace sluice::test {
namespace {

class CodeWriter {
  public:
    void put(unsigned code, unsigned width) {
        bits_ = bits_ << width | code;
        count_ += width;
        while (count_ >= 8) {
            count_ -= 8;
            bytes_.push_back(static_cast<std::byte>(bits_ >> count_));
        }
    }
    std::vector<std::byte> finish() {
        if (count_ > 0) bytes_.push_back(static_cast<std::byte>(bits_ << (8 - count_)));
        return std::move(bytes_);
    }

  private:
    std::vector<std::byte> bytes_;
    std::uint64_t bits_ = 0;
    unsigned count_ = 0;
};

/// The strings of the encoder: which code stands for a code and a byte after it.
class Strings {
  public:
    Strings() : longer_(4096 * 256) {}
    std::uint16_t& operator()(unsigned code, unsigned byte) { return longer_[code * 256 + byte]; }
    void set(unsigned code, unsigned byte, unsigned value) {
        used_.push_back(code * 256 + byte);
        longer_[used_.back()] = static_cast<std::uint16_t>(value);
    }
    void clear() {
        for (unsigned const at : used_) longer_[at] = 0;
        used_.clear();
    }

  private:
    std::vector<std::uint16_t> longer_;
    std::vector<unsigned> used_;
};

}  // namespace

std::vector<std::byte> encode_lzw(Bytes bytes) {
    constexpr unsigned clear_code = 256, end_code = 257, none = ~0U;
    CodeWriter out;
    Strings strings;
    unsigned width = 9, next = 258, known = none;
    out.put(clear_code, width);
    auto const emit = [&] {
        out.put(known, width);
        if (++next == 512 || next == 1024 || next == 2048) ++width;
    };
    for (std::byte const b : bytes) {
        auto const byte = std::to_integer<unsigned>(b);
        if (known == none) {
            known = byte;
        } else if (unsigned const longer = strings(known, byte); longer != 0) {
            known = longer;
        } else {
            strings.set(known, byte, next);
            emit();
            known = byte;
            if (next < 4094) continue;
            out.put(clear_code, width);
            strings.clear();
            width = 9;
            next = 258;
        }
    }
    if (known != none) emit();
    out.put(end_code, width);
    return out.finish();
}

std::vector<std::byte> encode_jpeg(Bytes pixels, index width, index height, int samples,
                                   double quality) {
    jpeg_compress_struct file{};
    jpeg_error_mgr errors{};
    file.err = jpeg_std_error(&errors);
    jpeg_create_compress(&file);
    unsigned char* memory = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&file, &memory, &size);
    file.image_width = static_cast<JDIMENSION>(width);
    file.image_height = static_cast<JDIMENSION>(height);
    file.input_components = samples;
    file.in_color_space = samples == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&file);
    jpeg_set_quality(&file, static_cast<int>(100 * quality), TRUE);
    jpeg_start_compress(&file, TRUE);
    auto const stride = static_cast<std::size_t>(width * samples);
    while (file.next_scanline < file.image_height) {
        auto* row = reinterpret_cast<unsigned char*>(
            const_cast<std::byte*>(pixels.data() + file.next_scanline * stride));
        jpeg_write_scanlines(&file, &row, 1);
    }
    jpeg_finish_compress(&file);
    jpeg_destroy_compress(&file);
    Bytes const whole = std::as_bytes(std::span(memory, size));
    std::vector<std::byte> out(whole.begin(), whole.end());
    std::free(memory);
    return out;
}

}  // namespace sluice::test
