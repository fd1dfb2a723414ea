// Proton beams: what stops and scatters them, and their dose.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/device.h"
#include "sluice/progress.h"
#include "sluice/result.h"
#include "sluice/trace.h"
#include "sluice/view.h"

namespace sluice::proton {

/// Where the stopping power of water comes from.
enum class WaterTable : std::uint8_t {
    pstar,   ///< NIST PSTAR: I = 75 eV
    icru90,  ///< ICRU Report 90, with what nuclei take; as Geant4: I = 78 eV
};
double mean_excitation_energy(WaterTable table);  ///< eV

/// What a proton meets. Make it with material() or a Composition.
struct Material {
    std::string name;
    double density = 1;            ///< g/cm3
    double electron_density = 1;   ///< relative to water
    double excitation_energy = 0;  ///< eV; 0: water's own
    double scattering = 1;         ///< scattering power relative to water
    double nuclear = 1;            ///< non-elastic cross section per length relative to water
};

/// A material of the table: water, air, lung, adipose, muscle, soft_tissue, cortical_bone, pmma,
/// lexan, solid_water, aluminium, vacuum; `density` in g/cm3 replaces the table's.
/// The error names the nearest one.
Result<Material> material(std::string_view name, std::optional<double> density = {});
std::vector<std::string> material_names();

/// Water's tables and the formulas that carry them to other materials.
/// Lengths are in mm, energies in MeV, angles in radians.
class Physics {
  public:
    explicit Physics(WaterTable table);
    ~Physics();
    Physics(Physics&&) noexcept;

    WaterTable table() const { return table_; }
    /// Of water, MeV/mm.
    double stopping_power(double energy) const;
    /// Of water, mm: the integral of 1/S from 0 (continuous slowing down).
    double range(double energy) const;
    double energy(double range) const;
    /// The integral of energy over range from 0, MeV mm.
    double energy_integral(double range) const;

    /// Stopping power of a material relative to water's (Bethe's formula for both).
    double relative_stopping_power(Material const& m, double energy) const;
    /// d<theta^2>/ds of the angle projected on a plane, 1/mm: (15 MeV / pv)^2 / X_S
    /// (Gottschalk 2010, https://doi.org/10.1118/1.3264177).
    double scattering_power(Material const& m, double energy) const;
    /// d(variance of energy)/ds, MeV^2/mm (Bohr, relativistic).
    double straggling(Material const& m, double energy) const;
    /// d(third central moment of the energy lost)/ds, MeV^3/mm, of the same collisions with
    /// electrons: single ones may take much, and none gives.
    double straggling_third(Material const& m, double energy) const;
    /// Non-elastic interactions per mm (evaluated p + 16O; other nuclei by A^(2/3)).
    double nuclear_cross_section(Material const& m, double energy) const;
    /// Elastic collisions with hydrogen per mm, which end the primary proton as such.
    double hydrogen_cross_section(Material const& m, double energy) const;
    /// Elastic collisions with other nuclei per mm, beyond the Coulomb scattering of above.
    double elastic_cross_section(Material const& m, double energy) const;
    /// What such a collision does: the standard deviation of the angle projected on a plane, and
    /// the mean energy that the nucleus takes, MeV (diffraction by oxygen).
    double elastic_angle(double energy) const;
    double elastic_recoil(double energy) const;

  private:
    struct Tables;
    WaterTable table_;
    std::unique_ptr<Tables> tables_;
};

/// A pencil beam at z = 0, which flies towards z > 0; Gaussian in all of its spreads.
struct Beam {
    double energy = 0;         ///< MeV
    double energy_spread = 0;  ///< standard deviation, MeV
    double x = 0;              ///< mm
    double sigma_x = 0;        ///< mm
    double angle = 0;          ///< from the z axis, radians
    double divergence = 0;     ///< standard deviation of the angle, radians
    double covariance = 0;     ///< of x and angle, mm; positive where the beam widens
    double weight = 1;         ///< protons
};

/// Where the protons fly: planes of z, columns of x. The results are integrals over y.
struct Phantom {
    std::vector<Material> materials = {};
    index planes = 0, columns = 0;
    double dz = 0.5, dx = 0.5;  ///< mm
    double x0 = 0;              ///< left edge of the first column, mm
    /// [plane][column]: numbers of materials; empty: the first everywhere.
    std::vector<std::uint16_t> map = {};

