// The marks that files of sound begin with.
// SPDX-License-Identifier: Apache-2.0
#include "format/sound/sound.h"

#include <string_view>

namespace sluice::sound {

using namespace std::string_view_literals;

Reader reader_of(Bytes first) {
    std::string_view const text(reinterpret_cast<char const*>(first.data()), first.size());
    auto const has = [&](std::size_t at, std::string_view word) {
        return text.size() >= at + word.size() && text.substr(at, word.size()) == word;
    };
    auto const byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    if (has(0, "RIFF"sv) || has(0, "RIFX"sv) || has(0, "RF64"sv))
        return has(8, "WAVE"sv)   ? Reader::libsndfile
               : has(8, "AVI "sv) ? Reader::ffmpeg
                                  : Reader::nobody;
    if (has(0, "fLaC"sv) || has(0, "ID3"sv)) return Reader::libsndfile;
    // The first packet begins behind a page's header of 28 bytes; RFC 3533, 6.
    if (has(0, "OggS"sv)) {
        bool const other = has(28,
                               "\x7f"sv
                               "FLAC"sv) ||
                           has(28, "Speex"sv);
        return other ? Reader::ffmpeg : Reader::libsndfile;
    }
    // Eleven bits set begin a frame of MPEG; ISO/IEC 11172-3, 2.4.1.3. Layer 0 is AAC, ADTS.
    // A text in UTF-16 begins with FF FE, which would be MPEG 1, layer I, with a checksum.
    if (text.size() >= 4 && byte(0) == 0xff && (byte(1) & 0xe0) == 0xe0 && byte(1) != 0xfe)
        return (byte(1) & 0x06) != 0 ? Reader::libsndfile : Reader::ffmpeg;
    struct Mark {
        std::size_t at;
        std::string_view word;
    };
    static constexpr Mark marks[] = {
        {4, "ftyp"sv},                              // MP4, M4A, MOV, 3GP
        {4, "moov"sv},                              // and those that are older
        {4, "mdat"sv},                              //
        {4, "wide"sv},                              //
        {0, "\x1a\x45\xdf\xa3"sv},                  // Matroska, WebM
        {0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11"sv},  // ASF: WMA, WMV
        {0, "FLV\x01"sv},
        {8, "AIFF"sv},
        {8, "AIFC"sv},
        {0, "caff"sv},
        {0, "wvpk"sv},
        {0, "TTA1"sv},
        {0, "tBaK"sv},
        {0, "MAC "sv},
        {0, "MPCK"sv},
        {0, "MP+"sv},
        {0, "\x0b\x77"sv},              // AC-3
        {0, "\x7f\xfe\x80\x01"sv},      // DTS
        {0, "\x00\x00\x01\xba"sv},      // MPEG program stream
        {0, "riff\x2e\x91\xcf\x11"sv},  // Wave64
        {0, "DSD "sv},
        {0, "FRM8"sv},
        {0, ".snd"sv},
        {0, "#!AMR"sv},
    };
    for (Mark const& mark : marks)
        if (has(mark.at, mark.word)) return Reader::ffmpeg;
    // Packets of an MPEG transport stream have 188 bytes; ISO/IEC 13818-1, 2.4.3.2.
    return has(0, "G"sv) && has(188, "G"sv) ? Reader::ffmpeg : Reader::nobody;
}

}  // namespace sluice::sound
