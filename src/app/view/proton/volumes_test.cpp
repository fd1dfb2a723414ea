// Tests of the viewer of volumes over its socket: every answer is what the library samples.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/proton/volumes.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "app/view/proton/open_volumes.h"
#include "app/view/test_viewer.h"
#include "format/kinds/kinds.h"
#include "sluice/dicom.h"
#include "sluice/load_volume.h"
#include "sluice/proton_structure_dvh.h"
#include "sluice/save.h"
#include "sluice/structures.h"
#include "test_data.h"

namespace sluice::app {
namespace {

// Values that tell where they are.
Volume volume_of(std::vector<index> shape, std::vector<double> spacing, std::vector<double> origin,
                 std::string content, double slope = 1) {
    Volume v{Array<float>::zeros(std::move(shape)), std::move(spacing), std::move(origin)};
    v.content = std::move(content);
    proton::Lattice const l = proton::lattice_of(v);
    for (index e = 0; e < v.image.size(); ++e)
        v.image.values[static_cast<std::size_t>(e)] =
            static_cast<float>(slope * static_cast<double>(e % l.sides[0]) +
                               10 * static_cast<double>(e / l.sides[0] % l.sides[1]) +
                               100 * static_cast<double>(e / l.sides[0] / l.sides[1]));
    return v;
}

class VolumesTest : public ViewerFixture {
  protected:
    void SetUp() override {
        dose = volume_of({4, 5, 6}, {2, 2, 3}, {-5, -4, 0}, "dose, Gy");
        other = volume_of({3, 4, 5}, {2.5, 3, 4}, {-4, -3, 1}, "dose, Gy", 2);
        ASSERT_TRUE(save_metaimage(folder.path + "/dose.mha", dose));
        ASSERT_TRUE(save_nrrd(folder.path + "/other.nrrd", other));
    }
    void start(std::vector<std::string> names) {
        for (std::string& n : names) n = folder.path + "/" + n;
        ViewerFixture::start(Volumes::open(names));
    }
    static Reply ask(Page& page, std::string const& op, std::string const& fields) {
        return page.answer_to(page.ask(op, "t", fields));
    }
    static void expect_values(Reply const& r, std::vector<float> const& want, std::size_t array) {
        auto const got = r.values(array);
        ASSERT_EQ(got.size(), want.size()) << r.header.dump();
        for (std::size_t i = 0; i < want.size(); ++i)
            if (!std::isnan(got[i]) || !std::isnan(want[i])) {
                EXPECT_EQ(got[i], static_cast<double>(want[i])) << i;
            }
    }
    void write_run(std::string const& name, std::string const& report) const {
        std::filesystem::create_directories(folder.path + "/" + name);
        ASSERT_TRUE(save_npy(folder.path + "/" + name + "/dose.npy",
                             Array<float>{{2, 3}, {1, 2, 3, 4, 5, 6}}));
        std::ofstream(folder.path + "/" + name + "/report.json") << report;
    }

