// Simulates patterns of crystals.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/match/test_crystals.h"

#include <algorithm>
#include <cmath>
#include <complex>

namespace sluice::orient::test {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double degree = pi / 180;
constexpr double middle = 200;  // of the detector, px

std::string cif_of(char const* name, char const* element, std::array<double, 6> const& cell,
                   char const* group, char const* place) {
    char text[2000];
    std::snprintf(text, sizeof text,
                  "data_%s\n_cell_length_a %g\n_cell_length_b %g\n_cell_length_c %g\n"
                  "_cell_angle_alpha %g\n_cell_angle_beta %g\n_cell_angle_gamma %g\n"
                  "_symmetry_space_group_name_H-M '%s'\nloop_\n_atom_site_label\n"
                  "_atom_site_type_symbol\n_atom_site_fract_x\n_atom_site_fract_y\n"
                  "_atom_site_fract_z\n%s1 %s %s\n",
                  name, cell[0], cell[1], cell[2], cell[3], cell[4], cell[5], group, element,
                  element, place);
    return text;
}

Matrix product(Matrix const& a, Matrix const& b) {
    Matrix out{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t k = 0; k < 3; ++k) out[i][j] += a[i][k] * b[k][j];
    return out;
}
Matrix transposed(Matrix const& a) {
    Matrix out{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) out[i][j] = a[j][i];
    return out;
}

std::vector<Matrix> cubic_rotations() {
    std::vector<Matrix> all;
    std::array<std::size_t, 3> axis{0, 1, 2};
    do {
        for (int signs = 0; signs < 8; ++signs) {
            Matrix m{};
            for (std::size_t i = 0; i < 3; ++i) m[i][axis[i]] = signs >> i & 1 ? -1 : 1;
            double const det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                               m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
            if (det > 0) all.push_back(m);
        }
    } while (std::ranges::next_permutation(axis).found);
    return all;
}

std::vector<Matrix> hexagonal_rotations() {
    std::vector<Matrix> all;
    for (int i = 0; i < 6; ++i) {
        double const c = std::cos(60 * i * degree), s = std::sin(60 * i * degree);
        all.push_back({{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}});
        all.push_back({{{c, s, 0}, {s, -c, 0}, {0, 0, -1}}});  // half turns across z
    }
    return all;
}

TrueCrystal cubic(char const* name, char const* element, double a, bool faces,
                  std::array<double, 4> const& height, std::array<double, 4> const& width) {
    TrueCrystal out{
        cif_of(name, element, {a, a, a, 90, 90, 90}, faces ? "F m -3 m" : "I m -3 m", "0 0 0"),
        {{{a, 0, 0}, {0, a, 0}, {0, 0, a}}},
        {},
        height,
        width,
        cubic_rotations()};
    if (faces)
        out.places = {{0, 0, 0}, {0, .5, .5}, {.5, 0, .5}, {.5, .5, 0}};
    else
        out.places = {{0, 0, 0}, {.5, .5, .5}};
    return out;
}

}  // namespace

TrueCrystal gold() {
    return cubic("gold", "Au", 4.078, true, {2.388, 4.226, 2.689, 1.255},
                 {42.866, 9.743, 2.264, 0.307});
}
TrueCrystal austenite() {
    return cubic("austenite", "Fe", 3.6, true, {2.544, 2.343, 1.759, 0.506},
                 {64.424, 14.880, 2.854, 0.350});
}
TrueCrystal ferrite() {
    return cubic("ferrite", "Fe", 2.866, false, {2.544, 2.343, 1.759, 0.506},
                 {64.424, 14.880, 2.854, 0.350});
}
TrueCrystal titanium() {
    double const a = 2.951, c = 4.684;
    return {cif_of("titanium", "Ti", {a, a, c, 90, 90, 120}, "P 63/m m c",
                   "0.333333333 0.666666667 0.25"),
            {{{a, 0, 0}, {-a / 2, a * std::sqrt(3) / 2, 0}, {0, 0, c}}},
            {{1.0 / 3, 2.0 / 3, .25}, {2.0 / 3, 1.0 / 3, .75}},
            {3.565, 2.818, 1.893, 0.483},
            {81.982, 19.049, 3.590, 0.386},
            hexagonal_rotations()};
}

