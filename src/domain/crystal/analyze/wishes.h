// What a configuration says of disks and of loading, beside the tables that there are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "sluice/stem4d_analyze.h"

namespace sluice::crystal {

/// Where a template comes from.
struct TemplateWish {
    std::string file, vacuum, radius;
};
config::Fields<TemplateWish> template_wish_fields();

struct LoadWish {
    std::string mask;
    bool stream = false;
};
config::Fields<LoadWish> load_wish_fields();

/// "8" or "8,1.2": a radius, and the width of the edge.
Result<stem4d::ProbeTemplate> parse_template_radius(std::string const& text);

/// A path that is relative to a folder; names such as "synthetic:stem4d" are no paths.
std::string path_in(std::string const& folder, std::string const& path);
/// The text of a detector whose file is relative to a folder.
std::string detector_in(std::string const& folder, std::string const& text);

}  // namespace sluice::crystal
