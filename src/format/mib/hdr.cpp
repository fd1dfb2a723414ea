// The header of an acquisition of Merlin's.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <charconv>

#include "format/mib/header.h"
#include "format/while_written.h"

namespace sluice::mib {
namespace {

constexpr index most_frames = index{1} << 40;

// 0: no number of frames.
index count(std::string_view s) {
    index n = 0;
    auto const [end, error] = std::from_chars(s.data(), s.data() + s.size(), n);
    bool const whole = error == std::errc() && end == s.data() + s.size();
    return whole && n > 0 && n <= most_frames ? n : 0;
}

// Latin-1 in the file, UTF-8 here.
std::string utf8(std::string_view latin) {
    std::string out;
    for (char const c : latin) {
        auto const u = static_cast<unsigned char>(c);
        if (u < 0x80) {
            if (u >= 0x20) out += c;
            continue;
        }
        out += static_cast<char>(0xc0 | (u >> 6));
        out += static_cast<char>(0x80 | (u & 0x3f));
    }
    return out;
}

struct Known {
    std::string_view key, name;
};
constexpr Known known[] = {
    {"Time and Date Stamp (day, mnth, yr, hr, min, s)", "date"},
    {"Chip ID", "chip"},
    {"Chip Type (Medipix 3.0, Medipix 3.1, Medipix 3RX)", "chip type"},
    {"Chip Mode  (SPM, CSM, CM, CSCM)", "chip mode"},
    {"Gain", "gain"},
    {"Thresholds (keV)", "thresholds"},
    {"Sensor Bias (V)", "sensor bias"},
    {"Readout System", "readout system"},
    {"Software Version", "software"},
};

}  // namespace

AcquisitionHeader read_hdr(Bytes bytes) {
    std::string_view left{reinterpret_cast<char const*>(bytes.data()), bytes.size()};
    AcquisitionHeader out;
    index per_trigger = 0, scan_x = 0, scan_y = 0;
    while (!left.empty()) {
        auto const end = left.find('\n');
        // A number that is half written is another one.
        if (end == std::string_view::npos && WhileWritten::now()) break;
        std::string_view const line = left.substr(0, end);
        left = end == std::string_view::npos ? std::string_view() : left.substr(end + 1);
        auto const colon = line.find(':');
        if (colon == std::string_view::npos) continue;
        // A key in parentheses may have commas, and no colon.
        std::string_view const key = trimmed(line.substr(0, colon));
        std::string_view const value = trimmed(line.substr(colon + 1));
        if (key == "Frames in Acquisition (Number)") out.frames = count(value);
        if (key == "Frames per Trigger (Number)") per_trigger = count(value);
        if (key == "ScanX") scan_x = count(value);
        if (key == "ScanY") scan_y = count(value);
        if (key == "Counter Depth (number)") out.depth = static_cast<int>(count(value) & 0xff);
        for (Known const& k : known)
            if (key == k.key && !value.empty() && out.fields.size() < std::size(known))
                out.fields.push_back({std::string(k.name), utf8(value.substr(0, 200)), ""});
    }
    if (scan_x > 0 && scan_y > 0 && scan_y <= most_frames / scan_x) {
        out.scan = {scan_y, scan_x};
        out.scan_from = "ScanX and ScanY of the header";
    } else if (out.frames > 0 && per_trigger > 1 && per_trigger < out.frames &&
               out.frames % per_trigger == 0) {
        out.scan = {out.frames / per_trigger, per_trigger};
        out.scan_from = "the frames per trigger of the header";
    }
    return out;
}

}  // namespace sluice::mib
