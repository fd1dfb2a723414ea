// The headers of FRMS6 files and the text beside them.
// SPDX-License-Identifier: Apache-2.0
#include "format/frms6/header.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/bytes.h"

namespace sluice::frms6 {
namespace {

constexpr std::size_t version_at = 7, width_at = 88, height_at = 90, frames_at = 1020;
constexpr unsigned version = 6;
constexpr index most_points = 1 << 20, most_frames = index{1} << 40;

std::string lower(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return out;
}

std::string_view trimmed(std::string_view s) {
    constexpr std::string_view space = " \t\r\"";
    auto const from = s.find_first_not_of(space);
    if (from == std::string_view::npos) return {};
    return s.substr(from, s.find_last_not_of(space) - from + 1);
}

// The number at the beginning, from 1 to `most`; 0: there is none. `text` goes on behind it.
index number(std::string_view& text, index most) {
    text = trimmed(text);
    index n = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc() || n < 1 || n > most) return 0;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return n;
}

std::optional<ScanGrid> grid(std::string_view text) {
    index const rows = number(text, most_points);
    if (rows == 0 || !text.starts_with('x')) return {};
    text.remove_prefix(1);
    index const cols = number(text, most_points);
    if (cols == 0 || !text.empty()) return {};
    return ScanGrid{rows, cols};
}

void take(std::string const& key, std::string_view value, Info& out) {
    if (key == "stemimagesize") out.scan = grid(value);
    if (key == "signalframes") out.signal_frames = number(value, most_frames);
    if (key == "dwelltimemicroseconds")
        out.dwell_s = 1e-6 * static_cast<double>(number(value, most_frames));
    if (key == "readoutmode") {
        auto const at = value.find("bin:");
        if (at == std::string_view::npos) return;
        std::string_view rest = value.substr(at + 4);
        out.binning = std::max<index>(1, number(rest, 1 << 10));
    }
}

}  // namespace

Result<Header> parse_header(Bytes head) {
    if (head.size() < file_header_bytes)
        return Error{.code = Code::truncated,
                     .message = "the file ends within its header of 1024 bytes; copy it again",
                     .at = head.size()};
    Header h;
    h.cols = load_le<std::uint16_t>(head.data() + width_at);
    h.rows = load_le<std::uint16_t>(head.data() + height_at);
    h.frames = load_le<std::uint32_t>(head.data() + frames_at);
    bool const ours = load_le<std::uint16_t>(head.data()) == file_header_bytes &&
                      load_le<std::uint16_t>(head.data() + 2) == frame_header_bytes &&
                      std::to_integer<unsigned>(head[version_at]) == version;
    if (!ours || h.rows < 1 || h.cols < 2 || h.cols % 2 != 0)
        return Error{
            .code = Code::corrupt,
            .message = fmt::format("frames of {} lines of {} values; the header is damaged "
                                   "or of another version",
                                   h.rows, h.cols),
            .at = 0};
    return h;
}

Info parse_info(std::string_view text) {
    Info out;
    while (!text.empty()) {
        auto const end = text.find('\n');
        std::string_view const line = text.substr(0, end);
        text = end == std::string_view::npos ? "" : text.substr(end + 1);
        auto const equals = line.find('=');
        if (equals == std::string_view::npos) continue;
        take(lower(trimmed(line.substr(0, equals))), trimmed(line.substr(equals + 1)), out);
    }
    return out;
}

}  // namespace sluice::frms6
