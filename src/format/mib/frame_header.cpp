// The header of a frame of Merlin's, and what its pixels are.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>

#include "format/mib/header.h"

namespace sluice::mib {
namespace {

constexpr index most_extent = 1 << 15;
constexpr index most_frame_bytes = index{512} << 20;

std::string_view text_of(Bytes bytes) {
    return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

template <class T>
std::optional<T> number(std::string_view s) {
    s = trimmed(s);
    T value{};
    auto const [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
    return error == std::errc() && end == s.data() + s.size() ? std::optional(value) : std::nullopt;
}

/// The fields between commas, one after the other.
class Fields {
  public:
    explicit Fields(std::string_view text) : left_(text) {}
    bool done() const { return done_; }
    std::string_view next() {
        auto const comma = left_.find(',');
        std::string_view const field = left_.substr(0, comma);
        done_ = comma == std::string_view::npos;
        left_ = done_ ? std::string_view() : left_.substr(comma + 1);
        return field;
    }

  private:
    std::string_view left_;
    bool done_ = false;
};

Error wrong(std::string what) {
    return {Code::corrupt, std::move(what)};
}

bool is_depth(int depth) {
    return codec::medipix_element_bytes(depth) != 0;
}

// After MQ1A, the exact time, the exposure and the depth; older headers have it as their last
// field.
void read_end(std::string_view rest, FrameHeader& h) {
    Fields fields(trimmed(rest));
    std::string_view last;
    int after = -1;  // fields after MQ1A
    while (!fields.done()) {
        last = trimmed(fields.next());
        if (after >= 0) ++after;
        if (after == 3) break;
        if (last == "MQ1A") after = 0;
    }
    if (auto const depth = number<int>(last); depth && is_depth(*depth)) h.depth = *depth;
}

}  // namespace

std::string_view trimmed(std::string_view s) {
    auto const blank = [](char c) {
        return c == ' ' || c == '\0' || c == '\r' || c == '\t' || c == '\n';
    };
    while (!s.empty() && blank(s.front())) s.remove_prefix(1);
    while (!s.empty() && blank(s.back())) s.remove_suffix(1);
    return s;
}

std::optional<std::size_t> header_bytes_of(Bytes bytes) {
    std::string_view const text = text_of(bytes).substr(0, header_start_bytes);
    if (!text.starts_with("MQ1,") || text.size() < header_start_bytes) return {};
    Fields fields(text.substr(4));
    fields.next();
    auto const size = number<std::size_t>(fields.next());
    return size && *size >= 64 && *size <= most_header_bytes ? size : std::nullopt;
}

Result<FrameHeader> read_frame_header(Bytes bytes) {
    auto const size = header_bytes_of(bytes);
    if (!size || bytes.size() < *size) return wrong("no header of a frame (MQ1)");
    FrameHeader h{.header_bytes = *size};
    Fields fields(text_of(bytes).substr(4, *size - 4));
    auto const sequence = number<std::uint64_t>(fields.next());
    fields.next();
    auto const chips = number<int>(fields.next());
    auto const width = number<index>(fields.next()), height = number<index>(fields.next());
    h.type = trimmed(fields.next());
    h.layout = trimmed(fields.next());
    fields.next();  // which chips
    fields.next();  // the time
    h.exposure_s = number<double>(fields.next()).value_or(0);
    if (fields.done() || !sequence || !chips || !width || !height)
        return wrong("a header of a frame (MQ1) whose numbers are none");
    // Raw frames of 24 bits say their width twice or four times.
    if (*width < 1 || *height < 1 || *width > 8 * most_extent || *height > most_extent)
        return wrong(fmt::format("a frame of {}x{} pixels", *height, *width));
    h.sequence = *sequence, h.chips = *chips, h.width = *width, h.height = *height;
    auto const text = text_of(bytes).substr(0, *size);
    if (h.type == "R64")
        read_end(text.substr(static_cast<std::size_t>(h.layout.data() - text.data())), h);
    return h;
}

Result<FrameLayout> layout_of(FrameHeader const& h, std::size_t stored, int depth) {
    FrameLayout out{.rows = h.height, .cols = h.width};
    if (h.type == "U08" || h.type == "U16" || h.type == "U32") {
        out.dtype = h.type == "U08" ? DType::u8 : h.type == "U16" ? DType::u16 : DType::u32;
        out.encoding = h.type == "U08" ? Encoding::values : Encoding::big_endian;
        out.bytes = static_cast<std::size_t>(out.rows * out.cols * size_of(out.dtype));
    } else if (h.type == "R64") {
        out.encoding = Encoding::medipix;
        out.medipix.depth = h.depth != 0 ? h.depth : depth;
        if (!is_depth(out.medipix.depth))
            return wrong("a raw frame (R64) of which nobody says how many bits a counter has");
        out.dtype = out.medipix.depth <= 6    ? DType::u8
                    : out.medipix.depth == 12 ? DType::u16
                                              : DType::u32;
        // Of 24 bits the two frames of 12 stand side by side in the width.
        bool const twice =
            out.medipix.depth == 24 &&
            stored == static_cast<std::size_t>(h.width) * static_cast<std::size_t>(h.height) * 2;
        if (twice) out.cols /= 2;
        out.medipix.quad = h.chips == 4 && h.layout.starts_with("2x2");
        if (h.chips > 1 && !out.medipix.quad)
            return Error{Code::unsupported,
                         fmt::format("a raw frame (R64) of {} chips in the layout {} (1x1 and 2x2 "
                                     "are read) take processed frames",
                                     h.chips, h.layout)};
        // A stored line has a row of each chip.
        if (out.medipix.quad) out.rows *= 2, out.cols /= 2;
        out.bytes = codec::medipix_bytes(out.medipix, out.rows, out.cols).value_or(0);
        if (out.bytes == 0)
            return wrong(fmt::format("a raw frame of {}x{} counters of {} bits", out.rows, out.cols,
                                     out.medipix.depth));
    } else {
        return Error{Code::unsupported,
                     fmt::format("frames of '{}' (U08, U16, U32 and R64 are read)", h.type)};
    }
    if (out.rows > most_extent || out.cols > most_extent ||
        out.bytes > static_cast<std::size_t>(most_frame_bytes))
        return wrong(fmt::format("a frame of {}x{} pixels", out.rows, out.cols));
    return out;
}

}  // namespace sluice::mib