    Material const& at(index plane, index column) const {
        return materials[map.empty() ? 0 : map[static_cast<std::size_t>(plane * columns + column)]];
    }
    double width() const { return dx * static_cast<double>(columns); }
    double depth() const { return dz * static_cast<double>(planes); }
};

/// g/cm3 of each cell, [plane][column]; empty: 1 everywhere.
std::vector<float> density_map(Phantom const& phantom);

enum class Precision : std::uint8_t { f32, f64 };

/// How the operators of a step follow each other.
enum class Splitting : std::uint8_t {
    strang,       ///< half of the scattering, the rest, half of the scattering: second order
    first_order,  ///< scattering, then the rest, which a march deposits at the end of the step
};

struct MarchOptions {
    double angle_step = 0.5 * 0.017453292519943295;   ///< radians
    double angle_window = 20 * 0.017453292519943295;  ///< to each side of the beam, radians
    /// mm of water; 0: that of the planes along the beam, where slowing down is exact.
    double range_step = 0;
    bool scattering = true, straggling = true, nuclear = true;
    /// Lengthens paths by the angle out of the plane, which the two dimensions leave out.
    bool out_of_plane = true;
    double threshold = 1e-7;  ///< rows of ranges at the ends with less of the weight are dropped
    std::vector<double> spectra_at = {};  ///< depths, mm, whose energy spectra are wanted
    /// Parts of the beam by column, instead of its Gaussian in x: many spots at once.
    std::vector<double> profile = {};
    bool let_map = false;  ///< keeps what LET is made of for each cell
    Precision precision = Precision::f32;
    Splitting splitting = Splitting::strang;
    Device device = Device::cpu();  ///< processors, a GPU, or the reference
    int threads = 0;                ///< 0: the device's
    /// Called with planes done and all; returning false cancels.
    Progress progress = {};
    Trace* trace = nullptr;  ///< made for one worker: the steps of the thread that marches
};

/// Where weight or energy went.
struct Share {
    double weight = 0;
    double energy = 0;  ///< MeV

    Share& operator+=(Share const& o) {
        weight += o.weight;
        energy += o.energy;
        return *this;
    }
    Share& operator-=(Share const& o) {
        weight -= o.weight;
        energy -= o.energy;
        return *this;
    }
};

/// Everything that came in, by where it went. What is not accounted for is in residual().
struct Ledger {
    Share in;                ///< with the beam
    Share stopped;           ///< weight that stopped; energy that slowing down left
    Share left, right, end;  ///< through the sides and the last plane
    Share front, backward;   ///< back through the first one, or refused for flying back (dense)
    Share angles;            ///< out of the window of angles
    Share nuclear;           ///< lost to nuclear reactions; the next four are its energy
    double local = 0, secondary = 0, neutral = 0, secondary_out = 0;  ///< MeV
    Share truncated;
    Share inside;  ///< still flying

