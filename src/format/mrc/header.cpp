// The header of 1024 bytes.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/bytes.h"
#include "format/mrc/mrc.h"

namespace sluice::mrc {
namespace {

constexpr std::size_t header_bytes = 1024;
constexpr int most_labels = 10, volume_stack = 401;
// MRCZ adds so much for each of Blosc's codecs, 1 to 6.
constexpr int mode_step = 1000, most_codecs = 6;

/// Words of 4 bytes in the file's byte order.
class Words {
  public:
    Words(Bytes head, bool big) : head_(head), big_(big) {}
    std::int32_t whole(std::size_t at) const {
        return big_ ? load_be<std::int32_t>(head_.data() + at)
                    : load_le<std::int32_t>(head_.data() + at);
    }
    double real(std::size_t at) const { return std::bit_cast<float>(whole(at)); }

  private:
    Bytes head_;
    bool big_;
};

// 0x11 0x11 is big-endian; without a stamp the mode, which is small, tells.
bool is_big_endian(Bytes head) {
    bool const stamped = head[208] == std::byte{'M'};
    if (stamped && (head[212] == std::byte{0x11} || head[212] == std::byte{0x44}))
        return head[212] == std::byte{0x11};
    return load_le<std::uint32_t>(head.data() + 12) > 0xffff;
}

Result<StoredType> type_of(Words const& w, bool big) {
    using Kind = StoredType::Kind;
    constexpr std::int32_t imod = 1146047817;
    int const said = w.whole(12);
    int const codec = said / mode_step;
    int const mode = codec >= 0 && codec <= most_codecs ? said % mode_step : said;
    switch (mode) {
        case 0: {
            // IMOD says whether its bytes have signs; all others have.
            bool const plain = w.whole(152) == imod && (w.whole(156) & 1) == 0;
            return StoredType{plain ? Kind::unsigned_int : Kind::signed_int, 1};
        }
        case 1:
            return StoredType{Kind::signed_int, 2, big};
        case 2:
            return StoredType{Kind::floating, 4, big};
        case 6:
            return StoredType{Kind::unsigned_int, 2, big};
        case 12:
            return StoredType{Kind::floating, 2, big};
        default:
            return Error{
                .code = Code::unsupported,
                .message = fmt::format("pixels of mode {} (0, 1, 2, 6 and 12 are read: whole "
                                       "and real numbers); save it as mode 6 or 2",
                                       said),
                .at = 12};
    }
}

void read_labels(Bytes head, Words const& w, Header& h) {
    int const n = std::clamp(w.whole(220), 0, most_labels);
    for (int i = 0; i < n; ++i) {
        std::string label;
        for (std::byte const b : head.subspan(224 + 80 * static_cast<std::size_t>(i), 80)) {
            auto const c = std::to_integer<unsigned char>(b);
            if (c >= 0x20 && c < 0x7f) label += static_cast<char>(c);
        }
        while (label.ends_with(' ')) label.pop_back();
        if (!label.empty()) h.labels.push_back(label);
    }
}

}  // namespace

Result<Header> parse_header(Bytes head) {
    if (head.size() < header_bytes)
        return Error{.code = Code::truncated,
                     .message = "the file ends within its header of 1024 bytes; copy it again",
                     .at = head.size()};
    bool const big = is_big_endian(head);
    Words const w(head, big);
    Header h;
    h.cols = w.whole(0), h.rows = w.whole(4), h.sections = w.whole(8);
    SLUICE_TRY(h.stored, type_of(w, big));
    index const extended = w.whole(92);
    if (h.cols < 1 || h.rows < 1 || h.sections < 1 || extended < 0)
        return Error{
            .code = Code::corrupt,
            .message = fmt::format("{} sections of {}x{} pixels behind {} bytes; the header is "
                                   "damaged",
                                   h.sections, h.rows, h.cols, extended),
            .at = 0};
    h.packed = w.whole(12) >= mode_step;
    h.data_at = header_bytes + static_cast<std::uint64_t>(extended);
    index const deep = w.whole(36);
    if (w.whole(88) >= volume_stack && deep > 0 && h.sections % deep == 0)
        h.volumes = ScanGrid{h.sections / deep, deep};
    double const pixel = w.whole(28) > 0 ? w.real(40) / w.whole(28) : 0;
    if (std::isfinite(pixel) && pixel > 0) h.pixel_angstrom = pixel;
    read_labels(head, w, h);
    return h;
}

bool recognises(std::string_view path, Bytes head) {
    if (head.size() < header_bytes) return false;
    std::string_view const text(reinterpret_cast<char const*>(head.data()), head.size());
    if (text.substr(208, 3) == "MAP") return true;
    bool const named = path.ends_with(".mrc") || path.ends_with(".mrcz") ||
                       path.ends_with(".mrcs") || path.ends_with(".st");
    return named && parse_header(head).has_value();
}

}  // namespace sluice::mrc
