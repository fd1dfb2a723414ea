// What stem4d's structs are in Python.
// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/string.h>

#include "bind/arrays.h"
#include "bind/stem4d.h"

namespace sluice::python {

nb::dict dict_of(stem4d::VirtualImages images) {
    nb::dict out;
    out["names"] = images.names;
    out["values"] = to_numpy(std::move(images.values));
    out["valid_pixels"] = to_numpy(std::move(images.valid_pixels));
    out["disk"] = numbers_of(images.disk);
    out["notes"] = images.notes;
    out["corrected"] = images.corrected;
    return out;
}

nb::dict units_of(std::initializer_list<std::pair<char const*, ScanMap const&>> maps) {
    nb::dict out;
    for (auto const& [field, map] : maps) out[field] = map.unit;
    return out;
}

nb::dict dict_of(stem4d::CenterOfMass com) {
    nb::dict out;
    out["units"] = units_of(
        {{"sum", com.sum}, {"row", com.row}, {"col", com.col}, {"magnitude", com.magnitude}});
    out["sum"] = to_numpy(std::move(com.sum));
    out["row"] = to_numpy(std::move(com.row));
    out["col"] = to_numpy(std::move(com.col));
    out["reference"] = nb::make_tuple(com.reference.row, com.reference.col);
    out["magnitude"] = to_numpy(std::move(com.magnitude));
    out["disk"] = numbers_of(com.disk);
    out["notes"] = com.notes;
    return out;
}

nb::dict dict_of(stem4d::DiffractionPattern pattern) {
    nb::dict out;
    out["values"] = to_numpy(std::move(pattern.values));
    out["frames"] = pattern.frames;
    out["notes"] = pattern.notes;
    out["corrected"] = pattern.corrected;
    return out;
}

nb::dict dict_of(stem4d::Rotation const& r) {
    nb::dict out;
    out["degrees"] = r.degrees;
    out["transpose"] = r.transpose;
    out["curl_over_divergence"] = r.curl_over_divergence;
    out["error_degrees"] = r.error_degrees;
    out["by_chance"] = r.by_chance;
    out["angle_known"] = r.angle_known;
    out["transpose_known"] = r.transpose_known;
    out["sign_known"] = r.sign_known;
    return out;
}

nb::dict dict_of(stem4d::Products products, bool images, bool center_of_mass) {
    nb::dict out;
    out["images"] = images ? nb::object(dict_of(std::move(products.images))) : nb::none();
    out["center_of_mass"] =
        center_of_mass ? nb::object(dict_of(std::move(products.center_of_mass))) : nb::none();
    nb::list patterns;
    for (stem4d::DiffractionPattern& p : products.patterns) patterns.append(dict_of(std::move(p)));
    out["patterns"] = patterns;
    return out;
}

}  // namespace sluice::python
