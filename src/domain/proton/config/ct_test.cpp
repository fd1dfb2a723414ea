// Phantoms out of images: where their tissues lie, what they are, and what is wrong with bad ones.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/config/ct.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "sluice/save.h"

namespace sluice::proton {
namespace {

namespace fs = std::filesystem;

class CtImage : public testing::Test {
  protected:
    CtImage() : folder_(fs::path(testing::TempDir()) / ("sluice_ct_" + std::to_string(getpid()))) {
        fs::create_directories(folder_);
    }
    ~CtImage() override { fs::remove_all(folder_); }

    /// [y][x] of 2 and 1 mm, as image.mhd.
    void save(std::vector<float> const& values, index rows, index columns) {
        ASSERT_TRUE(save_metaimage(file("image.mhd"), {{{rows, columns}, values}, {1, 2}, {0, 0}}));
    }
    std::string file(std::string const& name) const { return folder_ / name; }
    void write(std::string const& name, std::string const& text) const {
        std::ofstream(file(name)) << text;
    }
    Result<Config> read(std::string const& ct, std::string const& grid = "",
                        std::string const& more = "") const {
        write("beam.toml", "[grid]\ndz = \"1 mm\"\ndx = \"1 mm\"\n" + grid +
                               "[ct]\nimage = \"image.mhd\"\n" + ct +
                               "[[beam]]\nenergy = \"5 MeV\"\nsigma_x = \"2 mm\"\n" + more);
        return read_config(file("beam.toml"));
    }
    std::string problem(std::string const& ct, std::string const& grid = "") const {
        auto const c = read(ct, grid);
        return c ? "none" : c.error().text();
    }
    fs::path folder_;
};

// Densities of 1 to 6 in 2 rows of 3.
std::vector<float> const six = {1, 1.1f, 1.2f, 1.3f, 1.4f, 1.5f};
std::string const density = "quantity = \"density\"\n";

std::vector<double> densities(Phantom const& p) {
    std::vector<double> out;
    for (index k = 0; k < p.planes; ++k)
        for (index i = 0; i < p.columns; ++i) out.push_back(p.at(k, i).density);
    return out;
}

TEST_F(CtImage, GivesThePhantomItsSizeAndTissues) {
    save(six, 2, 3);
    auto const c = read(density);
    ASSERT_TRUE(c) << c.error().text();
    Phantom const& p = c->phantom;
    EXPECT_EQ(p.planes, 4);
    EXPECT_EQ(p.columns, 3);
    EXPECT_EQ(p.x0, -1.5);
    // Planes at a quarter and three quarters between the middles of the pixels' rows.
    EXPECT_EQ(densities(p), (std::vector<double>{1, 1.1, 1.2, 1.075, 1.175, 1.275, 1.225, 1.325,
                                                 1.425, 1.3, 1.4, 1.5}));
    ASSERT_GE(c->assumed.size(), 2u);
    EXPECT_EQ(c->assumed[0],
              "image: image.mhd, density of 1 to 1.5; depth along y, 2 pixels of 2 mm; across "
              "along x, 3 of 1 mm");
    EXPECT_TRUE(c->guards.empty());
}

TEST_F(CtImage, AxesAreTurnedAndReversed) {
    save(six, 2, 3);
    auto const turned =
        read(density + "depth_axis = \"-x\"\nacross_axis = \"y\"\n", "range_step = \"0.05 mm\"\n");
    ASSERT_TRUE(turned) << turned.error().text();
    EXPECT_EQ(turned->phantom.planes, 3);
    EXPECT_EQ(turned->phantom.columns, 4);
    EXPECT_EQ(densities(turned->phantom), (std::vector<double>{1.2, 1.275, 1.425, 1.5, 1.1, 1.175,
                                                               1.325, 1.4, 1, 1.075, 1.225, 1.3}));
}

TEST_F(CtImage, MirroredAxesAreTakenAsStoredAndObliqueOnesRefused) {
    Volume v{{{2, 3}, six}, {1, 2}, {0, 0}, {{{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}}}};
    ASSERT_TRUE(save_metaimage(file("image.mhd"), v));
    auto const c = read(density);
    ASSERT_TRUE(c) << c.error().text();
    EXPECT_NE(c->assumed[1].find("mirrored or exchanged in space (x along (-1, 0, 0)"),
              std::string::npos);
    save(six, 2, 3);
    EXPECT_EQ(densities(c->phantom), densities(read(density)->phantom));
    v.direction = {{{0.8, 0.6, 0}, {-0.6, 0.8, 0}, {0, 0, 1}}};
    ASSERT_TRUE(save_metaimage(file("image.mhd"), v));
    EXPECT_NE(problem(density).find("image.mhd lie obliquely in space"), std::string::npos);
}

TEST_F(CtImage, ASliceOfThreeAxes) {
    std::vector<float> values;
    for (int i = 0; i < 12; ++i) values.push_back(1 + static_cast<float>(i) / 10);
    ASSERT_TRUE(save_metaimage(file("image.mhd"), {{{2, 2, 3}, values}, {1, 2, 5}, {}}));
    auto const c = read(density + "slice = 1\n");
    ASSERT_TRUE(c) << c.error().text();
    EXPECT_NEAR(c->phantom.at(0, 0).density, 1.6, 1e-12);
    auto const along_z = read(density + "slice = 1\ndepth_axis = \"z\"\n");
    ASSERT_TRUE(along_z) << along_z.error().text();
    EXPECT_EQ(along_z->phantom.planes, 10);
    EXPECT_NEAR(along_z->phantom.at(0, 0).density, 1.3, 1e-12);
    EXPECT_NEAR(along_z->phantom.at(9, 2).density, 2.1, 1e-12);
    EXPECT_NE(problem(density).find("2 slices along z; say which"), std::string::npos);
    EXPECT_NE(problem(density + "slice = 2\n").find("no slice 2 along z; give 0 to 1"),
              std::string::npos);
    EXPECT_NE(problem(density + "slice = 0.5\n").find("ct.slice is '0.5'"), std::string::npos);
    EXPECT_NE(problem(density + "slice = -1\n").find("no slice -1"), std::string::npos);
}

TEST_F(CtImage, HuBecomeTissuesOfTheTables) {
    save(std::vector<float>(2 * 3, 100.3f), 2, 3);
    auto const c = read("");
    ASSERT_TRUE(c) << c.error().text();
    Physics const physics(c->water);
    // Rounded to a HU.
    Material const& m = c->phantom.at(0, 0);
    EXPECT_EQ(m.name, "100 HU");
    EXPECT_NEAR(physics.relative_stopping_power(m, 100), 1.095, 1e-12);
    EXPECT_NEAR(m.density, 1.097 + (1.143 - 1.097) * 30 / 143, 1e-12);
    EXPECT_EQ(c->phantom.materials.size(), 2u);
    write("own.txt", "# of a scanner\n-1000 0.5 # air\n1000, 1.5\n");
    auto const own = read("table = \"own.txt\"\ndensity_table = \"own.txt\"\n");
    ASSERT_TRUE(own) << own.error().text();
    EXPECT_NEAR(physics.relative_stopping_power(own->phantom.at(0, 0), 100), 1.05, 1e-12);
    EXPECT_NEAR(own->phantom.at(0, 0).density, 1.05, 1e-12);
    EXPECT_NE(own->assumed[1].find("stopping power by own.txt, density by own.txt"),
              std::string::npos);
}

TEST_F(CtImage, StoppingPowersAreKept) {
    save(std::vector<float>(2 * 3, 1.7f), 2, 3);
    auto const c = read("quantity = \"rsp\"\n");
    ASSERT_TRUE(c) << c.error().text();
    Material const& m = c->phantom.at(1, 1);
    EXPECT_NEAR(Physics(c->water).relative_stopping_power(m, 100), 1.7, 1e-12);
    EXPECT_NEAR(m.density, material("cortical_bone").value().density, 0.02);
}

TEST_F(CtImage, MediaLieOverIt) {
    save(six, 2, 3);
    auto const c =
        read(density, "", "[[medium]]\nmaterial = \"lung\"\nfrom = \"1 mm\"\nto = \"2 mm\"\n");
    ASSERT_TRUE(c) << c.error().text();
    EXPECT_EQ(c->phantom.at(1, 1).name, "lung");
    EXPECT_EQ(c->phantom.at(2, 1).name, "1.325 g/cm3");
}

TEST_F(CtImage, ValuesOutsideOfTheTableAreTold) {
    save({-3000, 0, 0, 0, 0, 4000}, 2, 3);
    std::string const hu = "quantity = \"HU\"\n";
    auto const c = read(hu);
    ASSERT_TRUE(c) << c.error().text();
    ASSERT_EQ(c->guards.size(), 1u);
    EXPECT_NE(c->guards[0].text.find("3 of 12 cells have HU"), std::string::npos)
        << c->guards[0].text;
    EXPECT_NE(c->guards[0].text.find("-3000 to 4000"), std::string::npos) << c->guards[0].text;
    EXPECT_NEAR(Physics(c->water).relative_stopping_power(c->phantom.at(3, 2), 100), 2.505, 1e-12);
    auto const coarse = read(hu, "depth = \"4 mm\"\nwidth = \"3 mm\"\n");
    ASSERT_TRUE(coarse);
    EXPECT_EQ(coarse->guards.size(), 1u);
}

// What a scanner without its intercept, kg/m3 and stopping powers times 1000 look like: with air
// around or none, with what lies outside of the field at another value, and noise.
TEST_F(CtImage, ValuesThatAreNoHuAreRefused) {
    auto const image = [](double air, double tissue, double outside, int aired) {
        std::vector<float> v;
        for (int i = 0; i < 400; ++i) {
            double const noise = 30 * std::sin(12.9898 * i);
            double const at = i % 20 < 2 ? outside : i % 20 < 2 + aired ? air : tissue;
            v.push_back(static_cast<float>(at == outside ? at : at + noise));
        }
        return v;
    };
    for (int const aired : {0, 3, 9, 14})
        for (double const outside : {0.0, 24.0, -2000.0, -1024.0}) {
            save(image(24, 1060, outside, aired), 20, 20);
            EXPECT_NE(problem("").find("HU plus 1024"), std::string::npos)
                << aired << " " << outside;
        }
    save(image(1, 1000, 0, 0), 20, 20);
    EXPECT_NE(problem("quantity = \"HU\"\n").find("are no HU"), std::string::npos);
    // HU of a patient, of a head without air around, and of water.
    save(image(-980, 40, -1024, 9), 20, 20);
    EXPECT_TRUE(read(""));
    save(image(30, 45, -1000, 3), 20, 20);
    EXPECT_TRUE(read(""));
    // Air of one value, and bone.
    save(image(1100, 35, -1000, 6), 20, 20);
    EXPECT_TRUE(read(""));
    // Water with a dense insert, and a skull without air, have to be told, and are believed then.
    save(image(1100, 0, 0, 2), 20, 20);
    EXPECT_NE(problem("").find("give ct.quantity"), std::string::npos);
    EXPECT_TRUE(read("quantity = \"HU\"\n"));
    save(image(1100, 35, -1024, 6), 20, 20);
    EXPECT_NE(problem("").find("give ct.quantity"), std::string::npos);
    EXPECT_TRUE(read("quantity = \"HU\"\n"));
}

TEST_F(CtImage, GivesTheGridWhereTheConfigurationHasNone) {
    ASSERT_TRUE(save_metaimage(file("image.mhd"), {Array<float>::zeros({40, 30}), {1, 2}, {}}));
    auto const c = parse_config(
        "[ct]\nimage = \"image.mhd\"\n[[beam]]\nenergy = \"60 MeV\"\nsigma_x = \"3 mm\"\n",
        "x.toml", folder_.string());
    ASSERT_TRUE(c) << c.error().text();
    EXPECT_EQ(c->phantom.depth(), 80);
    EXPECT_EQ(c->phantom.width(), 30);
    EXPECT_NE(parse_config("[[beam]]\nenergy = \"60 MeV\"\nsigma_x = \"3 mm\"\n", "x.toml")
                  .error()
                  .text()
                  .find("grid is missing"),
              std::string::npos);
}

TEST_F(CtImage, CoarseCellsAreTold) {
    ASSERT_TRUE(save_metaimage(file("image.mhd"), {Array<float>::zeros({40, 40}), {0.5, 0.5}, {}}));
    auto const c = read("");
    ASSERT_TRUE(c) << c.error().text();
    ASSERT_EQ(c->guards.size(), 1u);
    EXPECT_NE(c->guards[0].text.find("skip pixels of 0.5 x 0.5 mm"), std::string::npos);
}

TEST_F(CtImage, ArraysNeedASpacing) {
    ASSERT_TRUE(save_npy(file("image.npy"), Array<float>{{2, 3}, six}));
    auto const with = [&](std::string const& ct) {
        write("beam.toml", "[grid]\n[ct]\nimage = \"image.npy\"\n" + density + ct +
                               "[[beam]]\nenergy = \"10 MeV\"\nsigma_x = \"2 mm\"\n");
        return read_config(file("beam.toml"));
    };
    auto const none = with("");
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().message.find("give ct.spacing"), std::string::npos);
    auto const list = with("spacing = [\"1 mm\", \"3 mm\"]\n");
    ASSERT_TRUE(list) << list.error().text();
    EXPECT_EQ(list->phantom.columns, 6);
    EXPECT_EQ(list->phantom.planes, 12);
    auto const one = with("spacing = \"2 mm\"\n");
    ASSERT_TRUE(one) << one.error().text();
    EXPECT_EQ(one->phantom.columns, 12);
    for (char const* bad :
         {"spacing = 1\n", "spacing = \"0 mm\"\n", "spacing = \"-1 mm\"\n", "spacing = []\n",
          "spacing = [\"1 mm\", \"1 mm\", \"1 mm\"]\n", "spacing = [\"1 mm\", 1]\n"})
        EXPECT_FALSE(with(bad)) << bad;
}

TEST_F(CtImage, WrongOnesAreExplained) {
    auto const expect = [&](std::string const& text, std::string const& message) {
        EXPECT_NE(text.find(message), std::string::npos) << text << " instead of " << message;
    };
    expect(problem(""), "image.mhd");
    save(six, 2, 3);
    expect(problem("slice = 1\n"), "has two axes, and so no slices");
    expect(problem("depth_axis = \"z\"\n"), "the image has 2 axes, and no axis z");
    expect(problem("depth_axis = \"x\"\n"), "are both x");
    expect(problem("depth_axis = \"w\"\n"), "ct.depth_axis: 'w' is not an axis");
    expect(problem("quantity = \"hounsfield\"\n"),
           "ct.quantity is 'hounsfield' (it has no such value) give one of HU, density, rsp");
    expect(problem(density + "table = \"x.txt\"\n"), "are for HU");
    expect(problem("table = \"x.txt\"\n"), "x.txt");
    expect(problem("spacing = \"1 mm\"\n"), "has a spacing of its own (1 x 2 mm)");
    expect(problem("tabel = \"x.txt\"\n"), "did you mean 'table'?");
    expect(problem(density, "depth = \"9 mm\"\n"),
           "the phantom is 9 mm deep and 3 mm wide, and "
           "the image 4 and 3 mm");
    expect(problem(density, "width = \"9 mm\"\n"), "4 mm deep and 9 mm wide");
    write("bad.txt", "0 1\n0 2\n");
    expect(problem("table = \"bad.txt\"\n"), "bad.txt: line 2: '0 2' is not an HU");
    write("bad.txt", "0 1\n5 -2\n");
    expect(problem("table = \"bad.txt\"\n"), "line 2");
    write("bad.txt", "0 nan\n");
    expect(problem("table = \"bad.txt\"\n"), "line 1");
    write("bad.txt", "0 1 2\n");
    expect(problem("table = \"bad.txt\"\n"), "line 1");
    write("bad.txt", "# nothing\n");
    expect(problem("table = \"bad.txt\"\n"), "has less than two lines");
    save({1, 1, 1, 1, -0.5f, 1}, 2, 3);
    expect(problem(density), "the image goes from -0.5 to 1, and cannot be a density");
    expect(problem("quantity = \"rsp\"\n"), "cannot be a relative stopping power");
    save({1, 1, 1, 1, NAN, 1}, 2, 3);
    expect(problem(""), "image.mhd: the image is nan at y = 1, x = 1");
    save(six, 2, 3);
    expect(problem(""), "ct.quantity = \"rsp\", \"density\" or \"HU\"");
    save({1, INFINITY, 1, 1, 1, 1}, 2, 3);
    expect(problem(density), "the image is inf at y = 0, x = 1");
}

TEST_F(CtImage, WhatMostPixelsAreDecidesWhetherTheQuantityMustBeSaid) {
    std::string const asks = "ct.quantity = \"rsp\", \"density\" or \"HU\"";
    auto const with = [&](std::vector<float> const& few) {
        std::vector<float> values(60, 1.05f);
        std::copy(few.begin(), few.end(), values.begin());
        save(values, 6, 10);
        return problem("");
    };
    for (std::vector<float> const& few :
         {std::vector<float>{}, {-0.01f}, {40}, {-0.9f, 300, 40, 0}})
        EXPECT_NE(with(few).find(asks), std::string::npos) << few.size();
    // Air, or a tenth that no stopping power reaches: HU.
    EXPECT_EQ(with({-1000}), "none");
    EXPECT_EQ(with({40, 40, 40, 40, 40, -40, -40}), "none");
    save(std::vector<float>(60, 0.0f), 6, 10);
    EXPECT_EQ(problem(""), "none");
}

TEST_F(CtImage, ATextOfNoFileHasNoImage) {
    save(six, 2, 3);
    std::string const text = "[grid]\ndx = \"1 mm\"\n[ct]\nimage = \"image.mhd\"\n" + density +
                             "[[beam]]\nenergy = \"10 MeV\"\nsigma_x = \"2 mm\"\n";
    auto const none = parse_config(text, "x.toml");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().file, "x.toml");
    EXPECT_NE(none.error().message.find("write it into a file"), std::string::npos);
    auto const some = parse_config(text, "x.toml", folder_);
    EXPECT_TRUE(some) << some.error().text();
}

