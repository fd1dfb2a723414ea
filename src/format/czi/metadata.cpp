// The XML of a CZI file: scaling, channels, scenes and wells.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <pugixml.hpp>
#include <set>

#include "format/czi/layout.h"

namespace sluice::czi {
namespace {

using Node = pugi::xml_node;

double number(char const* text) {
    double value = 0;
    std::string_view const s(text);
    auto const [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
    return error == std::errc() && end != s.data() && value - value == 0 ? value : 0;
}

int integer(char const* text) {
    int value = 0;
    std::string_view const s(text);
    std::from_chars(s.data(), s.data() + s.size(), value);
    return value;
}

double child_number(Node node, char const* name) {
    return number(node.child_value(name));
}

Node path(Node node, std::initializer_list<char const*> names) {
    for (char const* const name : names) node = node.child(name);
    return node;
}

// "#AARRGGBB" or "#RRGGBB" as "RRGGBB".
std::string rgb_of(std::string_view text) {
    if (!text.starts_with('#') || (text.size() != 7 && text.size() != 9)) return {};
    std::string_view const digits = text.substr(text.size() - 6);
    bool const hex = std::all_of(digits.begin(), digits.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    });
    return hex ? std::string(digits) : std::string();
}

void read_scaling(Node metadata, Metadata& m) {
    for (Node const d : path(metadata, {"Scaling", "Items"}).children("Distance")) {
        std::string_view const id = d.attribute("Id").value();
        double const um = child_number(d, "Value") * 1e6;
        if (um <= 0) continue;
        if (id == "X") m.x_um = um;
        if (id == "Y") m.y_um = um;
        if (id == "Z") m.z_um = um;
    }
}

void read_display(Node metadata, Metadata& m) {
    std::vector<Node> left;
    std::vector<bool> found(m.channels.size());
    auto const take = [&](Node d, std::size_t at) {
        Channel& c = m.channels[at];
        c.low = child_number(d, "Low");
        c.high = child_number(d, "High");
        // What ZEN shows: the colour of the channel itself is where the display began.
        if (std::string shown = rgb_of(d.child_value("Color")); !shown.empty())
            c.color = std::move(shown);
        if (c.name.empty()) c.name = d.attribute("Name").value();
        found[at] = true;
    };
    for (Node const d : path(metadata, {"DisplaySetting", "Channels"}).children("Channel")) {
        std::string_view const id = d.attribute("Id").value();
        auto const c = std::find_if(m.channels.begin(), m.channels.end(),
                                    [&](Channel const& x) { return x.id == id; });
        if (c == m.channels.end())
            left.push_back(d);
        else
            take(d, static_cast<std::size_t>(c - m.channels.begin()));
    }
    // Processed files have new names here for the same channels, in the same order.
    if (std::ssize(left) != std::count(found.begin(), found.end(), false)) return;
    std::size_t at = 0;
    for (Node const d : left) {
        while (found[at]) ++at;
        take(d, at);
    }
}

void read_channels(Node image, Metadata& m) {
    for (Node const n : path(image, {"Dimensions", "Channels"}).children("Channel")) {
        Channel c;
        c.index = static_cast<int>(m.channels.size());
        c.id = n.attribute("Id").value();
        c.name = n.attribute("Name").value();
        c.fluor = n.child_value("Fluor");
        c.color = rgb_of(n.child_value("Color"));
        c.excitation_nm = child_number(n, "ExcitationWavelength");
        c.emission_nm = child_number(n, "EmissionWavelength");
        c.exposure_ms = child_number(n, "ExposureTime") * 1e-6;
        c.bits = integer(n.child_value("ComponentBitCount"));
        m.channels.push_back(std::move(c));
    }
}

// "SizeZ" and its like; a file may leave out those of 1.
void read_sizes(Node image, Metadata& m) {
    for (std::size_t d = 0; d < dimension_count; ++d)
        m.sizes[d] =
            integer(image.child_value((std::string("Size") + dimension_letters[d]).c_str()));
    m.scene_count = integer(image.child_value("SizeS"));
}

void read_scenes(Node image, Metadata& m) {
    for (Node const n : path(image, {"Dimensions", "S", "Scenes"}).children("Scene")) {
        SceneInfo s;
        s.index = integer(n.attribute("Index").value());
        s.name = n.attribute("Name").value();
        Node const shape = n.child("Shape");
        s.row = integer(shape.child_value("RowIndex"));
        s.column = integer(shape.child_value("ColumnIndex"));
        s.well = n.child_value("ArrayName");
        if (s.well.empty()) s.well = shape.attribute("Name").value();
        m.scenes.push_back(std::move(s));
    }
}

}  // namespace

Result<Metadata> parse_metadata(std::string_view xml) {
    Metadata m;
    if (xml.empty()) return m;
    pugi::xml_document document;
    pugi::xml_parse_result const parsed = document.load_buffer(
        xml.data(), xml.size(), pugi::parse_minimal | pugi::parse_escapes, pugi::encoding_utf8);
    if (!parsed)
        return Error{Code::corrupt,
                     fmt::format("the metadata is not valid XML ({} at character {})",
                                 parsed.description(), parsed.offset)};
    Node const metadata = path(document.root(), {"ImageDocument", "Metadata"});
    Node const information = metadata.child("Information");
    Node const image = information.child("Image");
    read_scaling(metadata, m);
    read_channels(image, m);
    read_display(metadata, m);
    read_scenes(image, m);
    read_sizes(image, m);
    m.t_s = child_number(path(image, {"Dimensions", "T", "Positions", "Interval"}), "Increment");
    m.acquired = image.child_value("AcquisitionDateAndTime");
    m.pixel_type = image.child_value("PixelType");
    m.title = path(information, {"Document"}).child_value("Title");
    m.application = fmt::format("{} {}", path(information, {"Application"}).child_value("Name"),
                                path(information, {"Application"}).child_value("Version"));
    m.application.resize(m.application.find_last_not_of(' ') + 1);
    Node const objective = path(information, {"Instrument", "Objectives", "Objective"});
    m.objective = objective.attribute("Name").value();
    if (m.objective.empty()) m.objective = path(objective, {"Manufacturer"}).child_value("Model");
    return m;
}

std::vector<std::string> compare(Metadata const& metadata, std::vector<Entry> const& entries) {
    std::vector<std::string> out;
    if (entries.empty()) return out;
    PlaneIndex low{}, high{};
    low.fill(INT_MAX);
    high.fill(INT_MIN);
    std::set<std::int32_t> scenes;
    for (Entry const& e : entries) {
        for (std::size_t d = 0; d < low.size(); ++d) {
            low[d] = std::min(low[d], e.start[d]);
            high[d] = std::max(high[d], e.start[d] + e.size[d] - 1);
        }
        if (e.scene != none) scenes.insert(e.scene);
    }
    auto const tell = [&](char letter, index says, index there) {
        if (says > 0 && says != there)
            out.push_back(fmt::format("the XML says that {} has {} (the tiles have {})", letter,
                                      says, there));
    };
    for (std::size_t d = 0; d < low.size(); ++d)
        tell(dimension_letters[d], metadata.sizes[d], index{high[d]} - low[d] + 1);
    tell('S', metadata.scene_count, std::max<index>(1, std::ssize(scenes)));
    return out;
}

}  // namespace sluice::czi
