// Names, coordinates and doses of structures.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/proton/structures.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/of_file.h"
#include "format/dicom/structure_grid.h"
#include "sluice/dicom.h"
#include "sluice/load_volume.h"

namespace sluice::cli {
namespace {

NamedStructure const* find(NamedStructures const& of, std::string const& name) {
    auto const found = std::ranges::find(of.all, name, &NamedStructure::name);
    return found == of.all.end() ? nullptr : &*found;
}

Error no_structure(NamedStructures const& of, std::string const& name) {
    std::vector<std::string> names;
    for (NamedStructure const& s : of.all) names.push_back(s.name);
    return {Code::not_found,
            fmt::format("has no structure '{}'; the nearest name is '{}' (`sluice info` lists all)",
                        name, nearest(name, names)),
            of.path};
}

// A name may have a comma: the longest one that a text begins with is meant.
Result<std::vector<NamedStructure const*>> named_in(NamedStructures const& of,
                                                    std::string const& text) {
    std::vector<NamedStructure const*> out;
    std::size_t from = 0;
    while (from <= text.size()) {
        std::size_t end = text.size();
        NamedStructure const* s = find(of, text.substr(from));
        while (!s) {
            end = end > from ? text.rfind(',', end - 1) : std::string::npos;
            if (end == std::string::npos || end < from) break;
            s = find(of, text.substr(from, end - from));
        }
        if (!s) return no_structure(of, text.substr(from, text.find(',', from) - from));
        out.push_back(s);
        from = end + 1;
    }
    return out;
}

}  // namespace

Result<NamedStructures> read_named_structures(std::string const& path) {
    SLUICE_TRY(StructureSet set, load_structures(path));
    NamedStructures out{path, set.frame_of_reference, {}};
    for (Structure& s : set.structures) {
        auto const same = std::ranges::count(set.structures, s.name, &Structure::name);
        std::string name =
            same > 1 || s.name.empty() ? fmt::format("{} ({})", s.name, s.number) : s.name;
        out.all.push_back({std::move(name), s});
    }
    return out;
}

Result<std::vector<NamedStructure const*>> chosen(NamedStructures const& of,
                                                  std::vector<std::string> const& names) {
    std::vector<NamedStructure const*> out;
    for (std::string const& text : names) {
        SLUICE_TRY(auto const some, named_in(of, text));
        for (NamedStructure const* s : some)
            if (std::ranges::find(out, s) == out.end()) out.push_back(s);
    }
    return out;
}

Result<Volume> load_dose_volume(std::string const& path) {
    SLUICE_TRY(Volume dose, load_volume(path));
    if (dose.content.ends_with("HU"))
        return Error{Code::invalid_argument, "is a CT, not a dose; give a dose", path};
    // MetaImage does not say what it holds.
    if (dose.image.values.empty())
        return Error{Code::corrupt, "holds no values; give a dose", path};
    auto const [least, most] = std::ranges::minmax(dose.image.values);
    if (least < -0.01F * std::max(most, 0.0F))
        return Error{
            Code::invalid_argument,
            fmt::format("has values down to {:g}, and a dose has none below 0; is it a CT? "
                        "give a dose",
                        least),
            path};
    SLUICE_CHECK(of_file(path, dicom::grid_of(dose)));
    return dose;
}

Result<bool> check_coordinates(std::string const& dose, NamedStructures const& structures) {
    SLUICE_TRY(InCoordinates const of_dose, in_coordinates(dose));
    return same_coordinates(of_dose, {structures.path, structures.frame_of_reference});
}

}  // namespace sluice::cli
