// Reads options out of JSON by the tables of fields that command lines are read by.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/crystal/crystal_request.h"

#include <fmt/format.h>

#include "domain/crystal/fields.h"
#include "domain/crystal/strain/fields.h"

namespace sluice::app {
namespace {

// As the command line would have it.
Result<std::string> text_of(Fields const& value, std::string const& name) {
    if (value.is_boolean()) return std::string(value.get<bool>() ? "true" : "false");
    if (value.is_number()) {
        SLUICE_TRY(double const number, number_of(value, name));
        return config::value_text(number);
    }
    if (!value.is_string() || value.get_ref<std::string const&>().size() > max_word)
        return wrong_field(name, "must be a number, a word, true or false");
    return value.get<std::string>();
}

// `others` takes what is in no table, and says whether it knows the name.
template <class T, class Others>
Status read_table(Fields const& fields, std::string const& group, config::Fields<T> table, T& into,
                  Others const& others) {
    auto const it = fields.find(group);
    if (it == fields.end()) return {};
    if (!it->is_object()) return wrong_field(group, "must be an object of options");
    for (auto const& [name, value] : it->items()) {
        auto const* const field = config::find_field(table, name);
        if (!field) {
            SLUICE_TRY(bool const known, others(name, value));
            if (!known)
                return wrong_field(group,
                                   fmt::format("'{}' is no option", name.substr(0, max_word)));
            continue;
        }
        SLUICE_TRY(std::string const text, text_of(value, name));
        if (Status const set = field->set(into, text); !set)
            return wrong_field(group, set.error().message);
    }
    return {};
}

constexpr auto no_others = [](std::string const&, Fields const&) -> Result<bool> { return false; };

template <class T>
Json table_json(T const& of, config::Fields<T> table) {
    Json j = Json::object();
    for (auto const& [name, text] : config::texts_of(of, table)) j[name] = text;
    return j;
}

}  // namespace

Result<DiskWish> disk_wish_of(Fields const& fields, std::string const& group) {
    DiskWish wish;
    auto const of_template = [&](std::string const& name, Fields const& value) -> Result<bool> {
        if (name != "template_radius" && name != "template_edge") return false;
        SLUICE_TRY(double const length, number_of(value, name));
        if (length <= 0) return wrong_field(name, "must be above 0");
        if (name == "template_radius")
            wish.radius = length;
        else
            wish.edge_width = length;
        return true;
    };
    SLUICE_CHECK(read_table(fields, group, stem4d::disk_fields(), wish.options, of_template));
    return wish;
}

Result<StrainRequest> strain_request_of(Fields const& fields) {
    StrainRequest request;
    SLUICE_TRY(request.disks, disk_wish_of(fields));
    SLUICE_CHECK(
        read_table(fields, "lattice", stem4d::lattice_fields(), request.lattice, no_others));
    SLUICE_CHECK(read_table(fields, "strain", stem4d::strain_fields(), request.strain, no_others));
    return request;
}

Json echo(DiskWish const& wish) {
    Json j = table_json(wish.options, stem4d::disk_fields());
    if (wish.radius) {
        j["template_radius"] = *wish.radius;
        j["template_edge"] = wish.edge_width;
    }
    return j;
}

Json echo(StrainRequest const& request) {
    return {{"disks", echo(request.disks)},
            {"lattice", table_json(request.lattice, stem4d::lattice_fields())},
            {"strain", table_json(request.strain, stem4d::strain_fields())}};
}

}  // namespace sluice::app
