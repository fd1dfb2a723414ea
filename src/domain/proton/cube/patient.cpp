// What protons meet: tissues out of an image.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "domain/proton/config/hu_table.h"
#include "domain/proton/config/image_values.h"
#include "domain/proton/marching/grid.h"
#include "domain/proton/physics/tissue.h"
#include "domain/proton/words.h"
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

/// Tissues by value, each made once.
class TissueTable {
  public:
    TissueTable(Patient& patient, HuTable stopping, HuTable density)
        : patient_(patient),
          physics_(patient.water),
          stopping_(std::move(stopping)),
          density_(std::move(density)) {}

    HuTable const& stopping() const { return stopping_; }
    HuTable const& density() const { return density_; }

    /// The number of the tissue; none where there are too many.
    std::optional<std::uint16_t> number(ImageQuantity quantity, double value) {
        auto const steps = quantity == ImageQuantity::hu ? 1.0 : 1000.0;
        auto const key = key_of(quantity, value);
        auto const found = made_.find(key);
        if (found != made_.end()) return found->second;
        if (patient_.stopping.size() > std::numeric_limits<std::uint16_t>::max()) return {};
        auto const number = static_cast<std::uint16_t>(patient_.stopping.size());
        Material const m = make(quantity, std::round(value * steps) / steps);
        double const part = marching::is_gas(m) ? young_gas : 1;
        patient_.stopping.push_back(
            static_cast<float>(physics_.relative_stopping_power(m, image_energy)));
        patient_.scattering.push_back(static_cast<float>(m.scattering * part));
        patient_.density.push_back(static_cast<float>(m.density));
        patient_.materials.push_back(m);
        made_.emplace(key, number);
        return number;
    }

    /// The same tissue under a number of its own.
    Result<std::uint16_t> another(double hu) {
        auto const key = key_of(ImageQuantity::hu, hu);
        auto const old = made_.find(key);
        std::optional<std::uint16_t> kept;
        if (old != made_.end()) kept = old->second;
        made_.erase(key);
        auto const fresh = number(ImageQuantity::hu, hu);
        if (kept) made_[key] = *kept;
        if (!fresh) return too_many();
        return *fresh;
    }

  private:
    Patient& patient_;
    Physics physics_;
    HuTable stopping_, density_;
    std::unordered_map<long long, std::uint16_t> made_;

    static long long key_of(ImageQuantity quantity, double value) {
        auto const steps = quantity == ImageQuantity::hu ? 1.0 : 1000.0;
        return std::llround(value * steps) * 3 + static_cast<long long>(quantity);
    }

    Material make(ImageQuantity quantity, double value) const {
        switch (quantity) {
            case ImageQuantity::hu:
                return tissue(physics_, "", density_.at(value), stopping_.at(value));
            case ImageQuantity::density:
                return tissue(physics_, "", value);
            case ImageQuantity::stopping:
                break;
        }
        return tissue(physics_, "", tissue_density(physics_, value), value);
    }
};

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
    ImageValues const s = image_values(values);
    std::string why;
    if (!o.quantity) why = untold(s, "quantity");
    if (why.empty() && o.quantity.value_or(ImageQuantity::hu) == ImageQuantity::hu)
        why = not_hu(s, o.quantity.has_value(), "quantity");
    else if (why.empty() && !(s.least >= 0 && s.most <= 30))
        why = fmt::format(
            "the image goes from {:g} to {:g}, and cannot be a {} (0 to 30)", s.least, s.most,
            *o.quantity == ImageQuantity::density ? "density in g/cm3" : "relative stopping power");
    if (why.empty()) return {};
    return bad_image(std::move(why));
}

/// Values beyond a table are taken as its ends, and counted.
struct Beyond {
    double low, high;
    index count = 0;
    double least = 0, most = 0;

    double nearest(double value) {
        double const inside = std::clamp(value, low, high);
        if (inside == value) return value;
        ++count;
        least = std::min(least, value);
        most = std::max(most, value);
        return inside;
    }
};

Status lay_tissues(Volume const& ct, ImageQuantity quantity, TissueTable& tissues, Patient& p) {
    auto const& values = ct.image.values;
    HuTable const& table = tissues.stopping();
    Beyond beyond{table.hu.front(), table.hu.back()};
    p.tissue.reserve(values.size());
    for (float const v : values) {
        double const value = static_cast<double>(v);
        auto const number =
            tissues.number(quantity, quantity == ImageQuantity::hu ? beyond.nearest(value) : value);
        if (!number) return bad_image("the image has more than 65000 different values; is it HU?");
        p.tissue.push_back(*number);
    }
    if (beyond.count == 0) return {};
    // Padding below the table is air as its first value is; what lies above is metal.
    Guard g{.name = "hu_outside",
            .value = 100 * static_cast<double>(beyond.count) / static_cast<double>(values.size())};
    g.unit = "%";
    g.severity = beyond.most > beyond.high ? Severity::warning : Severity::note;
    g.text = fmt::format(
        "{} of {} voxels have HU beyond the table of stopping powers ({:g} to {:g}), {:g} to {:g}; "
        "they are taken as its ends",
        beyond.count, values.size(), beyond.low, beyond.high, beyond.least, beyond.most);
    p.guards.push_back(std::move(g));
    return {};
}

Result<HuTable> table_or(std::string const& path, HuTable const& usual) {
    if (path.empty()) return usual;
    return read_hu_table(path);
}

std::string origin_of(ImageQuantity quantity, TissueTable const& tissues) {
    std::string const mixtures =
        "mixtures by volume of air, lung, adipose tissue, muscle and cortical bone";
    if (quantity == ImageQuantity::hu)
        return fmt::format(
            "tissues: stopping power by {}, density by {}; all else as in {} of that density",
            tissues.stopping().name, tissues.density().name, mixtures);
    return "tissues: " + mixtures +
           (quantity == ImageQuantity::density ? " of the image's density"
                                               : " of the image's stopping power");
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
                      TissueTable& tissues, Patient& p) {
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
        SLUICE_TRY(p.outside, tissues.another(air_hu));
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
    SLUICE_TRY(HuTable stopping, table_or(o.table, default_stopping_table()));
    SLUICE_TRY(HuTable density, table_or(o.density_table, default_density_table()));
    Patient p;
    p.shape = ct.image.shape;
    p.spacing = ct.spacing;
    p.origin = ct.origin;
    p.direction = ct.direction;
    p.water = o.water;
    TissueTable tissues(p, std::move(stopping), std::move(density));
    ImageQuantity const quantity = o.quantity.value_or(ImageQuantity::hu);
    SLUICE_CHECK(lay_tissues(ct, quantity, tissues, p));
    p.notes.push_back(origin_of(quantity, tissues));
    SLUICE_CHECK(lay_structures(ct, o, structures, tissues, p));
    return p;
}

}  // namespace sluice::proton
