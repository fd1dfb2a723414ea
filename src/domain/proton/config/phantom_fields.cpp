// The tables of the keys that say what a phantom is made of, and what is to be known of it.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/config/phantom_fields.h"

namespace sluice::proton {

namespace {

using config::custom_field;
using config::Dimension;
using config::field;
using config::quantity_field;

Status read_axis(config::Shown const& shown, std::string_view text, Axis& out) {
    auto const axis = parse_axis(text);
    if (!axis)
        return Error{Code::invalid_argument,
                     fmt::format("{}: {}", shown.name, axis.error().message)};
    out = *axis;
    return {};
}

constexpr config::Field<GridSize> of_grid_size[] = {
    quantity_field<&GridSize::depth, Dimension::length>("depth", "along the z axis"),
    quantity_field<&GridSize::width, Dimension::length>("width", "along x, around 0"),
};

constexpr config::Field<CtKeys> of_ct[] = {
    field<&CtKeys::image>("image", "MetaImage, NRRD or NPY").required(),
    field<&CtKeys::quantity>("quantity", "what the image has: HU, g/cm3, or stopping powers"),
    field<&CtKeys::table>("table", "of HU and stopping power relative to water"),
    field<&CtKeys::density_table>("density_table", "of HU and g/cm3"),
    custom_field<&CtKeys::depth, read_axis, axis_text>("depth_axis", "the beam goes along it"),
    custom_field<&CtKeys::across, read_axis, axis_text>("across_axis", "x of the phantom"),
    quantity_field<&CtKeys::spacing, Dimension::length>(
        "spacing", "of pixels, where the file does not tell: one, or one for each axis"),
    field<&CtKeys::slice>("slice", "number along the third axis"),
};

constexpr config::Field<MediumKeys> of_medium[] = {
    field<&MediumKeys::material>("material", "its name").required(),
    quantity_field<&MediumKeys::density, Dimension::density>("density", "another than its own"),
    quantity_field<&MediumKeys::from, Dimension::length>("from", "depth of its first side"),
    quantity_field<&MediumKeys::to, Dimension::length>("to", "depth of its last side"),
    quantity_field<&MediumKeys::left, Dimension::length>("left", "least x"),
    quantity_field<&MediumKeys::right, Dimension::length>("right", "largest x"),
};

constexpr config::Field<MarchOptions> of_output[] = {
    quantity_field<&MarchOptions::spectra_at, Dimension::length>(
        "spectra", "depths whose energy spectra are wanted"),
};

}  // namespace

config::Fields<GridSize> grid_size_fields() {
    return of_grid_size;
}
config::Fields<CtKeys> ct_fields() {
    return of_ct;
}
config::Fields<MediumKeys> medium_fields() {
    return of_medium;
}
config::Fields<MarchOptions> output_fields() {
    return of_output;
}

}  // namespace sluice::proton
