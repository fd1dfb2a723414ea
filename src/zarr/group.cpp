// Groups: .zgroup and .zattrs of version 2, zarr.json of version 3.
// SPDX-License-Identifier: Apache-2.0
#include "zarr/group.h"

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "zarr/place.h"
#include "zarr/text.h"

namespace sluice::zarr {

using json = nlohmann::ordered_json;

Status write_group(std::string const& path, int version, std::string const& attributes) {
    expects(version == 2 || version == 3);
    json const given = json::parse(attributes, nullptr, false);
    expects(given.is_object());
    SLUICE_CHECK(make_folder(path));
    if (version == 3)
        return write_text(
            path + "/zarr.json",
            json{{"zarr_format", 3}, {"node_type", "group"}, {"attributes", given}}.dump(2));
    SLUICE_CHECK(write_text(path + "/.zgroup", json{{"zarr_format", 2}}.dump(2)));
    return given.empty() ? Status{} : write_text(path + "/.zattrs", given.dump(2));
}

Result<std::string> read_attributes(std::string const& path) {
    bool const three = is_there(path + "/zarr.json");
    std::string const file = path + (three ? "/zarr.json" : "/.zattrs");
    SLUICE_TRY(std::string const text, read_text(file));
    json const all = json::parse(text, nullptr, false);
    if (!all.is_object())
        return Error{Code::corrupt, "is not a JSON object; write the group again", file};
    if (!three) return all.dump();
    auto const found = all.find("attributes");
    return found == all.end() ? std::string("{}") : found->dump();
}

bool is_node(std::string const& path) {
    for (char const* name : {"/zarr.json", "/.zgroup", "/.zarray"})
        if (is_there(path + name)) return true;
    return false;
}

}  // namespace sluice::zarr
