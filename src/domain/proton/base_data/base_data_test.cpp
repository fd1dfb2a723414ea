// Base data: what is in them, and what a reader of MAT files finds in the file.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>

#include "base/file.h"
#include "sluice/proton_base_data.h"

namespace sluice::proton {
namespace {

/// An element of a MAT file and what is inside it.
struct Node {
    std::string name, text;
    std::vector<int> shape;
    std::vector<double> numbers;
    std::vector<std::map<std::string, Node>> structures;
};

/// Reads by MATLAB's description of its format, independently of how sluice writes.
class Reader {
  public:
    explicit Reader(std::string bytes) : bytes_(std::move(bytes)), at_(128) {}

    Node matrix() {
        Node n;
        auto const [type, size] = tag();
        EXPECT_EQ(type, 14u);
        std::size_t const end = at_ + size;
        auto const flags = values<std::uint32_t>(6), sides = values<std::uint32_t>(5);
        n.shape.assign(sides.begin(), sides.end());
        auto const name = values<char>(1);
        n.name.assign(name.begin(), name.end());
        std::uint32_t const kind = flags.at(0) & 0xff;
        if (kind == 6) n.numbers = values<double>(9);
        if (kind == 4)
            for (std::uint16_t const c : values<std::uint16_t>(4)) n.text += static_cast<char>(c);
        if (kind == 2) structures(n);
        EXPECT_EQ(at_, end);
        return n;
    }
    bool ended() const { return at_ == bytes_.size(); }

  private:
    std::string bytes_;
    std::size_t at_;

