// The parts of a plan, each out of its table of a configuration.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/analyze/read_parts.h"

#include <fmt/format.h>

#include "config/read_fields.h"
#include "domain/crystal/analyze/wishes.h"
#include "domain/crystal/fields.h"
#include "domain/stem4d/fields.h"
#include "domain/stem4d/parse_places.h"
#include "format/npy/plane.h"

namespace sluice::crystal {
namespace {

using namespace stem4d;
using config::read_fields;
using config::Table;

// The value that a text of a key makes; errors without a file of their own are at the table.
template <class T>
Result<T> at_table(Table const& table, std::string const& key, Result<T> read) {
    if (read || !read.error().file.empty()) return read;
    return table.error(fmt::format("{}: {}", table.full(key), read.error().message));
}

Result<Detector> detector_of(Table const& table, std::string const& key, std::string const& text,
                             std::string const& folder) {
    SLUICE_TRY(Detector d, at_table(table, key, parse_detector(detector_in(folder, text))));
    // Its name is what the configuration has, wherever its folder is.
    if (!d.pixels.empty() && d.name == detector_in(folder, text)) d.name = text;
    return d;
}

// Files of earlier versions say `most`.
Status read_earlier(Table& table, DiskOptions& into, std::vector<std::string>& notes) {
    toml::value const* const value = table.find("most");
    if (!value) return {};
    if (table.find("most_disks"))
        return config::wrong(table.file(), *value,
                             "most is what most_disks was called before; give one of them");
    auto const* const field = config::find_field(disk_fields(), "most_disks");
    notes.push_back(fmt::format("{}:{}: '{}' is called most_disks now; it is read as that",
                                table.file(), value->location().line(), table.full("most")));
    return read_field(table, *field, *value, into);
}

}  // namespace

Status PartReader::images(Table table, std::string const& name, AnalysisPlan& into) const {
    ImagesWish wish;
    SLUICE_CHECK(read_fields(table, images_fields(), wish));
    SLUICE_CHECK(table.nothing_else());
    ImagesPart part{.name = name, .mean = wish.mean};
    for (std::string const& text : wish.detectors) {
        SLUICE_TRY(Detector d, detector_of(table, "detector", text, folder));
        // One image of a named table is called like it.
        if (!name.empty()) d.name = wish.detectors.size() == 1 ? name : name_in(name, d.name);
        part.detectors.push_back(std::move(d));
    }
    into.images.push_back(std::move(part));
    return {};
}

Status PartReader::patterns(Table table, std::string const& name, AnalysisPlan& into) const {
    PatternsWish wish;
    SLUICE_CHECK(read_fields(table, patterns_fields(), wish));
    SLUICE_CHECK(table.nothing_else());
    PatternsPart part{.name = name, .kinds = wish.kinds};
    if (!wish.at.empty() && !wish.where.empty())
        return table.error(
            fmt::format("{} and {} exclude each other (each says which points take part); give one",
                        table.full("at"), table.full("where")));
    if (!wish.at.empty()) {
        SLUICE_TRY(part.at, at_table(table, "at", parse_scan_point(wish.at)));
    }
    if (!wish.where.empty()) {
        part.where_file = path_in(folder, wish.where);
        SLUICE_TRY(part.where, npy::load_plane(part.where_file));
    }
    into.patterns.push_back(std::move(part));
    return {};
}

Status PartReader::moments(Table table, std::string const& name, AnalysisPlan& into) const {
    MomentsWish wish;
    SLUICE_CHECK(read_fields(table, moments_fields(), wish));
    SLUICE_CHECK(read_fields(table, phase_fields(), wish.phase));
    SLUICE_CHECK(table.nothing_else());
    MomentsPart part{.name = name,
                     .rotation = wish.phase.rotation,
                     .periodic = wish.phase.periodic,
                     .descan = wish.phase.descan};
    if (!wish.within.empty()) {
        SLUICE_TRY(part.within, detector_of(table, "within", wish.within, folder));
    }
    if (Status s = check(wish.phase); !s) return table.error(s.error().message);
    into.moments.push_back(std::move(part));
    return {};
}

Status PartReader::disks(Table table, std::string const& name, AnalysisPlan& into) const {
    TemplateWish from;
    DisksPart part{.name = name};
    SLUICE_CHECK(read_fields(table, template_wish_fields(), from));
    SLUICE_CHECK(read_fields(table, template_fields(), part.fit));
    SLUICE_CHECK(read_fields(table, disk_fields(), part.options));
    SLUICE_CHECK(read_earlier(table, part.options, notes));
    SLUICE_CHECK(table.nothing_else());
    if (!from.file.empty() + !from.vacuum.empty() + !from.radius.empty() > 1)
        return table.error(
            "template, vacuum and template_radius exclude each other (each gives the template); "
            "give one");
    if (!from.file.empty()) {
        SLUICE_TRY(part.probe, load_template(path_in(folder, from.file)));
    }
    if (!from.radius.empty()) {
        SLUICE_TRY(part.probe,
                   at_table(table, "template_radius", parse_template_radius(from.radius)));
    }
    part.vacuum = path_in(folder, from.vacuum);
    part.open_vacuum = open;
    into.disks.push_back(std::move(part));
    return {};
}

}  // namespace sluice::crystal
