// A scan of gold grains in files, whose orientations are known, and a viewer of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <random>

#include "app/view/stem4d/test_scans.h"
#include "domain/orientation/library/load_phases.h"
#include "sluice/disks.h"
#include "sluice/match_orientations.h"
#include "sluice/optics.h"
#include "sluice/save.h"

namespace sluice::app {

inline constexpr index gold_rows = 4, gold_cols = 6, gold_side = 128;
inline constexpr double gold_pixel = 0.025;  // 1/ångström
inline constexpr std::array<stem4d::EulerAngles, 2> gold_grains = {{{10, 20, 30}, {200, 35, 5}}};

inline void write_gold_cif(std::string const& path) {
    std::ofstream(path) << "data_gold\n_chemical_name_mineral Gold\n_cell_length_a 4.078\n"
                           "_cell_length_b 4.078\n_cell_length_c 4.078\n_cell_angle_alpha 90\n"
                           "_cell_angle_beta 90\n_cell_angle_gamma 90\n"
                           "_symmetry_space_group_name_H-M 'F m -3 m'\nloop_\n"
                           "_atom_site_type_symbol\n_atom_site_fract_x\n_atom_site_fract_y\n"
                           "_atom_site_fract_z\nAu 0 0 0\n";
}

// The first half of the columns is one grain, the second another; the last point has no counts. The
// file says nothing of electrons and pixels.
inline void write_gold(std::string const& path, std::string const& cif) {
    auto const cells = orient::load_phases(std::array{cif}).value().cells;
    auto const library =
        stem4d::OrientationLibrary::build(cells, {.kilovolts = 300, .zone_step = 5}).value();
    Array<std::uint16_t> scan{{gold_rows, gold_cols, gold_side, gold_side}, {}};
    std::mt19937_64 random(7);
    double const middle = gold_side / 2.0;
    for (index frame = 0; frame < gold_rows * gold_cols; ++frame) {
        auto const& grain = gold_grains[frame % gold_cols < gold_cols / 2 ? 0 : 1];
        auto const spots = library.pattern(0, stem4d::orientation_of(grain)).value();
        double all = 0;
        for (auto const& s : spots) all += s.intensity;
        bool const last = frame == gold_rows * gold_cols - 1;
        for (index r = 0; r < gold_side; ++r)
            for (index c = 0; c < gold_side; ++c) {
                auto const disk = [&](double row, double column, double height) {
                    double const away =
                        std::hypot(static_cast<double>(r) - row, static_cast<double>(c) - column);
                    return height / (1 + std::exp(std::min(4 * (away - 3.5), 60.0)));
                };
                double mean = 0.02 + disk(middle, middle, 200);
                for (auto const& s : spots)
                    mean += disk(middle + s.row / gold_pixel, middle + s.col / gold_pixel,
                                 400 * s.intensity / all);
                scan.values.push_back(static_cast<std::uint16_t>(
                    last ? 0 : std::poisson_distribution<int>(mean)(random)));
            }
    }
    ASSERT_TRUE(save_npy(path, scan));
}

class GoldTest : public ScansFixture {
  protected:
    GoldTest()
        : folder_("gold_" +
                  std::string(testing::UnitTest::GetInstance()->current_test_info()->name())) {
        cif_ = folder_.path + "/gold.cif";
        write_gold_cif(cif_);
        path_ = folder_.path + "/scan.npy";
        write_gold(path_, cif_);
    }
    void start(bool with_crystal = true, LoadOptions load = {}) {
        ScansOptions options;
        options.paths = {path_};
        options.load = std::move(load);
        options.look_every = std::chrono::milliseconds(20);
        if (with_crystal) {
            options.crystals.cells = orient::load_phases(std::array{cif_}).value().cells;
            options.crystals.files = {cif_};
            options.crystals.calibration = calibration_;
        }
        ViewerFixture::start(Scans::open(std::move(options)));
    }
    // In mrad, of a pixel.
    static double step_mrad() {
        return gold_pixel * 10 * optics::electron_wavelength_nm(300) * 1e3;
    }
    static std::string asked(std::string const& more = {}) {
        return R"("library":{"kilovolts":300,"zone_step":2},"calibration":{"step_mrad":)" +
               fmt::format("{}", step_mrad()) + "}" + more;
    }

    Folder folder_;
    std::string cif_, path_;
    std::optional<stem4d::Calibration> calibration_;  ///< of the command line
};

}  // namespace sluice::app