    Share residual() const;
};

/// What is known of a plane of z, between its two sides.
struct PlaneSums {
    double weight = 0;  ///< protons that enter it
    double energy = 0;  ///< their mean, MeV
    /// LET in water of unit density, averaged over the plane, keV/um: of primary protons by track
    /// and by dose; of primary and secondary protons by dose.
    double let_track = 0, let_dose = 0, let_dose_all = 0;
    double angle = 0;  ///< mean, radians
    double angle_variance = 0;
    double place = 0;           ///< mean x, mm
    double place_variance = 0;  ///< mm2, less a column's own
    double range = 0;           ///< mean of what is left of their ranges, mm of water
    double range_variance = 0;  ///< mm2
};

/// Primary protons by energy where they enter a plane.
struct Spectrum {
    double depth = 0;             ///< mm
    std::vector<double> edges;    ///< MeV; one more than there are bins
    std::vector<double> protons;  ///< per MeV
};

/// A beam beside theory: the part by which it is wider (narrower below 0), and the depth, mm.
struct BesideTheory {
    double part = 0, depth = 0;
};

struct MarchResult {
    index planes = 0, columns = 0;
    double dz = 0, dx = 0, x0 = 0;
    std::vector<double> deposit;      ///< [plane][column]: MeV, per beam as weighted
    std::vector<float> density = {};  ///< [plane][column]: g/cm3; empty: 1 everywhere
    /// [plane][column]: what slowing down left there, less stopping power times the way of the
    /// protons that entered the plane, MeV; empty: not known (dense).
    std::vector<double> unexplained = {};
    std::vector<PlaneSums> sums;  ///< [plane]
    Ledger ledger;
    /// [plane]: up to its end. Secondaries that are still on their way are in secondary_out.
    std::vector<Ledger> steps;
    std::vector<Spectrum> spectra;  ///< of the faces next to MarchOptions::spectra_at
    /// [plane][column], if asked for: energy that primary and secondary protons leave, MeV, and
    /// that times their LET in water of unit density, MeV keV/um.
    std::vector<double> primary, primary_let, secondary, secondary_let;
    double worst_weight = 0;  ///< of all steps: the residual's part of the weight that came in
    double worst_energy = 0;
    /// Where the standard deviations of x and of angles of what flies are farthest from those of
    /// Fermi and Eyges, and that of ranges from straggling's (of several beams the worst);
    /// `march_beam` finds them.
    BesideTheory place_off, angle_off, range_off;
    double exit_mean = 0, exit_sigma = 0;  ///< x of what leaves the last plane, mm
    index cells = 0;                       ///< that were computed, over all planes
};

/// Depth in mm (ascending) against dose in any unit.
struct DepthCurve {
    std::vector<double> depth, dose;
};

/// Of a Bragg curve, along the cubic spline through its points; lengths in mm. A number is NaN
/// where the curve does not have it.
struct BraggMetrics {
    double peak = 0;  ///< highest dose
    double peak_depth = 0;
    /// The last depths with these parts of the highest dose: what lies before a plateau's end does
    /// not count.
    double r90 = 0, r80 = 0, r50 = 0, r20 = 0;
    double proximal_80 = 0;       ///< before it
    double fall_off = 0;          ///< r20 - r80
    double width = 0;             ///< r50 less the depth of the half before the peak
    double peak_to_entrance = 0;  ///< the entrance is at 5 mm
    double integral = 0;          ///< dose times mm
};
Result<BraggMetrics> bragg_metrics(DepthCurve const& curve);

/// Dose to the medium, all columns together, at the middles of the planes: MeV per mm of depth over
/// the cells' densities in g/cm3. What has no density has no dose.
DepthCurve depth_dose(MarchResult const& result);

/// BesideTheory of each plane's deposit over x, mm: the root of the second central moment (less a
/// column's own, Sheppard), NaN where there is no dose.
std::vector<double> lateral_sigma(MarchResult const& result);

/// Dose-averaged LET in water of unit density of each cell, keV/um, [plane][column]; NaN where less
/// than 1e-4 of the highest deposit is. Of primary protons, or with the secondary ones as well.
/// Empty if the march did not keep it.
std::vector<double> let_map(MarchResult const& result, bool with_secondaries);

/// All that several beams sent through one depth. The spectra are of the same depth.
Spectrum sum_of(std::vector<Spectrum> const& spectra);

/// Doses at points of a plane, [row][column], equally far apart along each.
struct DoseMap {
    index rows = 0, columns = 0;
    double dz = 1, dx = 1, z0 = 0, x0 = 0;  ///< mm; (z0, x0) is the first point
    std::vector<double> values = {};
};
/// At the middles of cells.
DoseMap dose_map(MarchResult const& result);

struct GammaOptions {
    double dose = 0.02;   ///< part of the reference's highest dose, or of its own
    double distance = 2;  ///< mm
    bool local = false;   ///< of the point's own dose
    double cutoff = 0.1;  ///< points with less of the highest dose are left out
    double most = 2;      ///< larger ones are told as this
    int threads = 0;
    Progress progress = {};  ///< rows of the reference
};
struct GammaResult {
    std::vector<double> gamma;  ///< of the reference's points; NaN where left out
    index points = 0;
    double passed = 0;  ///< part of the points with at most 1
    double mean = 0;
};
/// Low et al. 1998 (https://doi.org/10.1118/1.598248), at each point of the reference: the exact
/// distance to the evaluated dose as a surface of triangles (of lines, if it has one row or
/// column). The evaluated points may lie elsewhere and differently dense.
Result<GammaResult> gamma_index(DoseMap const& reference, DoseMap const& evaluated,
                                GammaOptions const& options = {});

/// Marches a beam through a phantom plane by plane (docs/design/006). Errors: a beam or grid that
/// cannot be, and memory.
Result<MarchResult> march(Physics const& physics, Phantom const& phantom, Beam const& beam,
                          MarchOptions const& options = {});

}  // namespace sluice::proton
