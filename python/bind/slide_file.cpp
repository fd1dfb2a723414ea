// What a slide's file says besides its pixels: metadata, attachments, entries, broken rules.
// SPDX-License-Identifier: Apache-2.0
#include "bind/slide.h"
#include "bind/work.h"

namespace sluice::python {
namespace {

using namespace nb::literals;
using slide::Slide;

nb::dict dict_of(slide::Channel const& c) {
    nb::dict out;
    out["index"] = c.index;
    out["id"] = c.id;
    out["name"] = c.name;
    out["fluor"] = c.fluor;
    out["color"] = c.color;
    out["excitation_nm"] = c.excitation_nm;
    out["emission_nm"] = c.emission_nm;
    out["exposure_ms"] = c.exposure_ms;
    out["bits"] = c.bits;
    out["low"] = c.low;
    out["high"] = c.high;
    return out;
}

nb::dict dict_of(slide::SceneInfo const& s) {
    nb::dict out;
    out["index"] = s.index;
    out["name"] = s.name;
    out["well"] = s.well;
    out["row"] = s.row;
    out["column"] = s.column;
    return out;
}

nb::dict metadata_of(Slide const& slide) {
    std::vector<std::string> notes;
    slide::Metadata const m = [&] {
        nb::gil_scoped_release const off;
        return slide.metadata(notes);
    }();
    nb::dict out;
    out["x_um"] = m.x_um;
    out["y_um"] = m.y_um;
    out["z_um"] = m.z_um;
    out["t_s"] = m.t_s;
    nb::list channels, scenes;
    for (slide::Channel const& c : m.channels) channels.append(dict_of(c));
    for (slide::SceneInfo const& s : m.scenes) scenes.append(dict_of(s));
    out["channels"] = channels;
    out["scenes"] = scenes;
    out["acquired"] = m.acquired;
    out["objective"] = m.objective;
    out["application"] = m.application;
    out["title"] = m.title;
    out["pixel_type"] = m.pixel_type;
    out["sizes"] = m.sizes;
    out["scene_count"] = m.scene_count;
    out["notes"] = notes;
    return out;
}

std::string xml_of(Slide const& slide) {
    czi::File const& file = czi_of(slide, "there is no XML of ZEISS");
    return work(nb::none(), [&](Telling&) { return file.xml(); });
}

nb::list attachments_of(Slide const& slide) {
    nb::list out;
    if (slide.format() != "czi") return out;
    for (czi::Attachment const& a :
         work(nb::none(), [&](Telling&) { return slide.file().attachments(); }))
        out.append(nb::make_tuple(a.name, a.content_type, a.data_size, a.problem));
    return out;
}

nb::bytes read_attachment(Slide const& slide, std::string const& name) {
    czi_of(slide, "there are no attachments");
    auto const bytes = work(nb::none(), [&](Telling&) -> Result<std::vector<std::byte>> {
        SLUICE_TRY(czi::Attachment const a, slide::attachment_named(slide, name));
        return slide.file().read(a);
    });
    return nb::bytes(bytes.data(), bytes.size());
}

std::vector<double> time_stamps(Slide const& slide) {
    if (slide.format() != "czi") return {};
    return work(nb::none(), [&](Telling&) -> Result<std::vector<double>> {
        SLUICE_TRY(auto const all, slide.file().attachments());
        for (czi::Attachment const& a : all) {
            if (a.name != "TimeStamps") continue;
            SLUICE_TRY(auto const bytes, slide.file().read(a));
            return czi::parse_time_stamps(bytes);
        }
        return std::vector<double>{};
    });
}

nb::dict header_of(Slide const& slide) {
    czi::Header const& h = czi_of(slide, "there is no header").header();
    nb::dict out;
    out["version"] = nb::make_tuple(h.major, h.minor);
    out["guid"] = nb::bytes(h.guid.data(), h.guid.size());
    out["primary_guid"] = nb::bytes(h.primary_guid.data(), h.primary_guid.size());
    out["file_part"] = h.file_part;
    out["update_pending"] = h.update_pending;
    return out;
}

nb::list check(Slide const& slide) {
    czi::File const& file = czi_of(slide, "there are no rules to check");
    nb::list out;
    for (czi::Violation const& v : work(nb::none(), [&](Telling&) { return czi::check(file); }))
        out.append(nb::make_tuple(v.rule, v.message, v.at, v.note));
    return out;
}

}  // namespace

void add_slide_file(nb::module_& m) {
    m.def("slide_metadata", metadata_of, "slide"_a);
    m.def("slide_xml", xml_of, "slide"_a);
    m.def("slide_attachments", attachments_of, "slide"_a);
    m.def("slide_attachment", read_attachment, "slide"_a, "name"_a);
    m.def("slide_time_stamps", time_stamps, "slide"_a);
    m.def("slide_header", header_of, "slide"_a);
    m.def("slide_check", check, "slide"_a);
}

}  // namespace sluice::python
