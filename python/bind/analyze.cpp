// Plans: any set of analyses in one pass, at once and in parts.
// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <map>

#include "bind/arrays.h"
#include "bind/choices.h"
#include "bind/core.h"
#include "bind/device.h"
#include "bind/stem4d.h"
#include "bind/work.h"
#include "domain/crystal/fields.h"
#include "domain/stem4d/fields.h"
#include "domain/stem4d/words.h"
#include "format/fields.h"
#include "sluice/stem4d_analyze.h"
#include "store/fields.h"
#include "store/words.h"

namespace sluice::python {
namespace {

using namespace nb::literals;
using stem4d::AnalysisConfig;
using stem4d::AnalysisPlan;
using stem4d::Decided;
using Texts = std::map<std::string, std::string>;

void add_images(AnalysisPlan& plan, std::string const& name,
                std::vector<stem4d::Detector> const& detectors, bool mean) {
    plan.images.push_back({.name = name, .detectors = detectors, .mean = mean});
}

void add_patterns(AnalysisPlan& plan, std::string const& name,
                  std::vector<std::string> const& kinds, std::optional<std::array<index, 2>> at,
                  std::optional<Dense<float, 2>> const& where) {
    stem4d::PatternsPart part{.name = name, .kinds = {}, .at = at, .where_file = "where"};
    for (std::string const& kind : kinds) part.kinds.push_back(unwrap(stem4d::parse_pattern(kind)));
    if (where) part.where = to_array<float, 2>(*where);
    plan.patterns.push_back(std::move(part));
}

void add_moments(AnalysisPlan& plan, std::string const& name,
                 std::optional<stem4d::Detector> const& within,
                 std::optional<std::string> const& rotation, bool periodic,
                 std::optional<std::string> const& descan) {
    stem4d::MomentsPart part{
        .name = name, .within = within, .rotation = rotation, .periodic = periodic};
    if (descan) part.descan = choice<stem4d::Descan>("descan", *descan);
    plan.moments.push_back(std::move(part));
}

// The fields of a table that texts are given for; a name that is none was refused before.
template <class T>
void set_fields(config::Fields<T> fields, Texts const& texts, T& into) {
    for (auto const& [name, text] : texts)
        if (auto const* const field = config::find_field(fields, name))
            unwrap(field->set(into, text));
}

void add_disks(AnalysisPlan& plan, std::string const& name,
               std::optional<stem4d::FittedTemplate> const& probe, std::string const& vacuum,
               Texts const& texts) {
    stem4d::DisksPart part{.name = name, .vacuum = vacuum};
    if (probe) part.probe = probe->probe;
    set_fields(stem4d::template_fields(), texts, part.fit);
    set_fields(stem4d::disk_fields(), texts, part.options);
    plan.disks.push_back(std::move(part));
}

// What differs from the usual values, by the names of fields.
template <class T>
void add_texts(config::Fields<T> fields, T const& of, nb::dict& to) {
    T const usual{};
    for (auto const& field : fields)
        if (field.text(of) != field.text(usual))
            to[std::string(field.name).c_str()] = field.text(of);
}

nb::dict open_texts(AnalysisConfig const& c) {
    nb::dict out;
    add_texts(open_fields(), c.open, out);
    return out;
}

nb::dict load_texts(AnalysisConfig const& c) {
    nb::dict out;
    add_texts(load_fields(), c.load, out);
    add_texts(config::Fields<LoadOptions>(&detector_step_field(), 1), c.load, out);
    if (c.load.residency != Residency::automatic)
        out["residency"] = std::string(config::word_of(c.load.residency));
    return out;
}

template <class T>
void add_names(config::Fields<T> fields, std::vector<std::string>& to) {
    for (auto const& field : fields) to.emplace_back(field.name);
}

// The keys of each table, as configurations have them.
std::map<std::string, std::vector<std::string>> analysis_keys() {
    std::map<std::string, std::vector<std::string>> keys;
    add_names(stem4d::images_fields(), keys["virtual_image"]);
    add_names(stem4d::patterns_fields(), keys["diffraction_pattern"]);
    add_names(stem4d::moments_fields(), keys["center_of_mass"]);
    add_names(stem4d::phase_fields(), keys["center_of_mass"]);
    keys["disks"] = {"template", "vacuum", "template_radius"};
    add_names(stem4d::template_fields(), keys["disks"]);
    add_names(stem4d::disk_fields(), keys["disks"]);
    return keys;
}

stem4d::Options options_of(std::string const& device, int threads,
                           std::optional<DiskNumbers> const& disk) {
    return {.device = device_named(device, threads), .disk = disk_of(disk)};
}

// Decisions travel to other processes.
using DecidedState = std::tuple<std::optional<DiskNumbers>, std::vector<stem4d::FittedTemplate>,
                                std::vector<stem4d::DiskSetup>, std::vector<std::string>>;

std::vector<stem4d::FittedTemplate> templates_of(Decided const& d) {
    std::vector<stem4d::FittedTemplate> all;
    for (auto const& one : d.disks) all.push_back(one.fitted);
    return all;
}
std::vector<stem4d::DiskSetup> setups_of(Decided const& d) {
    std::vector<stem4d::DiskSetup> all;
    for (auto const& one : d.disks) all.push_back(one.setup);
    return all;
}
DecidedState decided_state(Decided const& d) {
    return {numbers_of(d.disk), templates_of(d), setups_of(d), d.why};
}
void set_decided(Decided& d, DecidedState const& state) {
    auto const& [disk, templates, setups, why] = state;
    if (templates.size() != setups.size())
        raise({Code::invalid_argument, "decisions with unlike numbers of templates and plans"});
    new (&d) Decided{disk_of(disk), {}, why};
    for (std::size_t i = 0; i < setups.size(); ++i) d.disks.push_back({templates[i], setups[i]});
}

Decided decide(Scan const& scan, AnalysisPlan const& plan, std::string const& device, int threads,
               std::optional<DiskNumbers> const& disk) {
    stem4d::Options options = options_of(device, threads, disk);
    return work(nb::none(), [&](Telling& telling) {
        options.progress = telling.progress();
        return stem4d::decide_analysis(scan, plan, options);
    });
}

// Names of parts, and what each found, in the order of the plan.
nb::dict analyzed_dict(stem4d::Analyzed found, AnalysisPlan const& plan) {
    nb::list images, patterns, moments, disks;
    for (std::size_t p = 0; p < found.images.size(); ++p)
        images.append(nb::make_tuple(plan.images[p].name, dict_of(std::move(found.images[p]))));
    for (std::size_t p = 0; p < found.patterns.size(); ++p)
        for (std::size_t k = 0; k < found.patterns[p].size(); ++k)
            patterns.append(nb::make_tuple(
                stem4d::name_in(plan.patterns[p].name,
                                std::string(config::word_of(plan.patterns[p].kinds[k]))),
                dict_of(std::move(found.patterns[p][k]))));
    for (std::size_t p = 0; p < found.moments.size(); ++p) {
        auto& m = found.moments[p];
        nb::object phase = nb::none();
        if (m.phase) phase = dict_of(std::move(*m.phase));
        moments.append(
            nb::make_tuple(plan.moments[p].name, dict_of(std::move(m.com)), std::move(phase)));
    }
    for (std::size_t p = 0; p < found.disks.size(); ++p)
        disks.append(nb::make_tuple(plan.disks[p].name, std::move(found.disks[p])));
    nb::dict out;
    out["images"] = images;
    out["patterns"] = patterns;
    out["moments"] = moments;
    out["disks"] = disks;
    return out;
}

nb::dict analyze(Scan const& scan, AnalysisPlan const& plan, Decided const& decided,
                 std::string const& device, int threads, nb::object progress) {
    stem4d::Options options = options_of(device, threads, {});
    stem4d::Analyzed found = work(progress, [&](Telling& telling) {
        options.progress = telling.progress();
        return stem4d::analyze(scan, plan, decided, options);
    });
    return analyzed_dict(std::move(found), plan);
}

// A plan in parts, for several processes.
class PlanParts {
  public:
    PlanParts(Scan const& scan, AnalysisPlan plan, Decided const& decided, int threads)
        : plan_(std::move(plan)) {
        stem4d::Options const options = options_of("cpu", threads, {});
        parts_.emplace(work(nb::none(), [&](Telling&) {
            return stem4d::AnalysisParts::begin(scan, plan_, decided, options);
        }));
    }

