// Numbers of disks and strain as arrays, and what is said of them.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/crystal/strain_answer.h"

#include <algorithm>

#include "app/view/stem4d/crystal/words_json.h"

namespace sluice::app {
namespace {

using stem4d::BraggVectors;
using stem4d::DiskReason;
using stem4d::LatticeReason;

Json row_col(stem4d::Point const& p) {
    return {p.row, p.col};
}

Json json_of(stem4d::LatticeBasis const& l) {
    return {{"origin", row_col(l.origin)}, {"a", row_col(l.a)}, {"b", row_col(l.b)}};
}

}  // namespace

Answer pack_disks(DiskPlan const& plan, BraggVectors const& v) {
    std::vector<double> values;
    for (std::size_t d = 0; d < v.row.size(); ++d)
        for (auto const column :
             {&BraggVectors::row, &BraggVectors::col, &BraggVectors::intensity,
              &BraggVectors::background, &BraggVectors::var_row, &BraggVectors::var_col,
              &BraggVectors::cov_row_col, &BraggVectors::intensity_error, &BraggVectors::score})
            values.push_back(static_cast<double>((v.*column)[d]));
    Answer a;
    a.arrays.add_floats("disks", {v.size(), 9}, values);
    a.fields["reason"] = std::string(stem4d::name_of(v.reason.front()));
    a.fields["plan"] = json_of(plan);
    return a;
}

Answer pack_strain(ScanLattices const& found, stem4d::StrainMaps const& maps) {
    auto const& [disks, basis, fit, notes] = found;
    std::vector<index> const shape{fit.scan_shape[0], fit.scan_shape[1]};
    std::vector<double> values, errors, used;
    Answer a;
    a.fields["maps"] = Json::array();
    for (ScanMap const* map : maps.maps()) {
        values.insert(values.end(), map->values.begin(), map->values.end());
        errors.insert(errors.end(), map->error.begin(), map->error.end());
        a.fields["maps"].push_back({{"name", map->name}, {"unit", map->unit}});
    }
    for (index const n : fit.used) used.push_back(static_cast<double>(n));
    a.arrays.add_floats("maps", {4, shape[0], shape[1]}, values);
    a.arrays.add_floats("errors", {4, shape[0], shape[1]}, errors);
    a.arrays.add_floats("lattices", {shape[0], shape[1], 6}, fit.values.values);
    a.arrays.add_counts("used", shape, used);
    add_reasons(a, "reason", shape, fit.reason);
    add_reasons(a, "disk_reason", shape, disks->vectors.reason);
    a.fields["reasons"] = words_until(LatticeReason::two_lattices);
    a.fields["disk_reasons"] = words_until(DiskReason::off_detector);
    a.fields["disks"] = disks->vectors.size();
    a.fields["fitted"] = std::ranges::count(fit.reason, LatticeReason::fitted);
    a.fields["basis"] = json_of(basis);
    a.fields["reference"] = json_of(maps.reference);
    a.fields["sigma_sys"] = fit.sigma_sys;
    std::vector<std::string> all = maps.notes;
    all.insert(all.end(), notes.begin(), notes.end());
    all.insert(all.end(), fit.notes.begin(), fit.notes.end());
    a.fields["notes"] = all;
    a.fields["plan"] = json_of(*disks->plan);
    return a;
}

}  // namespace sluice::app
