// What a configuration says of disks and of loading, beside the tables that there are.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/analyze/wishes.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

namespace sluice::crystal {

config::Fields<TemplateWish> template_wish_fields() {
    using config::field;
    static constexpr config::Field<TemplateWish> all[] = {
        field<&TemplateWish::file>(
            "template", "a template that --save-template wrote [the scan's own direct disk]"),
        field<&TemplateWish::vacuum>("vacuum",
                                     "a scan of the direct beam without specimen: the template is "
                                     "fitted to its disk"),
        field<&TemplateWish::radius>("template_radius",
                                     "of a disk, in pixels; RADIUS,WIDTH gives the width of its "
                                     "edge, too, which is 1 else"),
    };
    return all;
}

config::Fields<LoadWish> load_wish_fields() {
    using config::field;
    static constexpr config::Field<LoadWish> all[] = {
        field<&LoadWish::mask>("mask", "NPY file of detector shape: not 0 leaves the pixel out"),
        field<&LoadWish::stream>("stream", "do not load: read the files for every analysis"),
    };
    return all;
}

Result<stem4d::ProbeTemplate> parse_template_radius(std::string const& text) {
    double radius = 0, width = 1;
    char rest = 0;
    int const read = std::sscanf(text.c_str(), "%lf%c", &radius, &rest) == 1
                         ? 1
                         : std::sscanf(text.c_str(), "%lf,%lf%c", &radius, &width, &rest);
    if (read != 1 && read != 2)
        return Error{
            Code::invalid_argument,
            fmt::format("--template-radius '{}' is no radius; write RADIUS or RADIUS,WIDTH "
                        "in pixels, as in 8,1.2",
                        text)};
    return stem4d::synthetic_template(radius, width);
}

std::string path_in(std::string const& folder, std::string const& path) {
    bool const is_name = path.starts_with("synthetic:");
    if (path.empty() || folder.empty() || is_name) return path;
    return (std::filesystem::path(folder) / path).string();
}

std::string detector_in(std::string const& folder, std::string const& text) {
    std::size_t const colon = text.find(':'), equals = text.find('=');
    std::size_t const begin = equals < colon ? equals + 1 : 0;
    if (colon == std::string::npos) return text;
    std::string const shape = text.substr(begin, colon - begin);
    if (shape != "mask" && shape != "weights") return text;
    return text.substr(0, colon + 1) + path_in(folder, text.substr(colon + 1));
}

}  // namespace sluice::crystal
