// Reads options out of JSON by the tables of fields that command lines are read by.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/crystal/crystal_request.h"

#include "app/view/stem4d/crystal/option_tables.h"
#include "domain/crystal/fields.h"
#include "domain/crystal/strain/fields.h"

namespace sluice::app {

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