// What the protons see: water where it is water, and as much more as there is of bone.
TEST_F(CtImage, RangesFollowTheImage) {
    auto const r80 = [&](std::vector<float> const& values, std::string const& ct) {
        EXPECT_TRUE(save_metaimage(file("image.mhd"), {{{60, 20}, values}, {2, 2}, {}}));
        write("beam.toml", "[grid]\n[ct]\nimage = \"image.mhd\"\n" + ct +
                               "[[beam]]\nenergy = \"100 MeV\"\nsigma_x = \"3 mm\"\n");
        Config const c = read_config(file("beam.toml")).value();
        auto const r = march(Physics(c.water), c.phantom, c.beams[0], c.options).value();
        return bragg_metrics(depth_dose(r)).value().r80;
    };
    std::vector<float> image(60 * 20, 0.0f);
    double const water = r80(image, "");
    Config const plain = parse_config(
                             "[grid]\ndepth = \"120 mm\"\nwidth = \"40 mm\"\n[[beam]]\n"
                             "energy = \"100 MeV\"\nsigma_x = \"3 mm\"\n",
                             "x.toml")
                             .value();
    auto const r = march(Physics(plain.water), plain.phantom, plain.beams[0]).value();
    EXPECT_NEAR(water, bragg_metrics(depth_dose(r)).value().r80, 0.1);
    // 20 mm of bone are 34 mm of water; edges are as wide as a pixel.
    std::vector<float> bone(60 * 20, 1.0f);
    for (std::size_t i = 10 * 20; i < 20 * 20; ++i) bone[i] = 1.7f;
    EXPECT_NEAR(r80(bone, "quantity = \"rsp\"\n"), water - 14, 0.2);
}

}  // namespace
}  // namespace sluice::proton
