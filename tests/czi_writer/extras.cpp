// What belongs to a file besides its pixels: the XML, time stamps and masks.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "czi_writer/layout.h"

namespace sluice::test {
namespace {

std::string escaped(std::string_view text) {
    std::string out;
    for (char const c : text) {
        if (c == '<') out += "&lt;";
        if (c == '&') out += "&amp;";
        if (c == '"') out += "&quot;";
        if (c != '<' && c != '&' && c != '"') out += c;
    }
    return out;
}

/// <name>value</name>, and nothing where there is no value.
std::string element(std::string_view name, std::string_view value) {
    return value.empty() ? std::string() : fmt::format("<{0}>{1}</{0}>", name, escaped(value));
}
std::string element(std::string_view name, double value) {
    return value == 0 ? std::string() : element(name, fmt::format("{}", value));
}

/// The sizes of the image: how far the tiles reach along each dimension.
std::string sizes(std::vector<Tile> const& tiles) {
    struct Reach {
        index low = 0, high = 0;
        void add(index begin, index end) {
            bool const first = low == high;
            low = first ? begin : std::min(low, begin);
            high = first ? end : std::max(high, end);
        }
    };
    std::map<char, Reach> reach;
    for (Tile const& t : tiles) {
        reach['X'].add(t.rect.x, t.rect.x + t.rect.width);
        reach['Y'].add(t.rect.y, t.rect.y + t.rect.height);
        if (t.scene != slide::none) reach['S'].add(t.scene, t.scene + 1);
        if (t.m != slide::none) reach['M'].add(t.m, t.m + 1);
        for (std::size_t d = 0; d < slide::dimension_count; ++d)
            if (char const letter = slide::dimension_letters[d];
                t.dimensions.find(letter) != std::string::npos)
                reach[letter].add(t.at[d], t.at[d] + t.planes[d]);
    }
    std::string out;
    for (auto const& [letter, r] : reach)
        out += fmt::format("<Size{0}>{1}</Size{0}>", letter, r.high - r.low);
    return out;
}

std::string channels_of(slide::Metadata const& m) {
    std::string out;
    for (slide::Channel const& c : m.channels)
        out += fmt::format(R"(<Channel Id="{}" Name="{}">)", escaped(c.id), escaped(c.name)) +
               element("Color", c.color.empty() ? "" : "#FF" + c.color) +
               element("Fluor", c.fluor) + element("ExcitationWavelength", c.excitation_nm) +
               element("EmissionWavelength", c.emission_nm) +
               element("ExposureTime", c.exposure_ms * 1e6) + element("ComponentBitCount", c.bits) +
               "</Channel>";
    return out;
}

std::string scenes_of(slide::Metadata const& m) {
    std::string out;
    for (slide::SceneInfo const& s : m.scenes)
        out += fmt::format(R"(<Scene Index="{}" Name="{}">)", s.index, escaped(s.name)) +
               element("ArrayName", s.well) + "<Shape>" + element("RowIndex", s.row) +
               element("ColumnIndex", s.column) + "</Shape></Scene>";
    return out;
}

std::string display_of(slide::Metadata const& m) {
    std::string out;
    for (slide::Channel const& c : m.channels)
        out += fmt::format(R"(<Channel Id="{}" Name="{}">)", escaped(c.id), escaped(c.name)) +
               element("Low", c.low) + element("High", c.high) + "</Channel>";
    return out;
}

std::string distance(char axis, double um) {
    return um == 0 ? ""
                   : fmt::format(R"(<Distance Id="{}">)", axis) + element("Value", um * 1e-6) +
                         "</Distance>";
}

std::string times_of(slide::Metadata const& m) {
    if (m.t_s == 0) return {};
    return "<T><Positions><Interval>" + element("Increment", m.t_s) + "</Interval></Positions></T>";
}

}  // namespace

std::string make_xml(slide::Metadata const& m, std::vector<Tile> const& tiles) {
    std::string const image =
        sizes(tiles) + element("PixelType", m.pixel_type) +
        element("AcquisitionDateAndTime", m.acquired) + "<Dimensions><Channels>" + channels_of(m) +
        "</Channels>" + (m.scenes.empty() ? "" : "<S><Scenes>" + scenes_of(m) + "</Scenes></S>") +
        times_of(m) + "</Dimensions>";
    std::string const instrument =
        m.objective.empty() ? ""
                            : fmt::format(R"(<Instrument><Objectives><Objective Id="Objective:1" )"
                                          R"(Name="{}"/></Objectives></Instrument>)",
                                          escaped(m.objective));
    return R"(<?xml version="1.0" encoding="utf-8"?><ImageDocument><Metadata><Information>)"
           "<Document>" +
           element("Title", m.title) + "</Document><Application>" + element("Name", m.application) +
           "</Application>" + instrument + "<Image>" + image +
           "</Image></Information><Scaling><Items>" + distance('X', m.x_um) +
           distance('Y', m.y_um) + distance('Z', m.z_um) +
           "</Items></Scaling><DisplaySetting><Channels>" + display_of(m) +
           "</Channels></DisplaySetting></Metadata></ImageDocument>";
}

std::vector<std::byte> time_stamps(std::vector<double> const& seconds) {
    Block b(8);
    b.put(0, static_cast<std::int32_t>(8 + 8 * seconds.size()));
    b.put(4, static_cast<std::int32_t>(seconds.size()));
    for (double const s : seconds) b.put(b.size(), s);
    return b.bytes();
}

std::vector<std::byte> mask_attachment(index width, index height,
                                       std::function<bool(index x, index y)> const& valid) {
    // {CBE3EA67-5BFC-492B-A16A-ECE378031448} as Windows stores it.
    constexpr std::array<std::uint8_t, 16> guid = {0x67, 0xea, 0xe3, 0xcb, 0xfc, 0x5b, 0x2b, 0x49,
                                                   0xa1, 0x6a, 0xec, 0xe3, 0x78, 0x03, 0x14, 0x48};
    index const stride = (width + 7) / 8;
    std::vector<std::uint8_t> bits(static_cast<std::size_t>(stride * height));
    for (index y = 0; y < height; ++y)
        for (index x = 0; x < width; ++x)
            if (valid(x, y))
                bits[static_cast<std::size_t>(y * stride + x / 8)] |=
                    static_cast<std::uint8_t>(0x80 >> x % 8);
    Block b(36);
    b.put(0, guid);
    b.put(16, static_cast<std::int32_t>(16 + bits.size()));
    b.put(20, static_cast<std::int32_t>(width));
    b.put(24, static_cast<std::int32_t>(height));
    b.put(32, static_cast<std::int32_t>(stride));
    b.append(std::as_bytes(std::span(bits)));
    return b.bytes();
}

}  // namespace sluice::test