    std::uint32_t word() {
        std::uint32_t w = 0;
        std::memcpy(&w, bytes_.substr(at_, 4).data(), 4);
        at_ += 4;
        return w;
    }
    std::pair<std::uint32_t, std::uint32_t> tag() {
        std::uint32_t const first = word();
        if (first >> 16) return {first & 0xffff, first >> 16};
        return {first, word()};
    }
    template <class T>
    std::vector<T> values(std::uint32_t wanted) {
        std::size_t const begin = at_;
        auto const [type, size] = tag();
        EXPECT_EQ(type, wanted);
        std::vector<T> out(size / sizeof(T));
        if (size > 0) std::memcpy(out.data(), bytes_.substr(at_, size).data(), size);
        at_ = begin + (at_ + size - begin + 7) / 8 * 8;
        return out;
    }
    void structures(Node& n) {
        auto const room = static_cast<std::size_t>(values<std::int32_t>(5).at(0));
        auto const names = values<char>(1);
        for (int i = 0; i < n.shape[0] * n.shape[1]; ++i) {
            auto& one = n.structures.emplace_back();
            for (std::size_t k = 0; k < names.size(); k += room) {
                std::string const name(names.data() + k);
                one[name] = matrix();
            }
        }
    }
};

BaseEnergy const& at_100() {
    static BaseEnergy const b = base_energy(Physics(WaterTable::icru90), 100).value();
    return b;
}

TEST(BaseData, AnEnergyIsWhatItsMarchLeaves) {
    Physics const physics(WaterTable::icru90);
    BaseEnergy const& b = at_100();
    std::size_t const n = b.depth.size();
    ASSERT_TRUE(b.dose.size() == n && b.sigma.size() == n && b.let.size() == n);
    ASSERT_TRUE(b.halo_sigma.size() == n && b.halo_weight.size() == n);
    EXPECT_EQ(b.depth[0], 0);
    EXPECT_NEAR(b.range, physics.range(100), 0.3);
    EXPECT_GT(b.depth.back(), 1.1 * b.range);
    EXPECT_EQ(b.sigma[0], 0);
    // What slows down at the surface, in MeV cm2/g and keV/um; the rest is of nuclear reactions.
    EXPECT_NEAR(b.dose[0] / (10 * physics.stopping_power(100)), 1.015, 0.02);
    // Of all protons: slow ones of reactions are there, too.
    EXPECT_NEAR(b.let[0] / physics.stopping_power(100), 1, 0.015);
    double energy = 0;
    for (std::size_t i = 1; i < n; ++i) {
        energy += (b.depth[i] - b.depth[i - 1]) * (b.dose[i] + b.dose[i - 1]) / 20;
        EXPECT_TRUE(std::isfinite(b.dose[i]) && std::isfinite(b.sigma[i]) && b.let[i] > 0) << i;
        // Beside a spot of 4 mm that where a halo begins is nothing.
        if (b.depth[i] < b.peak) {
            EXPECT_GE(std::hypot(4, b.sigma[i]), std::hypot(4, b.sigma[i - 1]) - 0.016) << i;
        }
        EXPECT_TRUE(b.halo_weight[i] >= 0 && b.halo_weight[i] < 0.2) << i;
        EXPECT_GT(b.halo_sigma[i], 3) << i;
    }
    // Neutrons and photons take the rest.
    EXPECT_NEAR(energy, 98, 1);
    // Fermi and Eyges with the same scattering power, at the end of the range.
    EXPECT_NEAR(b.sigma.back(), 1.795, 0.1);
}

TEST(BaseData, EnergiesHaveRangesEquallyFarApart) {
    Physics const physics(WaterTable::pstar);
    auto const e = base_energies(physics, 70, 200, 14).value();
    ASSERT_EQ(e.size(), 14u);
    EXPECT_EQ(e.front(), 70);
    EXPECT_EQ(e.back(), 200);
    double const step = (physics.range(200) - physics.range(70)) / 13;
    for (std::size_t i = 1; i < e.size(); ++i)
        EXPECT_NEAR(physics.range(e[i]) - physics.range(e[i - 1]), step, 1e-4);
    EXPECT_EQ(base_energies(physics, 70, 70, 1).value(), std::vector<double>{70});
    for (auto const& [from, to, count] :
         std::vector<std::tuple<double, double, index>>{{200, 70, 5},
                                                        {70, 200, 1},
                                                        {70, 70, 2},
                                                        {NAN, 200, 5},
                                                        {70, INFINITY, 5},
                                                        {-1, 200, 5},
                                                        {70, 200, -3},
                                                        {70, 200, 1'000'000}})
        EXPECT_FALSE(base_energies(physics, from, to, count)) << from << " " << to << " " << count;
    for (double const step_of : {0.0, -1.0, 6.0, static_cast<double>(NAN)})
        EXPECT_FALSE(base_energy(physics, 100, {.step = step_of}));
    EXPECT_FALSE(base_energy(physics, 100, {.energy_spread = NAN}));
    EXPECT_FALSE(base_energy(physics, 100, {.energy_spread = -1}));
    EXPECT_FALSE(base_energy(physics, NAN));
}

TEST(BaseData, RefusalsSayWhatCanBeDone) {
    Physics const physics(WaterTable::icru90);
    auto const coarse = base_energy(physics, 60, {.step = 5});
    ASSERT_FALSE(coarse);
    EXPECT_NE(coarse.error().message.find("; take steps of "), std::string::npos)
        << coarse.error().message;
    EXPECT_EQ(coarse.error().message.find("grid."), std::string::npos) << coarse.error().message;
    // The model has no directions at its end, whatever the steps are.
    auto const low = base_energy(physics, 1, {.step = 0.001});
    ASSERT_FALSE(low);
    EXPECT_NE(low.error().message.find("beams of 10 MeV and more"), std::string::npos)
        << low.error().message;
    EXPECT_EQ(low.error().message.find("take"), std::string::npos) << low.error().message;
}

TEST(BaseData, ColumnsGoTogether) {
    BaseEnergy const right{.energy = 60,
                           .depth = {0, 1},
                           .dose = {1, 2},
                           .sigma = {0, 0},
                           .halo_sigma = {3, 4},
                           .halo_weight = {0, 0},
                           .let = {1, 1}};
    for (auto column : {&BaseEnergy::dose, &BaseEnergy::sigma, &BaseEnergy::halo_sigma,
                        &BaseEnergy::halo_weight, &BaseEnergy::let}) {
        BaseEnergy wrong = right;
        (wrong.*column).push_back(1);
        auto const saved = save_base_data("protons_none.mat", {right, wrong}, 4, "");
        ASSERT_FALSE(saved);
        EXPECT_NE(saved.error().message.find("60 MeV have 2 depths"), std::string::npos)
            << saved.error().message;
    }
}

TEST(BaseData, AFileIsWhatMatRadReads) {
    std::string const folder =
        std::filesystem::path(testing::TempDir()) / ("sluice_base_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    std::string const path = folder + "/protons_mine.mat";
    BaseEnergy second = at_100();
    second.energy = 120;
    second.energy_spread = 0.6;
    ASSERT_TRUE(save_base_data(path, {at_100(), second}, 4, "a test"));
    auto const bytes = read_file(path, 1 << 24).value();
    Reader reader({reinterpret_cast<char const*>(bytes.data()), bytes.size()});
    Node const machine = reader.matrix();
    EXPECT_TRUE(reader.ended());
    EXPECT_EQ(machine.name, "machine");
    auto const& fields = machine.structures.at(0);
    auto const& meta = fields.at("meta").structures.at(0);
    EXPECT_EQ(meta.at("radiationMode").text, "protons");
    EXPECT_EQ(meta.at("dataType").text, "doubleGauss");
    EXPECT_EQ(meta.at("machine").text, "mine");
    EXPECT_EQ(meta.at("SAD").numbers, std::vector<double>{10000});
    EXPECT_EQ(meta.at("BAMStoIsoDist").numbers, std::vector<double>{2000});
    auto const& widths = meta.at("LUT_bxWidthminFWHM");
    EXPECT_EQ(widths.shape, (std::vector<int>{2, 2}));
    // Column by column: spacing and width twice. matRad needs a focus that is wider.
    EXPECT_EQ(widths.numbers.at(0), 0);
    EXPECT_TRUE(std::isfinite(widths.numbers.at(2)));
    auto const& data = fields.at("data");
    ASSERT_EQ(data.shape, (std::vector<int>{1, 2}));
    auto const& one = data.structures.at(0);
    auto const n = static_cast<int>(at_100().depth.size());
    for (auto const& [name, values] :
         std::map<std::string, std::vector<double>>{{"depths", at_100().depth},
                                                    {"Z", at_100().dose},
                                                    {"sigma1", at_100().sigma},
                                                    {"sigma2", at_100().halo_sigma},
                                                    {"weight", at_100().halo_weight},
                                                    {"LET", at_100().let}}) {
        EXPECT_EQ(one.at(name).shape, (std::vector<int>{n, 1})) << name;
        EXPECT_EQ(one.at(name).numbers, values) << name;
    }
    EXPECT_EQ(one.at("energy").numbers, std::vector<double>{100});
    EXPECT_EQ(one.at("peakPos").numbers, std::vector<double>{at_100().peak});
    EXPECT_EQ(one.at("range").numbers, std::vector<double>{at_100().range});
    EXPECT_EQ(one.at("offset").numbers, std::vector<double>{0});
    auto const& focus = one.at("initFocus").structures.at(0);
    EXPECT_EQ(focus.at("sigma").numbers, (std::vector<double>{4, 4}));
    EXPECT_EQ(focus.at("dist").shape, (std::vector<int>{1, 2}));
    EXPECT_NEAR(focus.at("SisFWHMAtIso").numbers.at(0), 9.4193, 1e-4);
    for (std::size_t const i : {1, 3})
        EXPECT_GT(focus.at("SisFWHMAtIso").numbers.at(0), widths.numbers.at(i));
    auto const& spectrum =
        data.structures.at(1).at("energySpectrum").structures.at(0).at("sigma").numbers;
    EXPECT_NEAR(spectrum.at(0), 0.5, 1e-12);
    for (double const bad : {0.0, -1.0, static_cast<double>(NAN)})
        EXPECT_FALSE(save_base_data(path, {at_100()}, bad, ""));
    EXPECT_FALSE(save_base_data(folder + "/none/a.mat", {at_100()}, 4, ""));
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace sluice::proton
