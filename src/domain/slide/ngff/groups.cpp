// Groups by the plan: the root, the series, wells, and the levels of each image.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/groups.h"

#include <fmt/format.h>

#include "base/file.h"
#include "domain/slide/ngff/ome_xml.h"
#include "zarr/group.h"

namespace sluice::slide::ome {

Status write_groups(Work const& work) {
    Plan const& plan = work.plan;
    std::string const& root = work.part;
    int const v = plan.zarr;
    SLUICE_CHECK(zarr::write_group(root, v, root_attributes(plan)));
    SLUICE_CHECK(zarr::write_group(root + "/OME", v, ome_attributes(plan)));
    std::string const xml = ome_xml(plan);
    SLUICE_TRY(NewFile file, NewFile::create(root + "/OME/METADATA.ome.xml"));
    SLUICE_CHECK(file.write(std::as_bytes(std::span(xml))));
    SLUICE_CHECK(file.commit());
    for (ImagePlan const& image : plan.images) {
        if (image.well) {
            std::string const row = root + "/" + image.well->row;
            SLUICE_CHECK(zarr::write_group(row, v));
            SLUICE_CHECK(zarr::write_group(row + "/" + image.well->column, v,
                                           well_attributes(plan, *image.well)));
        }
        for (std::size_t l = 0; l < image.levels.size(); ++l)
            if (auto array = zarr::Array::create(
                    fmt::format("{}/{}/{}", root, image.group, l),
                    spec_of(plan, image, static_cast<int>(l), work.options.fill));
                !array)
                return array.error();
    }
    return {};
}

Result<std::vector<zarr::Array>> open_levels(Work const& work, ImagePlan const& image) {
    std::vector<zarr::Array> levels;
    for (std::size_t l = 0; l < image.levels.size(); ++l) {
        SLUICE_TRY(auto array,
                   zarr::Array::open(fmt::format("{}/{}/{}", work.part, image.group, l)));
        if (array.spec() != spec_of(work.plan, image, static_cast<int>(l), work.options.fill))
            return Error{Code::corrupt,
                         "the metadata differs from what was written; begin again with --force",
                         array.path()};
        levels.push_back(std::move(array));
    }
    return levels;
}

Status write_image(Work const& work, std::size_t number) {
    ImagePlan const& image = work.plan.images[number];
    return zarr::write_group(work.part + "/" + image.group, work.plan.zarr,
                             image_attributes(work.plan, image, work.seen[number]));
}

}  // namespace sluice::slide::ome
