// JPEG files from memory, by libjpeg-turbo: 8-bit gray or colour, baseline or progressive.
// SPDX-License-Identifier: Apache-2.0
#include "codec/jpeg/jpeg.h"

#include <fmt/format.h>

#include <csetjmp>
#include <cstdio>

// After <cstdio>, which they forget to include.
#include <jerror.h>
#include <jpeglib.h>

namespace sluice::codec {
namespace {

// Each scan of a progressive file costs a pass over the image, however few bytes it has; real files
// have ten or so.
constexpr int most_scans = 100;

/// libjpeg's state. Its errors come back by longjmp, so that what runs between may own nothing.
struct Session {
    jpeg_decompress_struct file{};
    jpeg_error_mgr errors{};
    jpeg_progress_mgr progress{};
    std::jmp_buf back{};
    Code code = Code::corrupt;
    char text[JMSG_LENGTH_MAX] = "";

    Session();
    Session(Session const&) = delete;
    Session& operator=(Session const&) = delete;
    ~Session() { jpeg_destroy_decompress(&file); }

    /// Calls f(); an error of libjpeg inside of it becomes an Error.
    template <class F>
    Status run(F const& f) {
        if (setjmp(back) != 0)
            return Error{code, fmt::format("not a JPEG file that can be decoded ({}); {}", text,
                                           code == Code::corrupt ? "the file is damaged"
                                                                 : "save it as baseline JPEG")};
        f();
        return {};
    }
};

[[noreturn]] void fail(Session& s, Code code, char const* text) {
    s.code = code;
    std::snprintf(s.text, sizeof s.text, "%s", text);
    std::longjmp(s.back, 1);
}

Session& session_of(j_common_ptr file) {
    return *static_cast<Session*>(file->client_data);
}

bool says_unsupported(int message) {
    return message == JERR_SOF_UNSUPPORTED || message == JERR_BAD_PRECISION ||
           message == JERR_ARITH_NOTIMPL || message == JERR_CONVERSION_NOTIMPL ||
           message == JERR_FRACT_SAMPLE_NOTIMPL || message == JERR_COMPONENT_COUNT;
}

void on_error(j_common_ptr file) {
    char text[JMSG_LENGTH_MAX];
    file->err->format_message(file, text);
    bool const unsupported = says_unsupported(file->err->msg_code);
    fail(session_of(file), unsupported ? Code::unsupported : Code::corrupt, text);
}

void on_message(j_common_ptr file, int level) {
    int const message = file->err->msg_code;
    bool const harmless =
        message == JWRN_ADOBE_XFORM || message == JWRN_JFIF_MAJOR || message == JWRN_NOT_SEQUENTIAL;
    // A warning: libjpeg would go on and invent the pixels that it could not read.
    if (level < 0 && !harmless) on_error(file);
}

void on_progress(j_common_ptr file) {
    Session& s = session_of(file);
    if (s.file.input_scan_number > most_scans)
        fail(s, Code::corrupt, "more scans than any JPEG file needs");
}

Session::Session() {
    file.err = jpeg_std_error(&errors);
    errors.error_exit = on_error;
    errors.emit_message = on_message;
    file.client_data = this;
}

/// Creates the decoder and reads the header; within run().
void read_header(Session& s, Bytes bytes) {
    jpeg_create_decompress(&s.file);
    s.progress.progress_monitor = on_progress;
    s.file.progress = &s.progress;
    jpeg_mem_src(&s.file, reinterpret_cast<unsigned char const*>(bytes.data()), bytes.size());
    jpeg_read_header(&s.file, TRUE);
    if (s.file.data_precision != 8) fail(s, Code::unsupported, "12 bits per sample");
    if (s.file.arith_code) fail(s, Code::unsupported, "arithmetic coding");
    switch (s.file.jpeg_color_space) {
        case JCS_GRAYSCALE:
            s.file.out_color_space = JCS_GRAYSCALE;
            return;
        case JCS_YCbCr:
        case JCS_RGB:
            s.file.out_color_space = JCS_RGB;
            return;
        default:
            fail(s, Code::unsupported, "colours other than gray, RGB and YCbCr");
    }
}

void read_rows(Session& s, std::byte* out, std::size_t stride) {
    jpeg_start_decompress(&s.file);
    while (s.file.output_scanline < s.file.output_height) {
        auto* row = reinterpret_cast<unsigned char*>(out + s.file.output_scanline * stride);
        jpeg_read_scanlines(&s.file, &row, 1);
    }
    jpeg_finish_decompress(&s.file);
}

JpegInfo info_of(Session const& s) {
    return {s.file.image_width, s.file.image_height, s.file.out_color_space == JCS_RGB ? 3 : 1};
}

}  // namespace

Result<JpegInfo> jpeg_inspect(Bytes file) {
    Session s;
    SLUICE_CHECK(s.run([&] { read_header(s, file); }));
    return info_of(s);
}

Status jpeg_decode(Bytes file, std::span<std::byte> out) {
    Session s;
    SLUICE_CHECK(s.run([&] { read_header(s, file); }));
    JpegInfo const info = info_of(s);
    auto const stride = static_cast<std::size_t>(info.width * info.samples);
    if (stride * static_cast<std::size_t>(info.height) != out.size())
        return Error{Code::corrupt,
                     fmt::format("a JPEG image of {} x {} x {} where {} bytes are expected; the "
                                 "file is damaged",
                                 info.width, info.height, info.samples, out.size())};
    return s.run([&] { read_rows(s, out.data(), stride); });
}

}  // namespace sluice::codec