    index groups() const { return parts_->groups(); }
    nb::bytes part(index first, index count) {
        std::vector<std::byte> const made =
            work(nb::none(), [&](Telling&) { return parts_->part(first, count); });
        return nb::bytes(reinterpret_cast<char const*>(made.data()), made.size());
    }
    void add(nb::bytes part) {
        unwrap(parts_->add(std::as_bytes(std::span(part.c_str(), part.size()))));
    }
    nb::dict finish() { return analyzed_dict(unwrap(std::move(*parts_).finish()), plan_); }

  private:
    AnalysisPlan plan_;
    std::optional<stem4d::AnalysisParts> parts_;
};

}  // namespace

void add_analyze(nb::module_& m) {
    nb::class_<AnalysisPlan>(m, "AnalysisPlan")
        .def(nb::init<>())
        .def("add_images", add_images, "name"_a, "detectors"_a, "mean"_a)
        .def("add_patterns", add_patterns, "name"_a, "kinds"_a, "at"_a.none(), "where"_a.none())
        .def("add_moments", add_moments, "name"_a, "within"_a.none(), "rotation"_a.none(),
             "periodic"_a, "descan"_a.none())
        .def("add_disks", add_disks, "name"_a, "template_"_a.none(), "vacuum"_a, "texts"_a);
    nb::class_<AnalysisConfig>(m, "AnalysisConfig")
        .def_prop_ro("scan", [](AnalysisConfig const& c) { return c.scan; })
        .def_prop_ro("open", open_texts)
        .def_prop_ro("load", load_texts)
        .def_prop_ro("mask",
                     [](AnalysisConfig const& c) {
                         return c.mask.empty() ? nb::object(nb::none())
                                               : nb::object(to_numpy(c.load.user_mask));
                     })
        .def_prop_ro("notes", [](AnalysisConfig const& c) { return c.notes; })
        .def_prop_ro("disk", [](AnalysisConfig const& c) { return numbers_of(c.plan.disk); })
        .def_prop_ro("plan", [](AnalysisConfig const& c) { return c.plan; });
    nb::class_<Decided>(m, "DecidedAnalysis")
        .def_prop_ro("disk", [](Decided const& d) { return numbers_of(d.disk); })
        .def_prop_ro("why", [](Decided const& d) { return d.why; })
        .def("__getstate__", decided_state)
        .def("__setstate__", set_decided)
        .def_prop_ro("templates", templates_of)
        .def_prop_ro("setups", setups_of);
    m.def("analysis_keys", analysis_keys);
    m.def("example_analysis", [] { return std::string(stem4d::example_analysis()); });
    m.def(
        "read_analysis",
        [](std::string const& path) {
            return work(nb::none(), [&](Telling&) { return stem4d::read_analysis(path); });
        },
        "path"_a);
    m.def("decide_analysis", decide, "scan"_a, "plan"_a, "device"_a, "threads"_a, "disk"_a.none());
    m.def("analyze", analyze, "scan"_a, "plan"_a, "decided"_a, "device"_a, "threads"_a,
          "progress"_a.none());
    nb::class_<PlanParts>(m, "AnalysisParts")
        .def(nb::init<Scan const&, AnalysisPlan, Decided const&, int>(), nb::keep_alive<1, 2>(),
             "scan"_a, "plan"_a, "decided"_a, "threads"_a)
        .def_prop_ro("groups", &PlanParts::groups)
        .def("part", &PlanParts::part, "first"_a, "count"_a)
        .def("add", &PlanParts::add, "part"_a)
        .def("finish", &PlanParts::finish);
}

}  // namespace sluice::python
