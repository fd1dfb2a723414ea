// The table of OpenOptions.
// SPDX-License-Identifier: Apache-2.0
#include "format/fields.h"

#include "format/synthetic/options.h"

namespace sluice {

namespace {

using config::field;
using Shape = std::optional<std::array<index, 2>>;

Status read_some_shape(config::Shown const& shown, std::string_view text, Shape& out) {
    std::array<index, 2> shape{};
    SLUICE_CHECK(synthetic::read_shape(shown, text, shape));
    out = shape;
    return {};
}
std::string some_shape_text(Shape const& shape) {
    return shape ? synthetic::shape_text(*shape) : std::string();
}

constexpr config::Field<OpenOptions> of_open[] = {
    config::custom_field<&OpenOptions::scan_shape, read_some_shape, some_shape_text>(
        "scan_shape", "scan shape ROWSxCOLUMNS, when the files do not say")
        .called("--scan"),
    field<&OpenOptions::dataset>("dataset", "dataset inside an HDF5 file"),
    field<&OpenOptions::axis_order>("axis_order",
                                    "what the array's dimensions are, slowest first, if not "
                                    "scan_row,scan_column,detector_row,detector_column"),
    field<&OpenOptions::channel>("channel", "channel of a multi-threshold file, by name or number"),
    field<&OpenOptions::raw_dtype>("raw_dtype", "raw files: uint8, uint16, uint32 or float32"),
    config::custom_field<&OpenOptions::raw_frame, read_some_shape, some_shape_text>(
        "raw_frame", "raw files: detector shape ROWSxCOLUMNS"),
    field<&OpenOptions::raw_offset>("raw_offset", "raw files: bytes before the first frame"),
    field<&OpenOptions::allow_incomplete>(
        "allow_incomplete", "open although frames are missing; they read as the file's fill value"),
};

}  // namespace

config::Fields<OpenOptions> open_fields() {
    return of_open;
}

}  // namespace sluice
