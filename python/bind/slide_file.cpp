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
    check_czi(slide, "there is no XML of ZEISS");
    return work(nb::none(), [&](Telling&) { return slide.xml(); });
}

nb::list attachments_of(Slide const& slide) {
    nb::list out;
    for (slide::Attachment const& a :
         work(nb::none(), [&](Telling&) { return slide.attachments(); }))
        out.append(nb::make_tuple(a.name, a.content_type, a.data_size, a.problem));
    return out;
}

nb::bytes read_attachment(Slide const& slide, std::string const& name) {
    check_czi(slide, "there are no attachments");
    auto const bytes = work(nb::none(), [&](Telling&) -> Result<std::vector<std::byte>> {
        SLUICE_TRY(slide::Attachment const a, slide::attachment_named(slide, name));
        return slide.read(a);
    });
    return nb::bytes(bytes.data(), bytes.size());
}

std::vector<double> time_stamps(Slide const& slide) {
    return work(nb::none(), [&](Telling&) { return slide.time_stamps(); });
}

nb::dict header_of(Slide const& slide) {
    check_czi(slide, "there is no header");
    slide::SlideFacts const h = slide.facts();
    nb::dict out;
    out["version"] = nb::make_tuple(h.version[0], h.version[1]);
    out["guid"] = nb::bytes(h.guid.data(), h.guid.size());
    out["primary_guid"] = nb::bytes(h.primary_guid.data(), h.primary_guid.size());
    out["file_part"] = h.file_part;
    out["update_pending"] = h.update_pending;
    return out;
}

nb::list check(Slide const& slide) {
    nb::list out;
    for (slide::Violation const& v : work(nb::none(), [&](Telling&) { return slide.check(); }))
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
