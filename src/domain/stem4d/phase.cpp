// Integrated centre of mass, and all that a field of centres of mass says of the phase.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>
#include <vector>

#include "domain/stem4d/gradient.h"
#include "domain/stem4d/integrate_cut.h"
#include "fft/frequency.h"

namespace sluice::stem4d {
namespace {

using Complex = fft::Complex<double>;
constexpr double pi = std::numbers::pi;

// The field about its mean as row + i col, NaN as 0.
std::vector<Complex> as_complex(Array<double> const& row, Array<double> const& col) {
    std::vector<Complex> z(row.values.size());
    Point const mean = mean_of(row, col).mean;
    for (std::size_t i = 0; i < z.size(); ++i)
        if (is_known(row.values[i], col.values[i]))
            z[i] = {row.values[i] - mean.row, col.values[i] - mean.col};
    return z;
}

// The frequencies of n samples in radians per step. That of the alternating wave is 0: its
// derivative vanishes at every sample.
std::vector<double> frequencies(index n) {
    std::vector<double> out(static_cast<std::size_t>(n));
    for (index k = 0; k < n; ++k)
        if (2 * k != n)
            out[static_cast<std::size_t>(k)] =
                2 * pi * static_cast<double>(fft::frequency(k, n)) / static_cast<double>(n);
    return out;
}

// With w = w0 + i w1 the transform U + i V of the field is divided by i w. That is
// (w0 U + w1 V) / (i |w|^2) + i (w0 V - w1 U) / (i |w|^2): the first belongs to a real image, the
// phase, and the second to an imaginary one, which is not used.
Status integrate_periodic(View<Complex, 2> z) {
    SLUICE_TRY(auto const plan, fft::Plan<double>::make({{z.extent(0), z.extent(1)}}));
    std::span<Complex> const all(z.data(), static_cast<std::size_t>(z.size()));
    SLUICE_CHECK(plan.forward(all));
    auto const w0 = frequencies(z.extent(0)), w1 = frequencies(z.extent(1));
    Complex* value = z.data();
    for (double a : w0)
        for (double b : w1) {
            double const square = a * a + b * b, scale = square > 0 ? 1 / square : 0;
            double const x = value->real(), y = value->imag();
            *value++ = {scale * (a * y - b * x), -scale * (a * x + b * y)};
        }
    return plan.inverse(all);
}

// Values that are NaN have the reason of their position, or else their neighbours have it.
ScanMap map_of(char const* name, char const* unit, Array<double> values,
               std::vector<Missing> const& reasons) {
    ScanMap map = make_map(name, unit, std::move(values), Missing::no_neighbour);
    if (reasons.empty()) map.reason.clear();  // who gave the field told none
    for (std::size_t i = 0; i < map.reason.size(); ++i)
        if (map.reason[i] != Missing::no && reasons[i] != Missing::no) map.reason[i] = reasons[i];
    return map;
}

Array<double> magnitude_of(VectorField const& field) {
    Array<double> out = Array<double>::zeros(field.row.shape);
    for (std::size_t i = 0; i < out.values.size(); ++i) {
        double const u = field.row.values[i], v = field.col.values[i];
        out.values[i] = std::sqrt(u * u + v * v);
    }
    return out;
}

std::string degrees_of(Rotation const& r) {
    return fmt::format("{:.2f}{} degrees{}", r.degrees,
                       r.error_degrees ? fmt::format(" +- {:.2f}", *r.error_degrees) : "",
                       r.transpose ? ", transposed" : "");
}

std::string doubt_of(Rotation const& r) {
    if (!r.error_degrees) return "the scan is too small to give the error of that angle";
    if (!r.angle_known)
        return fmt::format("noise alone reaches that with a probability of {:.2g}", r.by_chance);
    return "it fits as well with its components exchanged";
}

std::string note_of(Rotation const& r, bool found) {
    std::string const ratio =
        fmt::format("rms curl is {:.3f} of rms divergence", r.curl_over_divergence);
    if (!found) return fmt::format("rotation of the detector given: {} ({})", degrees_of(r), ratio);
    std::string note =
        r.determined()
            ? fmt::format("rotation of the detector found: {} ({})", degrees_of(r), ratio)
            : fmt::format(
                  "rotation of the detector undetermined: curl is least at {} ({}), but {}; "
                  "give it as --rotation DEGREES[,transpose]",
                  degrees_of(r), ratio, doubt_of(r));
    if (r.determined() && !r.sign_known)
        note += fmt::format(
            "; its sign is unknown: {:.2f} degrees fits as well, and exchanges dark and bright",
            r.degrees > 0 ? r.degrees - 180 : r.degrees + 180);
    return note;
}

}  // namespace

namespace {

// The rows that are integrated, [first, second): those between which the scan has been measured.
// Beside rows of which nothing is known, a row counts that is known by half. Where the scan goes to
// its end, points without counts are no reason to leave a row out.
std::array<index, 2> measured_rows(Array<double> const& row, Array<double> const& col) {
    index const cols = row.shape[1], rows = row.shape[0];
    auto const known = [&](index r) {
        index count = 0;
        for (index c = 0; c < cols; ++c) {
            auto const at = static_cast<std::size_t>(r * cols + c);
            count += is_known(row.values[at], col.values[at]) ? 1 : 0;
        }
        return count;
    };
    index first = 0, last = rows;
    while (first < last && known(first) == 0) ++first;
    while (last > first && known(last - 1) == 0) --last;
    if (first > 0 && first < last && 2 * known(first) < cols) ++first;
    if (last < rows && last > first && 2 * known(last - 1) < cols) --last;
    return {first, last};
}

Array<double> rows_of(Array<double> const& image, std::array<index, 2> rows) {
    index const cols = image.shape[1];
    auto const begin = image.values.begin();
    return {{rows[1] - rows[0], cols}, {begin + rows[0] * cols, begin + rows[1] * cols}};
}

}  // namespace

Result<Array<double>> icom(Array<double> const& row, Array<double> const& col, bool periodic) {
    SLUICE_CHECK(check_field(row, col));
    auto const rows = measured_rows(row, col);
    Array<double> out{row.shape, {}};
    out.values.assign(row.values.size(), std::numeric_limits<double>::quiet_NaN());
    if (rows[0] == rows[1]) return out;
    std::vector<Complex> z = as_complex(rows_of(row, rows), rows_of(col, rows));
    View<Complex, 2> const image(z.data(), {rows[1] - rows[0], row.shape[1]});
    SLUICE_CHECK(periodic ? integrate_periodic(image) : integrate_cut(image));
    std::ranges::transform(z, out.values.begin() + rows[0] * row.shape[1],
                           [](Complex const& v) { return v.real(); });
    return out;
}

Result<PhaseContrast> phase_contrast(CenterOfMass const& com, PhaseOptions const& options) {
    PhaseContrast out;
    if (options.rotation) {
        out.rotation = *options.rotation;
    } else {
        SLUICE_TRY(out.rotation, find_rotation(com.row, com.col));
    }
    VectorField measured{{com.row.shape, com.row.values}, {com.col.shape, com.col.values}};
    if (options.descan == Descan::plane) {
        SLUICE_TRY(measured, remove_descan(com.row, com.col));
    }
    SLUICE_TRY(VectorField field, rotate(measured.row, measured.col, out.rotation));
    out.rotation.curl_over_divergence = curl_over_divergence(field.row, field.col, {});
    SLUICE_TRY(Array<double> sources, divergence(field.row, field.col));
    SLUICE_TRY(Array<double> turns, curl(field.row, field.col));
    SLUICE_TRY(Array<double> integrated, icom(field.row, field.col, options.periodic));
    auto const map = [&](char const* name, char const* unit, Array<double> values) {
        return map_of(name, unit, std::move(values), com.row.reason);
    };
    out.magnitude = map("com_magnitude_rotated", "px", magnitude_of(field));
    out.divergence = map("divergence", "px/step", std::move(sources));
    out.curl = map("curl", "px/step", std::move(turns));
    out.icom = map("icom", "px*step", std::move(integrated));
    out.notes.push_back(note_of(out.rotation, !options.rotation));
    if (options.descan == Descan::plane)
        out.notes.push_back("a plane was subtracted from the centre of mass (descan)");
    index const unknown = field.row.size() - mean_of(field.row, field.col).known;
    if (unknown > 0)
        out.notes.push_back(
            fmt::format("{} of {} positions have no centre of mass; icom takes the mean there, and "
                        "is NaN in whole rows of them at the ends",
                        unknown, field.row.size()));
    out.row = map("com_row_rotated", "px", std::move(field.row));
    out.col = map("com_col_rotated", "px", std::move(field.col));
    return out;
}

}  // namespace sluice::stem4d
