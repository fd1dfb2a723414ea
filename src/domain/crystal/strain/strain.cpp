// strain: how the lattices of a scan differ from the reference, with errors, on the scan's axes.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numbers>

#include "device/share_out.h"
#include "domain/crystal/memory.h"
#include "domain/crystal/strain/components.h"
#include "domain/crystal/strain/reference.h"
#include "domain/crystal/strain/words.h"

namespace sluice::stem4d {
namespace {

using crystal::Components;
using crystal::Four;
using crystal::Matrix2;

constexpr double degree = std::numbers::pi / 180;

// From the detector to the axes of the maps: rows and columns are exchanged or not, and turned onto
// the scan as rotate() turns them; then the axes are turned.
Matrix2 axes_of(StrainOptions const& o) {
    Matrix2 const exchanged = o.transpose ? Matrix2{0, 1, 1, 0} : Matrix2{1, 0, 0, 1};
    return crystal::turn_by((o.scan_rotation_degrees - o.axis_degrees) * degree) * exchanged;
}

struct OnePattern {
    Four values{};
    std::array<Four, 4> covariance{};
};

// With beta = G G0^-1 on the axes, all is linear in the four numbers of G but the components.
class Measure {
  public:
    Measure(LatticeBasis const& reference, StrainOptions const& options)
        : axes_(axes_of(options)),
          inverse_(crystal::columns_of(reference).inverse()),
          convention_(options.convention) {}

    OnePattern operator()(LatticeFit const& fit, std::size_t p) const {
        auto const* const v = &fit.values.values[6 * p];
        Components const c = crystal::components_of(beta({v[2], v[4], v[3], v[5]}), convention_);
        // By a row, a col, b row, b col.
        std::array<Four, 4> by{};
        Matrix2 const changes[4] = {{1, 0, 0, 0}, {0, 0, 1, 0}, {0, 1, 0, 0}, {0, 0, 0, 1}};
        for (std::size_t j = 0; j < 4; ++j) {
            Matrix2 const d = beta(changes[j]);
            for (std::size_t i = 0; i < 4; ++i)
                by[i][j] =
                    c.by[i][0] * d.rr + c.by[i][1] * d.rc + c.by[i][2] * d.cr + c.by[i][3] * d.cc;
        }
        return {c.values, carried(by, &fit.covariance.values[36 * p])};
    }

  private:
    Matrix2 beta(Matrix2 const& columns) const {
        return axes_ * columns * inverse_ * axes_.transposed();
    }
    // J C J^T, C that of the vectors within [6][6].
    static std::array<Four, 4> carried(std::array<Four, 4> const& by, double const* covariance) {
        std::array<Four, 4> out{};
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = 0; j <= i; ++j) {
                double sum = 0;
                for (std::size_t k = 0; k < 4; ++k)
                    for (std::size_t l = 0; l < 4; ++l)
                        sum += by[i][k] * covariance[6 * (k + 2) + l + 2] * by[j][l];
                out[i][j] = out[j][i] = sum;
            }
        return out;
    }

