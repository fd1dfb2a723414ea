// Files of orientation maps: what is written comes back, and what is damaged is refused.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "domain/orientation/files/columns.h"
#include "domain/orientation/files/frames.h"
#include "domain/orientation/map/test_maps.h"
#include "domain/orientation/rotation/test_symmetry.h"
#include "format/kinds/kinds.h"
#include "save/folder_test.h"
#include "sluice/orientation_file.h"
#include "sluice/structure_factors.h"

namespace sluice::stem4d {
namespace {

OrientationMap small_map() {
    OrientationMap m = orient::grainy_map(5, 7, 3, 0.2, 2).map;
    m.provenance.add("program", "a test");
    m.covariance[3].fill(NAN);
    m.phases[1].cell.notes = {"a note", "another"};
    m.notes = {"x along columns", ""};
    m.kilovolts = 300;
    m.common_factor = 1.01, m.common_factor_error = 1e-4;
    OrientationMap under = m;
    under.notes.clear();
    under.phase[4] = -1, under.reason[4] = OrientationReason::no_match;
    m.overlapping.push_back(std::move(under));
    return m;
}
std::string text_of(std::string const& path) {
    std::ifstream file(path);
    std::ostringstream out;
    out << file.rdbuf();
    return out.str();
}
std::vector<std::string> lines_of_file(std::string const& path) {
    std::istringstream text(text_of(path));
    std::vector<std::string> out;
    for (std::string line; std::getline(text, line);) out.push_back(line);
    return out;
}

TEST(OrientationFiles, Hdf5KeepsAll) {
    save::TestFolder const folder;
    std::string const path = folder.file("map.h5");
    OrientationMap const m = small_map();
    ASSERT_TRUE(save_orientations(path, m));
    EXPECT_EQ(kind_of(path), &kinds::orientations);
    auto const back = load_orientations(path);
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(orient::digest_of(*back), orient::digest_of(m));
    EXPECT_EQ(back->scan_shape, m.scan_shape);
    EXPECT_EQ(back->step_nm, 5);
    EXPECT_EQ(back->kilovolts, 300);
    EXPECT_EQ(back->common_factor, 1.01);
    EXPECT_EQ(back->common_factor_error, 1e-4);
    ASSERT_EQ(back->overlapping.size(), 1u);
    EXPECT_EQ(back->overlapping[0].phase, m.overlapping[0].phase);
    EXPECT_EQ(back->overlapping[0].phases.size(), 2u);
    EXPECT_EQ(back->notes, m.notes);
    EXPECT_TRUE(std::isnan(back->covariance[3][0]));
    ASSERT_EQ(back->phases.size(), 2u);
    EXPECT_EQ(back->phases[1].name, "Titanium");
    EXPECT_EQ(back->phases[1].cell.notes, m.phases[1].cell.notes);
    EXPECT_EQ(back->phases[1].symmetry.laue, LaueClass::hexagonal);
    EXPECT_EQ(back->phases[0].cell.atoms.size(), 4u);
    EXPECT_EQ(back->phases[0].cell.atoms[0].b_iso, 0.8);
    EXPECT_EQ(back->provenance.fields, m.provenance.fields);
    auto const info = inspect_orientations(path);
    ASSERT_TRUE(info);
    EXPECT_EQ(info->indexed, indexed_patterns(m));
    EXPECT_EQ(info->indexed_of_phase[0] + info->indexed_of_phase[1], info->indexed);
    EXPECT_EQ(info->phases[0], "Aluminium");
}

TEST(OrientationFiles, MapsWithoutPhasesOrMatchesComeBack) {
    save::TestFolder const folder;
    OrientationMap m = small_map();
    EXPECT_TRUE(check_orientations(m));
    m.phases.clear();
    EXPECT_FALSE(check_orientations(m));
    m.overlapping.clear();
    for (std::size_t p = 0; p < m.reason.size(); ++p) {
        m.reason[p] = OrientationReason::no_disks;
        m.phase[p] = -1;
    }
    for (char const* end : {".h5", ".ang", ".ctf"})
        EXPECT_TRUE(save_orientations(folder.file(std::string("map") + end), m)) << end;
    auto const back = load_orientations(folder.file("map.h5"));
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_TRUE(back->phases.empty());
}

TEST(OrientationFiles, WhatIsNotKnownIsSaid) {
    save::TestFolder const folder;
    OrientationMap m = small_map();
    m.step_nm = m.kilovolts = 0;
    m.common_factor = NAN;
    for (char const* end : {".h5", ".ang", ".ctf"})
        ASSERT_TRUE(save_orientations(folder.file(std::string("map") + end), m)) << end;
    std::string const ang = text_of(folder.file("map.ang")), ctf = text_of(folder.file("map.ctf"));
    EXPECT_NE(ang.find("the step is not known"), std::string::npos);
    EXPECT_EQ(ang.find("kV"), std::string::npos);
    EXPECT_NE(ctf.find("the step is not known: 1 a pattern"), std::string::npos);
    EXPECT_NE(ctf.find("\tKV\t0\t"), std::string::npos);
    auto const back = load_orientations(folder.file("map.h5"));
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(back->kilovolts, 0);
    EXPECT_TRUE(std::isnan(back->common_factor));
    m.kilovolts = -1;
    EXPECT_FALSE(save_orientations(folder.file("other.h5"), m));
}

TEST(OrientationFiles, AChangedByteIsSeen) {
    save::TestFolder const folder;
    std::string const path = folder.file("map.h5");
    OrientationMap const m = small_map();
    ASSERT_TRUE(save_orientations(path, m));
    std::string const good = text_of(path);
    // In the numbers of a column: 0.75f, the score, stands there only.
    float const score = 0.75f;
    std::string const bytes(reinterpret_cast<char const*>(&score), 4);
    auto const at = good.find(bytes + bytes + bytes);
    ASSERT_NE(at, std::string::npos);
    std::string bad = good;
    bad[at] = 1;
    std::ofstream(path, std::ios::binary) << bad;
    auto const changed = load_orientations(path);
    ASSERT_FALSE(changed);
    EXPECT_NE(changed.error().message.find("digest"), std::string::npos);
    // Changed or cut every 500 bytes: an error or, in places without content, the same map.
    auto const same_or_refused = [&](std::string const& bytes_now) {
        std::ofstream(path, std::ios::binary) << bytes_now;
        auto const read = load_orientations(path);
        return !read || orient::digest_of(*read) == orient::digest_of(m);
    };
    for (std::size_t i = 0; i < good.size(); i += 500) {
        bad = good;
        bad[i] = static_cast<char>(bad[i] ^ 0x55);
        EXPECT_TRUE(same_or_refused(bad)) << i;
        EXPECT_TRUE(same_or_refused(good.substr(0, i))) << i;
    }
    std::ofstream(path, std::ios::binary) << good.substr(0, good.size() / 2);
    EXPECT_FALSE(load_orientations(path));
}

TEST(OrientationFiles, WrongFilesAndNamesAreToldSo) {
    save::TestFolder const folder;
    OrientationMap const m = small_map();
    auto const named = save_orientations(folder.file("map.txt"), m);
    ASSERT_FALSE(named);
    EXPECT_NE(named.error().message.find(".ctf"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(folder.file("map.txt")));
    OrientationMap broken = m;
    broken.score.clear();
    EXPECT_FALSE(save_orientations(folder.file("map.h5"), broken));
    EXPECT_FALSE(std::filesystem::exists(folder.file("map.h5")));
    EXPECT_FALSE(load_orientations(folder.file("map.h5")));
    std::ofstream(folder.file("other.h5")) << "no HDF5";
    auto const other = load_orientations(folder.file("other.h5"));
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().message.find("the formats are HDF5"), std::string::npos)
        << other.error().text();
}

TEST(OrientationFiles, AngHasTheColumnsOfOim) {
    save::TestFolder const folder;
    std::string const path = folder.file("map.ang");
    OrientationMap const m = small_map();
    ASSERT_TRUE(save_orientations(path, m));
    std::vector<std::string> rows;
    std::string head;
    for (std::string const& line : lines_of_file(path))
        if (line.starts_with('#'))
            head += line + "\n";
        else
            rows.push_back(line);
    EXPECT_NE(head.find("# NCOLS_ODD: 7\n"), std::string::npos);
    EXPECT_NE(head.find("# NROWS: 5\n"), std::string::npos);
    EXPECT_NE(head.find("# XSTEP: 0.005000\n"), std::string::npos);
    EXPECT_NE(head.find("# electrons of 300 kV\n"), std::string::npos);
    EXPECT_NE(head.find("in µm"), std::string::npos);
    EXPECT_NE(head.find("Symmetry              43"), std::string::npos);
    EXPECT_NE(head.find("Symmetry              62"), std::string::npos);
    ASSERT_EQ(rows.size(), 35u);
    for (std::size_t p = 0; p < rows.size(); ++p) {
        std::istringstream row(rows[p]);
        EulerAngles e{};
        double x = 0, y = 0, iq = 0, ci = 0, fit = 0;
        int phase = 0, sem = 0;
        row >> e[0] >> e[1] >> e[2] >> x >> y >> iq >> ci >> phase >> sem >> fit;
        ASSERT_TRUE(row);
        EXPECT_NEAR(x, 0.005 * static_cast<double>(p % 7), 1e-9);
        EXPECT_NEAR(y, 0.005 * static_cast<double>(p / 7), 1e-9);
        bool const good = m.reason[p] == OrientationReason::indexed;
        EXPECT_EQ(phase, good ? m.phase[p] + 1 : 0);
        EXPECT_NEAR(ci, good ? 0.99 : -1, 1e-6);
        if (!good) continue;
        for (double& angle : e) angle *= 180 / std::numbers::pi;
        auto const& s = m.phases[static_cast<std::size_t>(m.phase[p])].symmetry;
        EXPECT_LT(disorientation(orientation_of(e), m.orientation[p], s), 2e-3);
    }
}

// x of Oxford's frame is a*: 30 degrees from a, and y is b.
TEST(OrientationFiles, CtfHasTheFrameOfOxford) {
    UnitCell hexagonal = orient::named_cell({3, 3, 5, 90, 90, 120}, "P 63/m m c");
    Orientation const turn = orient::to_oxford(hexagonal);
    Vector3 const b = axes_of(hexagonal)[1], there = turn.turn(b);
    EXPECT_NEAR(there[0], 0, 1e-12);
    EXPECT_NEAR(there[1], 3, 1e-12);
    UnitCell const monoclinic = orient::named_cell({5, 6, 7, 90, 100, 90}, "P 1 21/c 1");
    Vector3 const c = orient::to_oxford(monoclinic).turn(axes_of(monoclinic)[2]);
    EXPECT_NEAR(c[0], 0, 1e-12);
    EXPECT_NEAR(c[1], 0, 1e-12);
    EXPECT_NEAR(c[2], 7, 1e-12);
    UnitCell const cubic = orient::named_cell({4, 4, 4, 90, 90, 90}, "P m -3 m");
    EXPECT_NEAR(std::abs(orient::to_oxford(cubic).w), 1, 1e-12);
}

TEST(OrientationFiles, CtfHasTheColumnsOfOxford) {
    save::TestFolder const folder;
    std::string const path = folder.file("map.ctf");
    OrientationMap const m = small_map();
    ASSERT_TRUE(save_orientations(path, m));
    auto const lines = lines_of_file(path);
    EXPECT_EQ(lines[0], "Channel Text File");
    auto const head = std::ranges::find_if(lines, [](auto& l) { return l.starts_with("Phase\t"); });
    ASSERT_NE(head, lines.end());
    EXPECT_EQ(*(head - 3), "Phases\t2");
    EXPECT_NE((head - 4)->find("\tKV\t300\t"), std::string::npos);
    EXPECT_NE(std::ranges::find(lines, "XStep\t0.005000"), lines.end());
    EXPECT_TRUE((head - 2)->starts_with(
        "4.0495;4.0495;4.0495\t90.0000;90.0000;90.0000\tAluminium\t11\t225"));
    EXPECT_TRUE((head - 1)->starts_with(
        "2.9510;2.9510;4.6840\t90.0000;90.0000;120.0000\tTitanium\t9\t194"));
    ASSERT_EQ(lines.end() - head - 1, 35);
    for (std::size_t p = 0; p < 35; ++p) {
        std::istringstream row(head[static_cast<std::ptrdiff_t>(p) + 1]);
        int phase = 0, bands = 0, error = 0;
        double x = 0, y = 0;
        EulerAngles e{};
        row >> phase >> x >> y >> bands >> error >> e[0] >> e[1] >> e[2];
        ASSERT_TRUE(row);
        bool const good = m.reason[p] == OrientationReason::indexed;
        EXPECT_EQ(phase, good ? m.phase[p] + 1 : 0);
        EXPECT_EQ(error, good ? 0 : 3);
        if (!good) continue;
        // Hexagonal: 30 degrees more of phi2 than ours, since x is 30 degrees beside a.
        EulerAngles ours = e;
        ours[2] -= m.phase[p] == 1 ? 30 : 0;
        auto const& s = m.phases[static_cast<std::size_t>(m.phase[p])].symmetry;
        EXPECT_LT(disorientation(orientation_of(ours), m.orientation[p], s), 1e-3);
    }
}

}  // namespace
}  // namespace sluice::stem4d
