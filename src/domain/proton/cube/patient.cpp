// What protons meet: tissues out of an image.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/of_file.h"
#include "domain/proton/config/image_values.h"
#include "domain/proton/config/tissues.h"
#include "domain/proton/marching/grid.h"
#include "domain/proton/physics/tissue.h"
#include "sluice/proton_dose.h"

namespace sluice::proton {
namespace {

// Of gases, what protons scatter that have just entered: a mean of part_of_thick() in air.
constexpr double young_gas = 0.65;

Error bad_image(std::string text) {
    return {Code::invalid_argument, std::move(text)};
}

Error too_many() {
    return bad_image("the image has more than 65000 different values; is it HU?");
}

Status check_shape(Volume const& ct) {
    if (ct.image.shape.size() != 3)
        return bad_image(
            fmt::format("the image has {} axes, and a dose needs three", ct.image.shape.size()));
    if (ct.spacing.size() != 3 || ct.origin.size() != 3)
        return bad_image("the image does not tell its spacing and origin in mm");
    for (double const s : ct.spacing)
        if (!(s > 0.01 && s < 100))
            return bad_image(fmt::format("the image has voxels of {:g} mm; give 0.01 to 100", s));
    for (index const n : ct.image.shape)
        if (n < 2) return bad_image("the image has a single voxel along an axis; give two or more");
    return {};
}

Status check_image(Volume const& ct, PatientOptions const& o) {
    auto const& values = ct.image.values;
    auto const odd = std::ranges::find_if(values, [](float v) { return !std::isfinite(v); });
    if (odd != values.end())
        return bad_image(fmt::format("the image is {} at voxel {}", *odd, odd - values.begin()));
    if (std::string why = why_not(image_values(values), o.quantity, "quantity"); !why.empty())
        return bad_image(std::move(why));
    return {};
}

Status lay_tissues(Volume const& ct, ImageQuantity quantity, HuTable const& stopping,
                   Tissues& tissues, Patient& p) {
    auto const& values = ct.image.values;
    BeyondTable beyond(stopping);
    bool const hu = quantity == ImageQuantity::hu;
    p.tissue.reserve(values.size());
    for (float const v : values) {
        auto const value = static_cast<double>(v);
        auto const number = tissues.number(quantity, hu ? beyond.nearest(value) : value);
        if (!number) return too_many();
        p.tissue.push_back(*number);
    }
    if (auto g = beyond.guard(std::ssize(values), "voxels")) {
        // Padding below the table is air as its first value is; what lies above is metal.
        if (!beyond.above()) g->severity = Severity::note;
        p.guards.push_back(*std::move(g));
    }
    return {};
}

// What rays look up.
void tabulate(Patient& p) {
    Physics const physics(p.water);
    for (Material const& m : p.materials) {
        double const part = marching::is_gas(m) ? young_gas : 1;
        p.stopping.push_back(static_cast<float>(physics.relative_stopping_power(m, image_energy)));
        p.scattering.push_back(static_cast<float>(m.scattering * part));
        p.density.push_back(static_cast<float>(m.density));
    }
}

Result<HuTable> table_or(std::string const& path, HuTable const& usual) {
    if (path.empty()) return usual;
    return read_hu_table(path);
}

std::string names_of(StructureSet const& set) {
    std::string all;
    for (Structure const& s : set.structures) all += (all.empty() ? "" : ", ") + s.name;
    return all;
}

Result<Structure const*> find_structure(StructureSet const* set, std::string const& name) {
    if (!set)
        return bad_image(fmt::format("structure '{}' is asked for; give the structures", name));
    Structure const* found = nullptr;
    for (Structure const& s : set->structures) {
        if (s.name != name) continue;
        if (found)
            return bad_image(fmt::format("two structures are called '{}'; rename one", name));
        found = &s;
    }
    if (found) return found;
    return bad_image(
        fmt::format("there is no structure '{}' (there are {})", name, names_of(*set)));
}

// What is asked for, or the one of the type EXTERNAL; null: the image is not cut.
Result<Structure const*> external_of(StructureSet const* set, PatientOptions const& o) {
    if (!o.external.empty()) return find_structure(set, o.external);
    Structure const* found = nullptr;
    if (!set || o.whole_image) return found;
    for (Structure const& s : set->structures) {
        if (s.type != "EXTERNAL") continue;
        if (found)
            return bad_image(fmt::format("'{}' and '{}' are both EXTERNAL; say which by external",
                                         found->name, s.name));
        found = &s;
    }
    return found;
}

Result<StructureParts> parts_in(Structure const& s, Volume const& ct) {
    auto parts = structure_parts(s, ct);
    if (!parts)
        return Error{parts.error().code,
                     fmt::format("structure '{}': {}", s.name, parts.error().message)};
    return parts;
}

// Voxels that lie in a structure by half are in it.
constexpr float half = 0.5F;

Status lay_structures(Volume const& ct, PatientOptions const& o, StructureSet const* set,
                      Tissues& tissues, Patient& p) {
    SLUICE_TRY(Structure const* const external, external_of(set, o));
    constexpr double air_hu = -1000;
    auto const lay = [&](StructureParts const& parts, std::uint16_t tissue, bool inside) {
        index changed = 0;
        for (std::size_t i = 0; i < p.tissue.size(); ++i) {
            if ((parts.parts.values[i] >= half) != inside) continue;
            p.tissue[i] = tissue;
            ++changed;
        }
        return changed;
    };
    if (external) {
        SLUICE_TRY(StructureParts const parts, parts_in(*external, ct));
        p.outside = tissues.another(ImageQuantity::hu, air_hu);
        if (!p.outside) return too_many();
        lay(parts, *p.outside, false);
        p.notes.push_back(
            fmt::format("outside of structure '{}' there is air, and no dose is told: couches and "
                        "masks that it does not hold are left out",
                        external->name));
    } else {
        p.notes.emplace_back(
            "no structure EXTERNAL: all of the image counts, couches and masks, too");
    }
    for (TissueOverride const& change : o.overrides) {
        SLUICE_TRY(Structure const* const s, find_structure(set, change.structure));
        SLUICE_TRY(StructureParts const parts, parts_in(*s, ct));
        auto const number = tissues.number(ImageQuantity::hu, change.hu);
        if (!number) return too_many();
        index const changed = lay(parts, *number, true);
        p.notes.push_back(fmt::format("structure '{}' is taken as {:g} HU: {} voxels",
                                      change.structure, change.hu, changed));
    }
    return {};
}

}  // namespace

Result<Patient> patient_of(Volume const& ct, PatientOptions const& o,
                           StructureSet const* structures) {
    SLUICE_CHECK(check_shape(ct));
    SLUICE_CHECK(check_image(ct, o));
    SLUICE_TRY(HuTable const stopping, table_or(o.table, default_stopping_table()));
    SLUICE_TRY(HuTable const density, table_or(o.density_table, default_density_table()));
    Patient p;
    p.shape = ct.image.shape;
    p.spacing = ct.spacing;
    p.origin = ct.origin;
    p.direction = ct.direction;
    p.water = o.water;
    Tissues tissues(p.water, stopping, density, p.materials);
    ImageQuantity const quantity = o.quantity.value_or(ImageQuantity::hu);
    SLUICE_CHECK(lay_tissues(ct, quantity, stopping, tissues, p));
    p.notes.push_back(tissues_note(quantity, stopping, density));
    std::string const file = structures ? structures->path : std::string();
    SLUICE_CHECK(of_file(file, lay_structures(ct, o, structures, tissues, p)));
    tabulate(p);
    return p;
}

}  // namespace sluice::proton
