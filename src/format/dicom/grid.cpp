// Geometry of images (PS3.3 C.7.6.2) and their pixels (C.7.6.3).
// SPDX-License-Identifier: Apache-2.0
#include "format/dicom/grid.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

namespace sluice::dicom {
namespace {

// Directions are written with six digits or more.
constexpr double nearly = 1e-3;
constexpr int largest_side = 65535;
constexpr double largest_spacing = 1000;

template <class Unsigned, class Signed>
void convert(Bytes pixels, Stored const& stored, double slope, double intercept,
             std::span<float> out) {
    int const unused = static_cast<int>(8 * sizeof(Unsigned)) - stored.bits;
    for (std::size_t i = 0; i < out.size(); ++i) {
        Unsigned u;
        std::memcpy(&u, pixels.data() + i * sizeof u, sizeof u);
        // What stands above the bits that count may be anything.
        u = static_cast<Unsigned>(u << unused);
        double const value =
            stored.is_signed
                ? static_cast<double>(static_cast<Signed>(static_cast<Signed>(u) >> unused))
                : static_cast<double>(static_cast<Unsigned>(u >> unused));
        out[i] = static_cast<float>(value * slope + intercept);
    }
}

}  // namespace

double dot(Vector3 const& a, Vector3 const& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Vector3 cross(Vector3 const& a, Vector3 const& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Result<Frame> read_frame(Values const& values) {
    Frame f;
    SLUICE_TRY(f.rows, values.needed_whole(tags::rows, 1, largest_side));
    SLUICE_TRY(f.columns, values.needed_whole(tags::columns, 1, largest_side));
    SLUICE_TRY(auto const spacing, values.needed_numbers<2>(tags::pixel_spacing));
    for (double const s : spacing)
        if (!(s > 0 && s < largest_spacing))
            return values.wrong(tags::pixel_spacing, "mm between pixels are above 0");
    f.row_spacing = spacing[0];
    f.column_spacing = spacing[1];
    SLUICE_TRY(f.position, values.needed_numbers<3>(tags::image_position));
    SLUICE_TRY(auto const six, values.needed_numbers<6>(tags::image_orientation));
    Vector3 along{six[0], six[1], six[2]}, down{six[3], six[4], six[5]};
    double const a = std::sqrt(dot(along, along)), b = std::sqrt(dot(down, down));
    if (!(std::abs(a - 1) < nearly && std::abs(b - 1) < nearly &&
          std::abs(dot(along, down)) < nearly))
        return values.wrong(tags::image_orientation,
                            "two directions of length 1, square to each other, belong there");
    for (double& c : along) c /= a;
    for (double& c : down) c /= b;
    Vector3 through = cross(along, down);
    double const length = std::sqrt(dot(through, through));
    for (double& c : through) c /= length;
    f.direction = {along, down, through};
    return f;
}

Result<Stored> read_stored(Values const& values) {
    SLUICE_TRY(int const samples, values.needed_whole(tags::samples, 1, 4));
    if (samples != 1)
        return values.wrong(tags::samples, "images of colours have no HU and no dose",
                            "export the original images", Code::unsupported);
    Stored s;
    SLUICE_TRY(int const allocated, values.needed_whole(tags::bits_allocated, 1, 64));
    if (allocated != 8 && allocated != 16 && allocated != 32)
        return values.wrong(tags::bits_allocated, "pixels of 8, 16 or 32 bits are read",
                            "export the file again with one of these", Code::unsupported);
    s.bytes = allocated / 8;
    SLUICE_TRY(s.bits, values.needed_whole(tags::bits_stored, 1, allocated));
    SLUICE_TRY(int const high, values.needed_whole(tags::high_bit, 0, allocated - 1));
    if (high != s.bits - 1)
        return values.wrong(tags::high_bit, "the last of the stored bits is read only",
                            "export the file again", Code::unsupported);
    SLUICE_TRY(int const is_signed, values.needed_whole(tags::pixel_representation, 0, 1));
    s.is_signed = is_signed == 1;
    return s;
}

void to_floats(Bytes pixels, Stored const& stored, double slope, double intercept,
               std::span<float> out) {
    expects(pixels.size() >= out.size() * static_cast<std::size_t>(stored.bytes));
    if (stored.bytes == 1)
        convert<std::uint8_t, std::int8_t>(pixels, stored, slope, intercept, out);
    else if (stored.bytes == 2)
        convert<std::uint16_t, std::int16_t>(pixels, stored, slope, intercept, out);
    else
        convert<std::uint32_t, std::int32_t>(pixels, stored, slope, intercept, out);
}

}  // namespace sluice::dicom
