// Steps of axes, as py4DSTEM and other writers of EMD files have them.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/axis_steps.h"

#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "format/hdf5/hdf5.h"
#include "format/hdf5/test_files.h"

namespace sluice::hdf5 {
namespace {

struct Axis {
    std::string unit;
    std::vector<double> values;
};

/// As py4DSTEM 0.14 lays a file out: axes beside the data, and the calibration beside their group.
class EmdSteps : public testing::Test {
  protected:
    std::string path_ = test::fresh_folder() + "/x.h5";
    Handle file_ = test::create_file(path_);

    void SetUp() override {
        test::write_all(
            test::make_dataset(file_.id(), "/root/datacube/data", {.extent = {3, 4, 5, 6}}),
            H5T_NATIVE_UINT16, test::frames<std::uint16_t>(12, 30));
    }
    void axis(std::string const& name, Axis const& a) {
        LibraryLock lock;
        Handle const d = test::make_dataset(file_.id(), "/root/datacube/" + name,
                                            {.extent = {a.values.size()}, .type = H5T_IEEE_F64LE});
        test::write_all(d, H5T_NATIVE_DOUBLE, a.values);
        units(d.id(), a.unit);
    }
    static void units(hid_t object, std::string const& text) {
        Handle const space(H5Screate(H5S_SCALAR), H5Sclose);
        Handle const type(H5Tcopy(H5T_C_S1), H5Tclose);
        H5Tset_size(type.id(), text.size() + 1);
        Handle const unit(
            H5Acreate2(object, "units", type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
        H5Awrite(unit.id(), type.id(), text.c_str());
    }
    Handle group(std::string const& path) {
        Handle const create(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
        H5Pset_create_intermediate_group(create.id(), 1);
        return {H5Gcreate2(file_.id(), path.c_str(), create.id(), H5P_DEFAULT, H5P_DEFAULT),
                H5Gclose};
    }
    /// Axis i of HyperSpy.
    void group_axis(int i, double scale, std::string const& unit) {
        LibraryLock lock;
        Handle const axis = group("/root/datacube/axis-" + std::to_string(i));
        test::put_attribute(axis.id(), "scale", {scale});
        units(axis.id(), unit);
    }
    void axes(Axis const& scan, Axis const& detector) {
        axis("dim0", scan), axis("dim1", scan), axis("dim2", detector), axis("dim3", detector);
    }
    void calibration(std::string const& side, double size, std::string const& unit) {
        std::string const at = "/root/metadatabundle/calibration/" + side + "_pixel_";
        test::put_number(file_.id(), at + "size", size);
        test::put_texts(file_.id(), at + "units", {unit});
    }
    void turned(std::string const& name, double value) {
        test::put_number(file_.id(), "/root/metadatabundle/calibration/" + name, value);
    }
    Dataset opened() {
        {
            LibraryLock lock;
            H5Fflush(file_.id(), H5F_SCOPE_GLOBAL);
        }
        return open(path_, {}).value();
    }
};

TEST_F(EmdSteps, TheCalibrationGoesBeforeTheAxes) {
    axes({"A", {0, 0.5}}, {"mrad", {0, 2}});
    calibration("R", 0.4, "A");
    calibration("Q", 0.02, "A^-1");
    Dataset const d = opened();
    EXPECT_DOUBLE_EQ(d.scan_step_nm, 0.04);
    EXPECT_EQ(d.detector_step_mrad, 0);
    EXPECT_DOUBLE_EQ(d.detector_step_per_nm, 0.2);
    EXPECT_TRUE(d.notes.empty());
}

TEST_F(EmdSteps, TheCalibrationSaysHowTheDetectorLies) {
    turned("QR_rotation", -std::numbers::pi / 6);
    EXPECT_NEAR(opened().detector_turn->degrees, -30, 1e-6);
    EXPECT_FALSE(opened().detector_turn->transpose);
    turned("QR_rotation_degrees", -30);
    turned("QR_flip", 1);
    EXPECT_EQ(opened().detector_turn, (DetectorTurn{-30, true}));
}

TEST_F(EmdSteps, ARotationThatIsNotClearIsLeftOut) {
    EXPECT_FALSE(opened().detector_turn);
    turned("QR_rotation", 0.5);
    turned("QR_rotation_degrees", 30);
    Dataset const d = opened();
    EXPECT_FALSE(d.detector_turn);
    EXPECT_TRUE(
        test::noted(d, "gives QR_rotation as 28.6479 degrees and QR_rotation_degrees as 30"));
}

TEST_F(EmdSteps, AxesAreEnough) {
    axes({"nm", {0, 0.05, 0.1}}, {"mrad", {-3, -1.5, 0, 1.5}});
    Dataset const d = opened();
    EXPECT_DOUBLE_EQ(d.scan_step_nm, 0.05);
    EXPECT_DOUBLE_EQ(d.detector_step_mrad, 1.5);
    EXPECT_EQ(d.detector_step_per_nm, 0);
}

TEST_F(EmdSteps, PixelsAreNoMeasure) {
    axes({"pixels", {0, 1}}, {"pixels", {0, 1}});
    calibration("R", 1, "pixels");
    calibration("Q", 1, "pixels");
    Dataset const d = opened();
    EXPECT_EQ(d.scan_step_nm, 0);
    EXPECT_EQ(d.detector_step_mrad, 0);
    EXPECT_EQ(d.detector_step_per_nm, 0);
    EXPECT_TRUE(d.notes.empty());
}

TEST_F(EmdSteps, UnknownUnitsAreSaidAndNotGuessed) {
    axes({"A", {0, 0.5}}, {"furlong", {0, 2}});
    calibration("R", 0.4, "V");
    Dataset const d = opened();
    EXPECT_EQ(d.scan_step_nm, 0);
    EXPECT_EQ(d.detector_step_mrad, 0);
    EXPECT_EQ(d.detector_step_per_nm, 0);
    EXPECT_TRUE(test::noted(d, "R_pixel_size gives the step of the scan in \"V\""));
    EXPECT_TRUE(test::noted(d, "dim2 gives the step of the detector in \"furlong\""));
}

TEST_F(EmdSteps, AxesThatDifferOrBendAreLeftOut) {
    axis("dim0", {"nm", {0, 0.5}}), axis("dim1", {"nm", {0, 0.6}});
    axis("dim2", {"mrad", {0, 1, 4}}), axis("dim3", {"mrad", {0, 1, 2}});
    Dataset const d = opened();
    EXPECT_EQ(d.scan_step_nm, 0);
    EXPECT_EQ(d.detector_step_mrad, 0);
    EXPECT_TRUE(test::noted(d, "differ in their steps (0.5 nm and 0.6 nm)"));
}

TEST_F(EmdSteps, NumbersThatAreNoStepsAreNoted) {
    calibration("R", -0.4, "A");
    calibration("Q", std::numeric_limits<double>::infinity(), "mrad");
    Dataset const d = opened();
    EXPECT_EQ(d.scan_step_nm, 0);
    EXPECT_EQ(d.detector_step_mrad, 0);
    EXPECT_TRUE(test::noted(d, "calibration/R_pixel_size holds -0.4, which is not a valid step"));
    EXPECT_TRUE(test::noted(d, "calibration/Q_pixel_size holds inf, which is not a valid step"));
}

TEST_F(EmdSteps, HyperSpysAxesAndMicroscopeAreRead) {
    group_axis(0, 0.4, "A"), group_axis(1, 0.4, "A");
    group_axis(2, -0.02, "$A^{-1}$"), group_axis(3, 0.02, "$A^{-1}$");
    {
        LibraryLock lock;
        Handle const tem = group("/root/datacube/metadata/Acquisition_instrument/TEM");
        test::put_attribute(tem.id(), "beam_energy", {200});
        test::put_attribute(tem.id(), "convergence_angle", {0});
    }
    Dataset const d = opened();
    EXPECT_DOUBLE_EQ(d.scan_step_nm, 0.04);
    EXPECT_DOUBLE_EQ(d.detector_step_per_nm, 0.2);
    EXPECT_EQ(d.energy_kv, 200);
    EXPECT_EQ(d.semiangle_mrad, 0);
    EXPECT_TRUE(test::noted(d, "TEM/convergence_angle holds 0, which is not a valid angle"));
}

TEST_F(EmdSteps, WhatNobodyCalibratedInHyperSpyIsNoStep) {
    for (int i = 0; i < 4; ++i) group_axis(i, 1, i < 2 ? "<undefined>" : "_None_");
    Dataset const d = opened();
    EXPECT_EQ(d.scan_step_nm, 0);
    EXPECT_EQ(d.detector_step_mrad, 0);
    EXPECT_TRUE(d.notes.empty());
}

}  // namespace
}  // namespace sluice::hdf5