Matrix bunge(double phi1, double capital_phi, double phi2) {
    double const c1 = std::cos(phi1 * degree), s1 = std::sin(phi1 * degree),
                 c = std::cos(capital_phi * degree), s = std::sin(capital_phi * degree),
                 c2 = std::cos(phi2 * degree), s2 = std::sin(phi2 * degree);
    return {{{c1 * c2 - s1 * s2 * c, s1 * c2 + c1 * s2 * c, s2 * s},
             {-c1 * s2 - s1 * c2 * c, -s1 * s2 + c1 * c2 * c, c2 * s},
             {s1 * s, -c1 * s, c}}};
}

double degrees_between(Matrix const& a, Matrix const& b, TrueCrystal const& crystal) {
    double most = -1;
    for (Matrix const& s : crystal.rotations) {
        Matrix const m = product(product(s, a), transposed(b));
        most = std::max(most, (m[0][0] + m[1][1] + m[2][2] - 1) / 2);
    }
    return std::acos(std::min(most, 1.0)) / degree;
}

double degrees_off(stem4d::EulerAngles const& is, Matrix const& should,
                   TrueCrystal const& crystal) {
    return degrees_between(bunge(is[0], is[1], is[2]), should, crystal);
}

Patterns::Patterns(Beam const& beam, index columns, unsigned seed)
    : beam_(beam), columns_(columns), random_(seed) {
    v_.detector_shape = {401, 401};
    v_.first = {0};
}

Matrix Patterns::any() {
    double const a = 360 * uniform(), b = std::acos(1 - 2 * uniform()) / degree;
    return bunge(a, b, 360 * uniform());
}

std::vector<Patterns::Disk> Patterns::seen(Part const& part) {
    TrueCrystal const& crystal = *part.crystal;
    auto const& [a, b, c] = crystal.axes;
    double const volume = a[0] * b[1] * c[2];  // the cells of these tests are so simple
    double const reciprocal[3][3] = {{b[1] * c[2] / volume, -b[0] * c[2] / volume, 0},
                                     {0, a[0] * c[2] / volume, 0},
                                     {0, 0, a[0] * b[1] / volume}};
    double const volts = 1000 * beam_.kilovolts;
    double const lambda = 12.2643 / std::sqrt(volts * (1 + 0.978476e-6 * volts));
    std::vector<Disk> all;
    double sum = 0;
    for (int h = -9; h <= 9; ++h)
        for (int k = -9; k <= 9; ++k)
            for (int l = -9; l <= 9; ++l) {
                if (h == 0 && k == 0 && l == 0) continue;
                double g[3], q[3]{}, square = 0;
                for (std::size_t i = 0; i < 3; ++i) {
                    g[i] = h * reciprocal[0][i] + k * reciprocal[1][i] + l * reciprocal[2][i];
                    square += g[i] * g[i];
                }
                if (square > beam_.most_frequency * beam_.most_frequency) continue;
                for (std::size_t i = 0; i < 3; ++i)  // the inverse turn
                    for (std::size_t j = 0; j < 3; ++j) q[i] += part.orientation[j][i] * g[j];
                // Electrons of wave vector (0, 0, 1 / lambda).
                double const off = std::sqrt(q[0] * q[0] + q[1] * q[1] +
                                             (1 / lambda + q[2]) * (1 / lambda + q[2])) -
                                   1 / lambda;
                double envelope = 0;
                constexpr int steps = 60;
                for (int t = 0; t < (beam_.precession > 0 ? steps : 1); ++t) {
                    double const turn = 2 * pi * t / steps;
                    double const s =
                        off - beam_.precession * (q[0] * std::cos(turn) + q[1] * std::sin(turn));
                    envelope += std::exp(-s * s / (2 * beam_.sigma * beam_.sigma));
                }
                std::complex<double> amplitude = 0;
                for (auto const& p : crystal.places)
                    amplitude += std::polar(1.0, 2 * pi * (h * p[0] + k * p[1] + l * p[2]));
                double f = 0;
                for (std::size_t i = 0; i < 4; ++i)
                    f += crystal.height[i] * std::exp(-crystal.width[i] * square / 4);
                double const intensity = std::norm(amplitude) * f * f * envelope;
                sum += intensity;
                all.push_back({q[0], q[1], intensity});
            }
    std::normal_distribution<double> miss(0, beam_.place_error);
    std::vector<Disk> out;
    for (Disk const& d : all) {
        double const mean = d.counts / sum * beam_.counts * part.share;
        double const counts =
            mean > 0 ? static_cast<double>(std::poisson_distribution<int>(mean)(random_)) : 0;
        if (counts >= 4) out.push_back({d.x + miss(random_), d.y + miss(random_), counts});
    }
    return out;
}

