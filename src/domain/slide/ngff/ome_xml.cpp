// OME-XML by hand: it is short, and the schema fixes the order of its elements.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/ome_xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace sluice::slide::ome {
namespace {

using Out = std::back_insert_iterator<std::string>;

// Control characters cannot be in XML at all.
std::string escaped(std::string_view text) {
    std::string out;
    for (char const c : text) {
        if (c == '&') {
            out += "&amp;";
        } else if (c == '<') {
            out += "&lt;";
        } else if (c == '>') {
            out += "&gt;";
        } else if (c == '"') {
            out += "&quot;";
        } else if (static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\n') {
            out += c;
        }
    }
    return out;
}

// OME's names; the integers are called as in NumPy.
std::string_view type_of(DType type) {
    if (type == DType::f32) return "float";
    if (type == DType::f64) return "double";
    return name_of(type);
}

// Red is the highest byte and alpha the lowest, in a signed number.
std::int32_t color_of(std::string const& rgb) {
    std::uint32_t v = 0xffffff;
    std::from_chars(rgb.data(), rgb.data() + rgb.size(), v, 16);
    return static_cast<std::int32_t>(v << 8 | 0xffU);
}

void physical_size(Out out, char axis, double um) {
    if (um > 0)
        fmt::format_to(out, " PhysicalSize{0}=\"{1}\" PhysicalSize{0}Unit=\"µm\"", axis, um);
}

void channel(Out out, Plan const& plan, ComponentPlan const& c, std::size_t image,
             std::size_t number) {
    fmt::format_to(out, "      <Channel ID=\"Channel:{}:{}\" SamplesPerPixel=\"{}\"", image, number,
                   plan.samples);
    if (plan.samples == 1)
        fmt::format_to(out, " Name=\"{}\" Color=\"{}\"", escaped(c.name), color_of(c.color));
    if (c.excitation_nm > 0)
        fmt::format_to(out, " ExcitationWavelength=\"{}\" ExcitationWavelengthUnit=\"nm\"",
                       c.excitation_nm);
    if (c.emission_nm > 0)
        fmt::format_to(out, " EmissionWavelength=\"{}\" EmissionWavelengthUnit=\"nm\"",
                       c.emission_nm);
    fmt::format_to(out, "/>\n");
}

// The valid form of a date: "2024-05-01T10:20:30" and optional text behind it.
bool is_date(std::string const& s) {
    return s.size() >= 19 && s[4] == '-' && s[7] == '-' && s[10] == 'T' && s[13] == ':' &&
           s[16] == ':' && s.find_first_not_of("0123456789-T:.Z+") == std::string::npos;
}

void image_element(Out out, Plan const& plan, std::size_t i) {
    ImagePlan const& image = plan.images[i];
    Metadata const& m = plan.metadata;
    fmt::format_to(out, "  <Image ID=\"Image:{}\" Name=\"{}\">\n", i, escaped(image.name));
    if (is_date(m.acquired))
        fmt::format_to(out, "    <AcquisitionDate>{}</AcquisitionDate>\n", m.acquired);
    fmt::format_to(out,
                   "    <Pixels ID=\"Pixels:{}\" DimensionOrder=\"XYZCT\" Type=\"{}\" SizeX=\"{}\" "
                   "SizeY=\"{}\" SizeZ=\"{}\" SizeC=\"{}\" SizeT=\"{}\" BigEndian=\"false\" "
                   "Interleaved=\"false\"",
                   i, type_of(plan.dtype), image.rect.width, image.rect.height, image.z,
                   image.components.size(), image.t);
    physical_size(out, 'X', m.x_um);
    physical_size(out, 'Y', m.y_um);
    physical_size(out, 'Z', m.z_um);
    if (m.t_s > 0) fmt::format_to(out, " TimeIncrement=\"{}\" TimeIncrementUnit=\"s\"", m.t_s);
    fmt::format_to(out, ">\n");
    for (std::size_t c = 0; c < image.channels.size(); ++c)
        channel(out, plan, image.components[c * static_cast<std::size_t>(plan.samples)], i, c);
    fmt::format_to(out, "      <MetadataOnly/>\n    </Pixels>\n  </Image>\n");
}

int row_number(std::string const& name) {
    int n = 0;
    for (char const c : name) n = n * 26 + (c - 'A' + 1);
    return n - 1;
}

void plate(Out out, Plan const& plan) {
    fmt::format_to(out, "  <Plate ID=\"Plate:0\" Name=\"{}\">\n",
                   escaped(plan.metadata.title.empty() ? "plate" : plan.metadata.title));
    int number = 0;
    for (ImagePlan const& first : plan.images) {
        if (first.well->field > 0) continue;
        WellPlan const& w = *first.well;
        fmt::format_to(out, "    <Well ID=\"Well:0:{}\" Row=\"{}\" Column=\"{}\">\n", number++,
                       row_number(w.row), std::max(0, std::stoi(w.column.substr(0, 8)) - 1));
        for (std::size_t i = 0; i < plan.images.size(); ++i) {
            WellPlan const& other = *plan.images[i].well;
            if (other.row != w.row || other.column != w.column) continue;
            fmt::format_to(out,
                           "      <WellSample ID=\"WellSample:0:{0}\" Index=\"{0}\">\n"
                           "        <ImageRef ID=\"Image:{0}\"/>\n      </WellSample>\n",
                           i);
        }
        fmt::format_to(out, "    </Well>\n");
    }
    fmt::format_to(out, "  </Plate>\n");
}

}  // namespace

std::string ome_xml(Plan const& plan) {
    std::string text;
    Out const out = std::back_inserter(text);
    fmt::format_to(out,
                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                   "<OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\" "
                   "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
                   "xsi:schemaLocation=\"http://www.openmicroscopy.org/Schemas/OME/2016-06 "
                   "http://www.openmicroscopy.org/Schemas/OME/2016-06/ome.xsd\" "
                   "Creator=\"sluice slide convert\">\n");
    if (plan.layout == ImageLayout::plate) plate(out, plan);
    for (std::size_t i = 0; i < plan.images.size(); ++i) image_element(out, plan, i);
    text += "</OME>\n";
    return text;
}

}  // namespace sluice::slide::ome