    Matrix2 axes_, inverse_;
    StrainConvention convention_;
};

ScanMap empty_map(char const* name, char const* unit, LatticeFit const& fit) {
    ScanMap map;
    map.shape = {fit.scan_shape[0], fit.scan_shape[1]};
    map.values.assign(fit.reason.size(), std::numeric_limits<double>::quiet_NaN());
    map.name = name, map.unit = unit;
    map.error = map.values;
    map.reason.assign(fit.reason.size(), Missing::not_converged);
    return map;
}

std::string meaning_of(StrainConvention convention) {
    switch (convention) {
        case StrainConvention::sluice:
            return "F = beta^-T exactly, F = R U, e = U - 1 with x along the rows' axis (down) and "
                   "y along the columns' (right), tensor shear, omega positive from x to y";
        case StrainConvention::py4dstem:
            return "as py4DSTEM: linear in beta, x along the rows' axis (down), tensor shear, "
                   "omega "
                   "is its theta, positive from y to x";
        case StrainConvention::pyxem:
            return "as pyxem: beta^T = R V, e_xx = 1 / V_xx - 1, e_xy = V_xy of opposite sign to "
                   "the shear of the crystal, x along the columns' axis (right) and y along the "
                   "rows', omega is its theta, positive from x to y";
    }
    return "";
}

std::vector<std::string> notes_of(StrainOptions const& o, std::string const& reference) {
    return {
        fmt::format("convention {}: {}", config::word_of(o.convention), meaning_of(o.convention)),
        fmt::format("axes: the detector is turned by {:g} degrees{} onto the scan, and the axes "
                    "of the strain by {:g} degrees from the row axis to the column axis",
                    o.scan_rotation_degrees, o.transpose ? " after its axes are exchanged" : "",
                    o.axis_degrees),
        reference};
}

Status check_strain(LatticeFit const& fit, StrainOptions const& o) {
    auto const wrong = [](std::string text) {
        return Error{Code::invalid_argument, std::move(text)};
    };
    auto const n = fit.scan_shape[0] * fit.scan_shape[1];
    if (n < 1 || std::ssize(fit.reason) != n || fit.values.size() != 6 * n ||
        fit.covariance.size() != 36 * n)
        return wrong(
            "the lattices do not have the shape of their scan; take them from fit_lattice");
    if (!std::isfinite(o.axis_degrees) || !std::isfinite(o.scan_rotation_degrees))
        return wrong("an angle is not finite; give degrees");
    if (!o.region.empty() && std::ssize(o.region) != n)
        return wrong(fmt::format("the region has {} points and the scan {}; give one of its shape",
                                 o.region.size(), n));
    if (!o.region.empty() && o.reference)
        return wrong(
            "both a reference and a region are given (the region makes another one); give "
            "one of them");
    return {};
}

}  // namespace

Result<StrainMaps> strain(LatticeFit const& fit, StrainOptions const& options, Options const& run) {
    SLUICE_CHECK(refuse_references(run.references, "strain is of disks that were"));
    SLUICE_CHECK(check_strain(fit, options));
    auto const patterns = std::ssize(fit.reason);
    SLUICE_CHECK(crystal::check_memory(crystal::strain_bytes(patterns),
                                       fmt::format("strain maps of {} patterns", patterns)));
    SLUICE_TRY(crystal::Reference const reference, crystal::reference_of(fit, options));
    double const nan = std::numeric_limits<double>::quiet_NaN();
    StrainMaps out{.e_xx = empty_map("e_xx", "", fit),
                   .e_yy = empty_map("e_yy", "", fit),
                   .e_xy = empty_map("e_xy", "", fit),
                   .omega = empty_map("omega", "deg", fit),
                   .reference = reference.basis,
                   .covariance = {{std::ssize(fit.reason), 4, 4},
                                  std::vector<double>(16 * fit.reason.size(), nan)},
                   .notes = notes_of(options, reference.note)};
    Measure const measure(reference.basis, options);
    ScanMap* const maps[4] = {&out.e_xx, &out.e_yy, &out.e_xy, &out.omega};
    auto const put = [&](std::size_t p) {
        if (fit.reason[p] != LatticeReason::fitted) return;
        OnePattern const one = measure(fit, p);
        for (std::size_t i = 0; i < 4; ++i) {
            double const unit = i == 3 ? 1 / degree : 1;
            maps[i]->values[p] = one.values[i] * unit;
            maps[i]->error[p] = std::sqrt(one.covariance[i][i]) * unit;
            maps[i]->reason[p] = Missing::no;
            std::ranges::copy(one.covariance[i],
                              out.covariance.values.begin() + static_cast<index>(16 * p + 4 * i));
        }
    };
    constexpr std::size_t piece = 1024;
    std::size_t const n = fit.reason.size();
    share_out(static_cast<index>((n + piece - 1) / piece), run.device.host().threads(), nullptr,
              [&](index i, int) {
                  auto const first = static_cast<std::size_t>(i) * piece;
                  for (std::size_t p = first; p < std::min(n, first + piece); ++p) put(p);
              });
    return out;
}

}  // namespace sluice::stem4d