void Patterns::add(std::vector<Part> const& parts) {
    std::vector<Disk> disks;
    for (Part const& part : parts) {
        auto const its = seen(part);
        disks.insert(disks.end(), its.begin(), its.end());
    }
    put(std::move(disks));
}

void Patterns::add_nonsense(int count) {
    std::vector<Disk> disks;
    for (int i = 0; i < count; ++i) {
        double const r = 0.3 + 1.1 * uniform(), a = 2 * pi * uniform();
        disks.push_back({r * std::cos(a), r * std::sin(a), 10 + 200 * uniform()});
    }
    put(std::move(disks));
}

void Patterns::add_few(Part const& part, std::size_t count) {
    auto disks = seen(part);
    std::ranges::sort(disks, std::ranges::greater{}, &Disk::counts);
    disks.resize(std::min(count, disks.size()));
    put(std::move(disks));
}

void Patterns::put(std::vector<Disk> disks) {
    disks.push_back({0, 0, 5 * beam_.counts});
    std::ranges::stable_sort(disks, std::ranges::greater{}, &Disk::counts);
    double const c = std::cos(beam_.rotation_degrees * degree),
                 s = std::sin(beam_.rotation_degrees * degree);
    auto const variance =
        static_cast<float>(beam_.place_error * beam_.place_error / (beam_.pixel * beam_.pixel));
    for (Disk const& d : disks) {
        // The detector's (row, col), exchanged or not and then turned, is the scan's (y, x).
        double row = c * d.y + s * d.x, col = -s * d.y + c * d.x;
        if (beam_.transpose) std::swap(row, col);
        v_.row.push_back(static_cast<float>(middle + row / beam_.pixel));
        v_.col.push_back(static_cast<float>(middle + col / beam_.pixel));
        v_.intensity.push_back(static_cast<float>(d.counts));
        v_.background.push_back(0);
        v_.var_row.push_back(variance), v_.var_col.push_back(variance);
        v_.cov_row_col.push_back(0);
        v_.intensity_error.push_back(static_cast<float>(std::sqrt(d.counts)));
        v_.score.push_back(static_cast<float>(d.counts));
    }
    v_.first.push_back(v_.size());
    v_.reason.push_back(stem4d::DiskReason::found);
}

stem4d::BraggVectors Patterns::vectors() const {
    stem4d::BraggVectors out = v_;
    out.scan_shape = {std::ssize(v_.reason) / columns_, columns_};
    return out;
}

stem4d::Calibration Patterns::calibration() const {
    stem4d::Calibration c;
    c.scan_shape = vectors().scan_shape;
    c.detector_shape = v_.detector_shape;
    c.pixel_size = beam_.pixel;
    stem4d::OriginFit origins;
    origins.scan_shape = c.scan_shape;
    origins.surface = stem4d::OriginSurface::mean;
    origins.row = {middle}, origins.col = {middle};
    origins.covariance = {0};
    origins.used = out_of_all();
    c.origins = origins;
    if (beam_.rotation_degrees != 0 || beam_.transpose) {
        c.rotation.emplace();
        c.rotation->degrees = beam_.rotation_degrees;
        c.rotation->transpose = beam_.transpose;
    }
    return c;
}

index Patterns::out_of_all() const {
    return std::ssize(v_.reason);
}

}  // namespace sluice::orient::test