    Folder const folder{"volumes"};
    Volume dose, other;
};

TEST_F(VolumesTest, SaysWhatTheVolumesAre) {
    start({"dose.mha", "other.nrrd"});
    Page page(port());
    Json const v = page.hello["volumes"][0];
    EXPECT_EQ(v["id"], "v1");
    EXPECT_EQ(v["name"], "dose.mha");
    EXPECT_EQ(v["kind"], "dose");
    EXPECT_EQ(v["unit"], "Gy");
    EXPECT_EQ(v["lies"], "mm");
    EXPECT_EQ(v["sides"], Json({6, 5, 4}));
    EXPECT_EQ(v["spacing"], Json({2.0, 2.0, 3.0}));
    EXPECT_EQ(v["origin"], Json({-5.0, -4.0, 0.0}));
    EXPECT_EQ(v["least"], 0.0);
    EXPECT_EQ(v["most"], 345.0);
    EXPECT_EQ(v["most_at"], Json({5.0, 4.0, 9.0}));
    EXPECT_EQ(v["notes"], Json::array());
    EXPECT_EQ(page.hello["volumes"][1]["sides"], Json({5, 4, 3}));
}

TEST_F(VolumesTest, ShowsASeriesOfDicomWithADose) {
    ASSERT_TRUE(save_dicom_dose(folder.path + "/dose.dcm", dose, {}));
    std::filesystem::copy(SLUICE_TEST_DATA "/dicom/ct", folder.path + "/ct");
    start({"ct/", "dose.dcm"});
    Page page(port());
    Json const ct = page.hello["volumes"][0], of_dose = page.hello["volumes"][1];
    EXPECT_EQ(ct["name"], "ct");
    EXPECT_EQ(ct["kind"], "ct");
    EXPECT_EQ(ct["unit"], "HU");
    EXPECT_EQ(ct["sides"], Json({20, 50, 3}));
    EXPECT_EQ(ct["origin"], Json({-19.0, 0.0, 0.0}));
    EXPECT_EQ(of_dose["kind"], "dose");
    EXPECT_EQ(of_dose["unit"], "Gy");
    EXPECT_EQ(of_dose["origin"], Json({-5.0, -4.0, 0.0}));
}

TEST_F(VolumesTest, DrawsStructuresAndTellsTheirHistograms) {
    std::string const of_structures = folder.path + "/RS.dcm";
    std::filesystem::copy(SLUICE_TEST_DATA "/dicom/structures.dcm", of_structures);
    start({"RS.dcm", "dose.mha", "other.nrrd"});
    Page page(port());
    EXPECT_EQ(page.hello["volumes"].size(), 2U);
    ASSERT_EQ(page.hello["structures"].size(), 1U);
    Json const s = page.hello["structures"][0];
    EXPECT_EQ(s["id"], "s1");
    EXPECT_EQ(s["name"], "a");
    EXPECT_EQ(s["type"], "PTV");
    EXPECT_EQ(s["why"], "");
    EXPECT_NEAR(s["volume_cm3"].get<double>(), 0.075, 1e-9);

    Reply const axial =
        ask(page, "outlines", R"("structures":["s1"],"onto":"v1","across":"x","down":"y","at":2)");
    EXPECT_EQ(axial.values(0), (std::vector<double>{0, 4}));
    EXPECT_EQ(axial.values(1), (std::vector<double>{0, 0, 5, 0, 0, 5, 0, 0}));
    // Two slabs of 3 mm, from x = 0 to 4.
    Reply const cut =
        ask(page, "outlines", R"("structures":["s1"],"onto":"v1","across":"x","down":"z","at":1)");
    auto const points = cut.values(1);
    EXPECT_EQ(*std::ranges::max_element(points), 4.5);
    EXPECT_EQ(*std::ranges::min_element(points), -1.5);
    Reply const none =
        ask(page, "outlines", R"("structures":["s1"],"onto":"v1","across":"x","down":"y","at":8)");
    EXPECT_TRUE(none.values(0).empty());

    Reply const h = ask(page, "histogram", R"("volume":"v1","structure":"s1","to":400)");
    auto const want =
        proton::structure_dvh(dose, load_structures(of_structures).value().structures[0]).value();
    EXPECT_EQ(h.header["mean"], want.dvh.mean);
    EXPECT_EQ(h.header["d95"], want.dvh.coverage(0.95));
    EXPECT_EQ(h.header["inside_cm3"], want.inside_cm3);
    auto const doses = h.values(0), parts = h.values(1);
    ASSERT_EQ(doses.size(), 401U);
    EXPECT_EQ(parts[0], 1);
    for (std::size_t i = 0; i < doses.size(); ++i) EXPECT_EQ(parts[i], want.dvh.volume(doses[i]));

    EXPECT_NE(ask(page, "histogram", R"("volume":"v1","structure":"s9","to":1)")
                  .header.dump()
                  .find("there is no structure 's9'"),
              std::string::npos);
}

TEST_F(VolumesTest, StructuresAloneAreNothingToLookAt) {
    auto const opened = Volumes::open({SLUICE_TEST_DATA "/dicom/structures.dcm"});
    ASSERT_FALSE(opened);
    EXPECT_NE(opened.error().message.find("give one with them"), std::string::npos);
}

TEST_F(VolumesTest, StructuresOfOtherCoordinatesAreTold) {
    std::string const ct = SLUICE_TEST_DATA "/dicom/ct",
                      own = SLUICE_TEST_DATA "/dicom/structures.dcm";
    std::ifstream file(own, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    for (std::size_t at = 0; (at = bytes.find("1.2.9", at)) != std::string::npos; ++at)
        bytes[at + 4] = '8';
    std::string const other_set = folder.path + "/other.dcm";
    std::ofstream(other_set, std::ios::binary) << bytes;
    std::vector<std::string> notes;
    EXPECT_EQ(open_volumes({ct, own}, 0, notes).structures.size(), 1U);
    EXPECT_TRUE(notes.empty());
    EXPECT_EQ(open_volumes({ct, other_set}, 0, notes).structures.size(), 1U);
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_NE(notes[0].find("(1.2.8) are not those of ct (1.2.9)"), std::string::npos) << notes[0];
}

TEST_F(VolumesTest, NothingIsDrawnOverTurnedVolumes) {
    dose.direction = {{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}}};
    ASSERT_TRUE(save_nrrd(folder.path + "/turned.nrrd", dose));
    std::filesystem::copy(SLUICE_TEST_DATA "/dicom/structures.dcm", folder.path + "/RS.dcm");
    start({"turned.nrrd", "RS.dcm"});
    Page page(port());
    EXPECT_NE(
        ask(page, "outlines", R"("structures":["s1"],"onto":"v1","across":"x","down":"y","at":0)")
            .header.dump()
            .find("structures are not laid over turned.nrrd"),
        std::string::npos);
}

TEST_F(VolumesTest, PlanesAreWhatTheLibrarySamples) {
    start({"dose.mha", "other.nrrd"});
    Page page(port());
    Reply const own =
        ask(page, "plane", R"("volume":"v1","onto":"v1","across":"x","down":"y","at":6)");
    EXPECT_EQ(own.header["request"]["op"], "plane");
    EXPECT_EQ(own.header["arrays"][0]["shape"], Json({5, 6}));
    auto const* const slice = dose.image.values.data() + index{2} * 30;
    expect_values(own, {slice, slice + 30}, 0);

    Reply const over =
        ask(page, "plane", R"("volume":"v2","onto":"v1","across":"y","down":"-z","at":0.5)");
    auto const plane = proton::plane_of(proton::lattice_of(dose), 1, false, 2, true, 0.5);
    expect_values(over, proton::sample_plane(other, plane).values, 0);
}

TEST_F(VolumesTest, ProfilesHaveTheStationsOfAll) {
    start({"dose.mha", "other.nrrd"});
    Page page(port());
    Reply const r =
        ask(page, "profile", R"("volumes":["v1","v2"],"along":"z","through":[0,1.5,0])");
    std::vector<double> const z{0, 1, 3, 5, 6, 9};
    EXPECT_EQ(r.values(0), z);
    EXPECT_EQ(r.header["arrays"][1]["shape"], Json({2, 6}));
    auto want = proton::sample_line(dose, 2, {0, 1.5, 0}, z);
    auto const second = proton::sample_line(other, 2, {0, 1.5, 0}, z);
    want.insert(want.end(), second.begin(), second.end());
    expect_values(r, want, 1);
}

TEST_F(VolumesTest, DifferencesAreThoseOfTheLibrary) {
    start({"dose.mha", "other.nrrd"});
    Page page(port());
    Json const got = ask(page, "difference", R"("volume":"v1","minus":"v2")").header;
    auto const want = proton::difference(dose, other);
    ASSERT_TRUE(want);
    EXPECT_EQ(got["points"], want->points);
    EXPECT_EQ(got["mean"], want->mean);
    EXPECT_EQ(got["most"], want->most);
    EXPECT_EQ(got["least_at"], Json(want->least_at));
}

TEST_F(VolumesTest, TellsWhatIsNotStraightOrNotFinite) {
    Volume bare = dose;
    bare.image.values[7] = std::numeric_limits<float>::quiet_NaN();
    ASSERT_TRUE(save_npy(folder.path + "/bare.npy", bare.image));
    std::ofstream turned(folder.path + "/turned.nrrd");
    turned << "NRRD0004\ntype: int8\ndimension: 2\nspace dimension: 2\nsizes: 2 2\n"
              "space directions: (0,1) (1,0)\nspace origin: (0,0)\nencoding: raw\n\nabcd";
    turned.close();
    start({"dose.mha", "bare.npy", "turned.nrrd"});
    Page page(port());
    auto const& volumes = page.hello["volumes"];
    EXPECT_EQ(volumes[1]["lies"], "unknown");
    EXPECT_EQ(volumes[1]["not_finite"], 1);
    EXPECT_NE(volumes[1]["notes"].dump().find("1 of 120 values are NaN"), std::string::npos);
    EXPECT_NE(volumes[1]["notes"].dump().find("not tell the spacing"), std::string::npos);
    EXPECT_EQ(volumes[2]["lies"], "turned");
    EXPECT_EQ(volumes[2]["spaced"], true);
    EXPECT_EQ(volumes[1]["spaced"], false);
    EXPECT_NE(volumes[2]["notes"].dump().find("lengths along the stored axes"), std::string::npos);
    EXPECT_NE(volumes[2]["notes"].dump().find("mirrored or oblique"), std::string::npos);
    Json const error =
        ask(page, "plane", R"("volume":"v2","onto":"v1","across":"x","down":"y","at":0)").header;
    EXPECT_EQ(error["op"], "error");
    EXPECT_EQ(error["code"], "invalid_argument");
    // Alone each is shown.
    EXPECT_EQ(
        ask(page, "plane", R"("volume":"v3","onto":"v3","across":"x","down":"y","at":0)").values(),
        (std::vector<double>{'a', 'b', 'c', 'd'}));
}

TEST_F(VolumesTest, SaysWhatIsWrongAndStaysUp) {
    start({"dose.mha"});
    Page page(port());
    char const* const wrong[] = {
        R"("volume":"v2","onto":"v1","across":"x","down":"y","at":0)",
        R"("volume":"v1","onto":"v9","across":"x","down":"y","at":0)",
    };
    for (char const* const fields : wrong)
        EXPECT_EQ(ask(page, "plane", fields).header["code"], "not_found") << fields;
    EXPECT_EQ(ask(page, "plane", R"("volume":"v1")").header["code"], "invalid_argument");
    EXPECT_EQ(ask(page, "ping", "").header["op"], "pong");
}

TEST_F(VolumesTest, FoldersOfADoseShowAllOfIt) {
    std::filesystem::create_directories(folder.path + "/plan");
    // What an earlier run left is not of this dose.
    for (char const* const name : {"dose.mha", "let.mha", "error.mha"})
        std::filesystem::copy_file(folder.path + "/dose.mha", folder.path + "/plan/" + name);
    EXPECT_NE(kind_of(folder.path + "/plan"), &kinds::plan_dose);
    std::ofstream(folder.path + "/plan/dose.json")
        << R"({"plan":"p.dcm","ct":"ct","beams":[],"dose":{"highest_Gy":2},)"
        << R"("files":["dose.dcm","dose.mha","let.mha","dose.png","dose.json"]})";
    EXPECT_EQ(kind_of(folder.path + "/plan"), &kinds::plan_dose);
    start({"plan/"});
    Page page(port());
    ASSERT_EQ(page.hello["volumes"].size(), 2U);
    EXPECT_EQ(page.hello["volumes"][0]["name"], "plan/dose.mha");
    EXPECT_EQ(page.hello["volumes"][1]["name"], "plan/let.mha");
}

TEST_F(VolumesTest, FoldersOfARunHaveTheirPlaceFromTheReport) {
    std::string const grid =
        R"({"grid":{"planes":2,"columns":3,"dz_mm":2,"dx_mm":0.5,"x0_mm":-1}})";
    write_run("run", grid);
    write_run("mixed", R"({"grid":{"planes":9,"columns":3,"dz_mm":2,"dx_mm":0.5,"x0_mm":-1}})");
    write_run("strange", R"({"grid":{"planes":"2"}})");
    EXPECT_EQ(kind_of(folder.path + "/run"), &kinds::dose);
    EXPECT_EQ(kind_of(folder.path + "/run/"), &kinds::dose);
    EXPECT_NE(kind_of(folder.path + "/strange"), &kinds::dose);
    EXPECT_NE(kind_of(folder.path), &kinds::dose);
    start({"run/", "mixed"});
    Page page(port());
    ASSERT_EQ(page.hello["volumes"].size(), 1U);
    Json const v = page.hello["volumes"][0];
    EXPECT_EQ(v["name"], "run/dose.npy");
    EXPECT_EQ(v["unit"], "Gy mm a proton");
    EXPECT_EQ(v["depth"], true);
    EXPECT_EQ(v["spacing"], Json({0.5, 2.0}));
    EXPECT_EQ(v["origin"], Json({-0.75, 1.0}));
    EXPECT_NE(page.hello["notes"].dump().find("files of several runs"), std::string::npos);
    // Depth to the right, as people draw it.
    EXPECT_EQ(
        ask(page, "plane", R"("volume":"v1","onto":"v1","across":"y","down":"x","at":0)").values(),
        (std::vector<double>{1, 4, 2, 5, 3, 6}));
    EXPECT_EQ(ask(page, "plane", R"("volume":"v1","onto":"v1","across":"z","down":"x","at":0)")
                  .header["code"],
              "invalid_argument");
}

TEST_F(VolumesTest, WhatCannotBeShownIsTold) {
    std::ofstream(folder.path + "/short.mha")
        << "NDims = 2\nDimSize = 900 900\nElementType = MET_FLOAT\nElementDataFile = LOCAL\n12";
    std::vector<std::string> notes;
    std::vector<std::string> const paths{folder.path + "/dose.mha", folder.path + "/short.mha",
                                         folder.path + "/absent.mha", folder.path + "/other.nrrd"};
    // Room for the first one only.
    auto const volumes =
        open_volumes(paths, dose.image.values.size() * sizeof(float) + 4, notes).volumes;
    EXPECT_EQ(volumes.size(), 1U);
    ASSERT_EQ(notes.size(), 3U);
    EXPECT_NE(notes[0].find("short.mha"), std::string::npos);
    EXPECT_NE(notes[1].find("absent.mha"), std::string::npos);
    EXPECT_NE(notes[2].find("MB may be used"), std::string::npos);
    EXPECT_FALSE(Volumes::open({folder.path + "/absent.mha"}));
}

TEST_F(VolumesTest, PlacesOfTurnedAxesAreLengthsAlongThem) {
    std::string const head = "NDims = 2\nDimSize = 2 2\nTransformMatrix = -1 0 0 1\n";
    std::string const rest =
        "Offset = 30 40\nElementType = MET_CHAR\nElementDataFile = LOCAL\nabcd";
    std::ofstream(folder.path + "/turned.mha") << head + "ElementSpacing = 2 3\n" + rest;
    std::ofstream(folder.path + "/bare.mha") << head + rest;
    start({"turned.mha", "bare.mha"});
    Page page(port());
    Json const v = page.hello["volumes"];
    EXPECT_EQ(v[0]["origin"], Json({0.0, 0.0}));
    EXPECT_EQ(v[0]["most_at"], Json({2.0, 3.0}));
    EXPECT_EQ(v[0]["spaced"], true);
    EXPECT_EQ(v[1]["lies"], "turned");
    EXPECT_EQ(v[1]["spaced"], false);
    EXPECT_NE(v[1]["notes"].dump().find("numbers of elements"), std::string::npos);
}

TEST_F(VolumesTest, InfiniteValuesAreNone) {
    dose.image.values[7] = std::numeric_limits<float>::infinity();
    dose.image.values[8] = -std::numeric_limits<float>::infinity();
    ShownVolume const v = shown("p", "n", dose);
    EXPECT_EQ(v.range.not_finite, 2);
    EXPECT_TRUE(std::isnan(v.volume.image.values[7]));
    EXPECT_TRUE(std::isnan(v.volume.image.values[8]));
}

TEST_F(VolumesTest, AssumedUnitsAreThoseOfTheDifference) {
    dose.content = "CT, HU";
    dose.image.values[0] = -1000;
    other.content = "";
    other.image.values[0] = -1000;
    ASSERT_TRUE(save_metaimage(folder.path + "/ct.mha", dose));
    ASSERT_TRUE(save_metaimage(folder.path + "/bare.mha", other));
    start({"ct.mha", "bare.mha"});
    Page page(port());
    EXPECT_EQ(page.hello["volumes"][1]["unit"], "HU");
    EXPECT_NE(page.hello["volumes"][1]["notes"].dump().find("taken for HU"), std::string::npos);
    EXPECT_EQ(ask(page, "difference", R"("volume":"v1","minus":"v2")").header["op"], "difference");
}

TEST_F(VolumesTest, WhatLiesTooFarAwayIsTold) {
    auto const with = [&](std::string const& name, double spacing, double origin) {
        Volume v = dose;
        v.spacing[1] = spacing;
        v.origin[1] = origin;
        ASSERT_TRUE(save_metaimage(folder.path + "/" + name, v));
    };
    with("huge.mha", 1e308, 0);
    with("far.mha", 1, 1e300);
    with("beyond.mha", 2, 999'999);
    with("tiny.mha", 1e-300, 0);
    with("good.mha", 2, 999'990);
    start({"dose.mha", "huge.mha", "far.mha", "beyond.mha", "tiny.mha", "good.mha"});
    Page page(port());
    EXPECT_EQ(page.hello["volumes"].size(), 2U);
    ASSERT_EQ(page.hello["notes"].size(), 4U);
    EXPECT_NE(page.hello["notes"][0].dump().find("huge.mha"), std::string::npos);
    EXPECT_NE(page.hello["notes"][0].dump().find("of 0"), std::string::npos);
}

TEST_F(VolumesTest, AbsurdGridsOfReportsAreTold) {
    for (char const* const planes : {"1e300", "2.5", "-1", "18446744073709551615"}) {
        write_run("absurd", std::string(R"({"grid":{"planes":)") + planes +
                                R"(,"columns":3,"dz_mm":2,"dx_mm":0.5,"x0_mm":-1}})");
        std::vector<std::string> notes;
        EXPECT_TRUE(open_volumes({folder.path + "/absurd"}, 0, notes).volumes.empty()) << planes;
        ASSERT_FALSE(notes.empty());
        EXPECT_NE(notes[0].find("is not a report of `sluice proton run`"), std::string::npos);
    }
}

TEST_F(VolumesTest, FilesOfARunShareTheMemory) {
    write_run("run", R"({"grid":{"planes":2,"columns":3,"dz_mm":2,"dx_mm":0.5,"x0_mm":-1}})");
    for (char const* const name : {"let.npy", "let_all_protons.npy"})
        ASSERT_TRUE(save_npy(folder.path + "/run/" + name, Array<float>::zeros({2, 3})));
    std::vector<std::string> notes;
    EXPECT_EQ(open_volumes({folder.path + "/run"}, 2 * 6 * sizeof(float), notes).volumes.size(),
              2U);
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_NE(notes[0].find("MB may be used"), std::string::npos) << notes[0];
}

TEST_F(VolumesTest, FilesThatCannotBeLookedForAreTold) {
    write_run("run", R"({"grid":{"planes":2,"columns":3,"dz_mm":2,"dx_mm":0.5,"x0_mm":-1}})");
    std::filesystem::create_symlink("let.npy", folder.path + "/run/let.npy");
    std::vector<std::string> notes;
    EXPECT_EQ(open_volumes({folder.path + "/run"}, 0, notes).volumes.size(), 1U);
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_NE(notes[0].find("let.npy"), std::string::npos) << notes[0];
}

TEST_F(VolumesTest, PlanesWiderThanACanvasAreTold) {
    std::string const path = folder.path + "/wide.npy";
    std::vector<std::string> notes;
    ASSERT_TRUE(save_npy(path, Array<float>::zeros({1, 32768})));
    EXPECT_TRUE(open_volumes({path}, 0, notes).volumes.empty());
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_NE(notes[0].find("too large to show"), std::string::npos) << notes[0];
    ASSERT_TRUE(save_npy(path, Array<float>::zeros({1, 32767})));
    EXPECT_EQ(open_volumes({path}, 0, notes).volumes.size(), 1U);
}

TEST(UnitOf, IsWhatStandsBehindTheComma) {
    EXPECT_EQ(unit_of("dose, Gy mm a proton; sluice 1 (abc)"), "Gy mm a proton");
    EXPECT_EQ(unit_of("CT, HU"), "HU");
    EXPECT_EQ(unit_of("dose"), "");
    EXPECT_EQ(unit_of("made by somebody, on a day that took long to describe and that is no unit"),
              "");
}

}  // namespace
}  // namespace sluice::app
