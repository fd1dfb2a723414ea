// Checks every field of a request about volumes; nothing of it is trusted.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/proton/request.h"

#include <fmt/format.h>

#include <string_view>

namespace sluice::app {
namespace {

Result<SpaceAxis> axis_field(Fields const& fields, std::string const& name, bool may_be_back) {
    SLUICE_TRY(std::string const text, text_field(fields, name, max_word));
    std::string_view word = text;
    bool const back = may_be_back && !word.empty() && word.front() == '-';
    if (back) word.remove_prefix(1);
    if (word.size() != 1 || word[0] < 'x' || word[0] > 'z')
        return wrong_field(name, fmt::format("'{}' is not an axis; give x, y or z", text));
    return SpaceAxis{word[0] - 'x', back};
}

Result<PlaneRequest> plane_request(Fields const& fields) {
    PlaneRequest r;
    SLUICE_TRY(r.volume, text_field(fields, "volume", max_name));
    SLUICE_TRY(r.onto, text_field(fields, "onto", max_name));
    SLUICE_TRY(r.across, axis_field(fields, "across", true));
    SLUICE_TRY(r.down, axis_field(fields, "down", true));
    if (r.across.number == r.down.number) return wrong_field("down", "is the same axis as across");
    SLUICE_TRY(r.at, number_field(fields, "at"));
    return r;
}

Result<std::vector<std::string>> names_field(Fields const& fields, std::string const& name,
                                             std::size_t most) {
    auto const list = fields.find(name);
    if (list == fields.end() || !list->is_array() || list->empty() || list->size() > most)
        return wrong_field(name, fmt::format("must be 1 to {} {}", most, name));
    std::vector<std::string> names;
    for (Fields const& one : *list) {
        if (!one.is_string() || one.get_ref<std::string const&>().size() > max_name)
            return wrong_field(name, "must be texts");
        names.push_back(one.get<std::string>());
    }
    return names;
}

Result<ProfileRequest> profile_request(Fields const& fields) {
    ProfileRequest r;
    SLUICE_TRY(r.volumes, names_field(fields, "volumes", max_lines));
    SLUICE_TRY(SpaceAxis const along, axis_field(fields, "along", false));
    r.along = along.number;
    auto const through = fields.find("through");
    if (through == fields.end() || !through->is_array() || through->size() != r.through.size())
        return wrong_field("through", "must be three numbers");
    for (std::size_t a = 0; a < r.through.size(); ++a) {
        SLUICE_TRY(r.through[a], number_of((*through)[a], "through"));
    }
    return r;
}

Result<DifferenceRequest> difference_request(Fields const& fields) {
    DifferenceRequest r;
    SLUICE_TRY(r.volume, text_field(fields, "volume", max_name));
    SLUICE_TRY(r.minus, text_field(fields, "minus", max_name));
    return r;
}

Result<OutlinesRequest> outlines_request(Fields const& fields) {
    OutlinesRequest r;
    SLUICE_TRY(r.structures, names_field(fields, "structures", max_structures));
    SLUICE_TRY(r.onto, text_field(fields, "onto", max_name));
    SLUICE_TRY(SpaceAxis const across, axis_field(fields, "across", false));
    SLUICE_TRY(SpaceAxis const down, axis_field(fields, "down", false));
    r.across = across.number;
    r.down = down.number;
    if (r.across == r.down) return wrong_field("down", "is the same axis as across");
    SLUICE_TRY(r.at, number_field(fields, "at"));
    return r;
}

Result<HistogramRequest> histogram_request(Fields const& fields) {
    HistogramRequest r;
    SLUICE_TRY(r.volume, text_field(fields, "volume", max_name));
    SLUICE_TRY(r.structure, text_field(fields, "structure", max_name));
    SLUICE_TRY(r.to, number_field(fields, "to"));
    if (!(r.to > 0)) return wrong_field("to", "must be above 0");
    return r;
}

}  // namespace

Result<VolumeRequest> parse_volume_request(std::string const& op, Fields const& fields) {
    VolumeRequest request{op, {}};
    if (op == "plane") {
        SLUICE_TRY(request.what, plane_request(fields));
    } else if (op == "profile") {
        SLUICE_TRY(request.what, profile_request(fields));
    } else if (op == "difference") {
        SLUICE_TRY(request.what, difference_request(fields));
    } else if (op == "outlines") {
        SLUICE_TRY(request.what, outlines_request(fields));
    } else if (op == "histogram") {
        SLUICE_TRY(request.what, histogram_request(fields));
    } else {
        return wrong_field("op", fmt::format("'{}' is not known", op));
    }
    return request;
}

}  // namespace sluice::app
