// Where the time of reading a slide goes.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/slide_profile.h"

#include "bind/slide.h"
#include "bind/work.h"

namespace sluice::python {
namespace {

using namespace nb::literals;

nb::dict spread_of(Spread const& s) {
    nb::dict out;
    out["min"] = s.min;
    out["lower_quartile"] = s.lower_quartile;
    out["median"] = s.median;
    out["upper_quartile"] = s.upper_quartile;
    out["max"] = s.max;
    return out;
}

nb::dict times_of(slide::ReadTimes const& r) {
    nb::dict out;
    out["threads"] = r.threads;
    out["cold"] = r.cold;
    out["wall_s"] = r.wall_s;
    out["cpu_s"] = r.cpu_s;
    out["process_cpu_s"] = r.system.cpu_s;
    out["minor_faults"] = r.system.minor_faults;
    out["major_faults"] = r.system.major_faults;
    out["disk_bytes"] = r.system.disk_bytes;
    out["steal"] = r.system.steal;
    out["repeats"] = r.repeats;
    out["all_wall_s"] = spread_of(r.all_wall_s);
    nb::list steps, slowest;
    for (slide::StepTime const& s : r.steps) {
        nb::dict one;
        one["name"] = s.name;
        one["seconds"] = s.seconds;
        one["tiles"] = s.tiles;
        one["tile_s"] = spread_of(s.tile_s);
        steps.append(one);
    }
    for (slide::TileTime const& t : r.slowest) {
        nb::dict one;
        one["tile"] = t.tile;
        one["seconds"] = t.seconds;
        one["wait_s"] = t.wait_s;
        one["decode_s"] = t.decode_s;
        slowest.append(one);
    }
    out["steps"] = steps;
    out["slowest"] = slowest;
    out["stats"] = dict_of(r.stats);
    return out;
}

nb::dict head_of(slide::Profile const& p) {
    nb::dict out;
    out["path"] = p.path;
    out["file_bytes"] = p.file_bytes;
    out["entries"] = p.entries;
    out["tiles_in_region"] = p.tiles_in_region;
    out["level"] = p.level;
    out["levels"] = p.levels;
    out["processors"] = p.processors;
    out["rect"] = p.region.rect ? nb::object(tuple_of(*p.region.rect)) : nb::none();
    out["shape"] = nb::make_tuple(p.shape.height, p.shape.width, p.shape.samples);
    out["dtype"] = std::string(name_of(p.shape.sample));
    out["tiles"] = p.tiles;
    nb::dict open, disk, amplification;
    open["directory_s"] = p.open.directory_s;
    open["model_s"] = p.open.model_s;
    open["xml_read_s"] = p.open.xml_read_s;
    open["xml_parse_s"] = p.open.xml_parse_s;
    open["xml_bytes"] = p.open.xml_bytes;
    disk["bytes"] = p.disk.bytes;
    disk["cold"] = p.disk.cold;
    disk["cached"] = p.disk.cached;
    disk["cold_s"] = p.disk.cold_s;
    disk["warm_s"] = p.disk.warm_s;
    amplification["per_tile"] = p.amplification.per_tile;
    amplification["most"] = p.amplification.most;
    amplification["of_region"] = p.amplification.of_region;
    out["open"] = open;
    out["disk"] = disk;
    out["amplification"] = amplification;
    return out;
}

nb::dict fields_of(slide::Profile const& p) {
    nb::dict out = head_of(p);
    nb::list reads, seeks, findings;
    for (slide::ReadTimes const& r : p.reads) reads.append(times_of(r));
    out["reads"] = reads;
    out["cold_read"] = p.cold_read ? nb::object(times_of(*p.cold_read)) : nb::none();
    for (slide::SeekStats const& s : p.seeks) {
        nb::dict one;
        one["order"] = s.order;
        one["total"] = s.total;
        one["median"] = s.median;
        one["largest"] = s.largest;
        one["backwards"] = s.backwards;
        seeks.append(one);
    }
    out["seeks"] = seeks;
    for (Finding const& f : p.findings) {
        nb::dict one;
        one["rule"] = f.rule;
        one["text"] = f.text;
        one["advice"] = f.advice;
        one["evidence"] = f.evidence;
        findings.append(one);
    }
    out["findings"] = findings;
    return out;
}

slide::Profile profile(slide::Slide const& slide, Plane plane, std::optional<std::int32_t> scene,
                       Corners rect, int level, index max_tiles, std::vector<int> threads,
                       bool cold, bool map, bool recover, bool trust_directory,
                       nb::object progress) {
    check_czi(slide, "it is not profiled");
    slide::ProfileOptions options;
    options.region = region_of(plane, scene, rect);
    unwrap(slide.shape(options.region, level));
    for (int const t : threads)
        if (t < 1 || t > 1024)
            raise({Code::invalid_argument,
                   "threads has " + std::to_string(t) + "; numbers of threads are 1 to 1024"});
    if (max_tiles < 0) raise({Code::invalid_argument, "max_tiles is below 0; 0 reads all"});
    options.level = level;
    options.max_tiles = max_tiles;
    options.threads = std::move(threads);
    options.cold = cold;
    options.access = map ? Access::map : Access::read;
    options.open = {recover, trust_directory};
    return work(progress, [&](Telling& telling) {
        options.progress = telling.progress();
        return slide::profile(slide.path(), options);
    });
}

}  // namespace

void add_slide_profile(nb::module_& m) {
    nb::class_<slide::Profile>(m, "SlideProfile")
        .def_prop_ro("fields", fields_of)
        .def("trace_events", [](slide::Profile const& p,
                                slide::Slide const& s) { return slide::trace_events(s, p); })
        .def("order_svg",
             [](slide::Profile const& p, slide::Slide const& s) { return slide::order_svg(s, p); });
    m.def("slide_profile", profile, "slide"_a, "plane"_a, "scene"_a.none(), "rect"_a.none(),
          "level"_a, "max_tiles"_a, "threads"_a, "cold"_a, "map"_a, "recover"_a,
          "trust_directory"_a, "progress"_a.none());
}

}  // namespace sluice::python
