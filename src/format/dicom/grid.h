// Where the pixels of images and doses lie, and how they are stored.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "format/dicom/values.h"
#include "sluice/view.h"
#include "sluice/volume.h"

namespace sluice::dicom {

using Vector3 = std::array<double, 3>;
double dot(Vector3 const& a, Vector3 const& b);
Vector3 cross(Vector3 const& a, Vector3 const& b);

/// One image, or the first frame of several.
struct Frame {
    index rows = 0, columns = 0;
    double row_spacing = 0, column_spacing = 0;  ///< mm between rows, between columns
    Vector3 position{};                          ///< of the middle of the first pixel, LPS, mm
    AxisDirections direction{};                  ///< along a row, along a column, square to both
};
/// Fails where a value is missing, or directions are not square to each other.
Result<Frame> read_frame(Values const& values);

/// How a pixel is stored.
struct Stored {
    int bytes = 2;  ///< 1, 2 or 4
    int bits = 16;  ///< the low ones that count
    bool is_signed = false;

    bool operator==(Stored const&) const = default;
};
/// Fails for colours, and for bits that are not the low ones of 8, 16 or 32.
Result<Stored> read_stored(Values const& values);

/// out[i] = pixel i * slope + intercept.
void to_floats(Bytes pixels, Stored const& stored, double slope, double intercept,
               std::span<float> out);

}  // namespace sluice::dicom
