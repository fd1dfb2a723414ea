// Tests of saved results: the same bits come back, and other files are refused with a reason.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/test_deep.h"
#include "domain/ptychography/test_simulate.h"
#include "sluice/ptychography_file.h"
#include "sluice/save.h"

namespace sluice::stem4d {
namespace {

class SavedResults : public testing::Test {
  protected:
    std::string file_ = testing::TempDir() + "sluice_result_" +
                        testing::UnitTest::GetInstance()->current_test_info()->name() + ".h5";

    void SetUp() override { std::filesystem::remove(file_); }
    void TearDown() override { std::filesystem::remove(file_); }

    static void expect_same(std::vector<Position> const& a, std::vector<Position> const& b) {
        ASSERT_EQ(a.size(), b.size());
        if (a.empty()) return;
        EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(Position)), 0);
    }
    template <class T>
    static void expect_same(Array<T> const& a, Array<T> const& b) {
        EXPECT_EQ(a.values, b.values);
        if (a.values.empty()) return;
        EXPECT_EQ(a.shape, b.shape);
    }
    static void expect_same(PtychographyResult const& a, PtychographyResult const& b) {
        expect_same(a.object, b.object);
        expect_same(a.probe, b.probe);
        expect_same(a.opr_modes, b.opr_modes);
        expect_same(a.opr_weights, b.opr_weights);
        expect_same(a.background, b.background);
        expect_same(a.positions, b.positions);
        expect_same(a.started, b.started);
        expect_same(a.descan, b.descan);
        expect_same({a.shift, a.probe_moved, {a.tilt_row_mrad, a.tilt_col_mrad}},
                    {b.shift, b.probe_moved, {b.tilt_row_mrad, b.tilt_col_mrad}});
        EXPECT_EQ(a.mode_powers, b.mode_powers);
        EXPECT_EQ(a.pixel_nm, b.pixel_nm);
        EXPECT_EQ(a.slice_nm, b.slice_nm);
        EXPECT_EQ(a.probe_power, b.probe_power);
        EXPECT_EQ(a.floor, b.floor);
        EXPECT_EQ(a.memory, b.memory);
        EXPECT_EQ(a.notes, b.notes);
        ASSERT_EQ(a.rounds.size(), b.rounds.size());
        for (std::size_t i = 0; i < a.rounds.size(); ++i) {
            EXPECT_EQ(a.rounds[i].stage, b.rounds[i].stage);
            EXPECT_EQ(a.rounds[i].r, b.rounds[i].r);
            EXPECT_EQ(a.rounds[i].r_intensity, b.rounds[i].r_intensity);
            EXPECT_EQ(a.rounds[i].loss, b.rounds[i].loss);
            EXPECT_EQ(a.rounds[i].seconds, b.rounds[i].seconds);
        }
    }
    void expect_refused(Code code, std::string const& says) const {
        auto const found = load_ptychography(file_);
        ASSERT_FALSE(found);
        EXPECT_EQ(found.error().code, code) << found.error().text();
        EXPECT_EQ(found.error().file, file_);
        EXPECT_NE(found.error().message.find(says), std::string::npos) << found.error().text();
    }
};

// As small as a result can be.
PtychographyResult small() {
    PtychographyResult r;
    r.object = Array<std::complex<float>>::zeros({2, 5, 6});
    r.probe = Array<std::complex<float>>::zeros({1, 3, 3});
    for (std::size_t i = 0; i < r.object.values.size(); ++i)
        r.object.values[i] = {static_cast<float>(i), 0.1F};
    r.mode_powers = {1};
    r.positions = {{0, 0}, {1.5, 2.25}};
    r.rounds = {{0, 0.5, 0.25, 1, 0.125}};
    return r;
}

TEST_F(SavedResults, ComeBackWithTheirBits) {
    auto truth = ptycho::simulate(32, 5, 5, 1e5, true);
    truth.patterns.pixel_nm = 0.0125;
    PtychographyStage stage{.iterations = 3, .group = 5};
    stage.opr_modes = 1;
    stage.refine_positions = stage.refine_descan = stage.refine_background = true;
    PtychographyOptions const options{.stages = {stage, stage}, .modes = 2};
    auto const found = ptychography(truth.patterns, options);
    ASSERT_TRUE(found) << found.error().text();
    ASSERT_FALSE(found->opr_weights.values.empty() || found->descan.empty() ||
                 found->background.values.empty() || found->started.empty());
    auto const settings = all_settings(options);
    Provenance const from{{{"program", "a test"}, {"source", "x.h5"}}};
    ASSERT_TRUE(save_ptychography(file_, *found, found->pixel_nm, 0.002, settings, from));
    EXPECT_TRUE(holds_ptychography(file_));
    auto const back = load_ptychography(file_);
    ASSERT_TRUE(back) << back.error().text();
    expect_same(*found, back->result);
    EXPECT_EQ(back->wavelength_nm, 0.002);
    EXPECT_EQ(back->settings, settings);
    EXPECT_EQ(back->provenance.fields, from.fields);
}

TEST_F(SavedResults, MayHaveNothingThatWasRefined) {
    PtychographyResult r = small();
    r.pixel_nm = 0.5;
    ASSERT_TRUE(save_ptychography(file_, r, 0, 0));
    auto const back = load_ptychography(file_);
    ASSERT_TRUE(back) << back.error().text();
    expect_same(r, back->result);
    EXPECT_TRUE(check_result(back->result));
    EXPECT_TRUE(back->settings.empty() && back->provenance.fields.empty());
}

TEST_F(SavedResults, AreReadWithinTheMemoryGiven) {
    ASSERT_TRUE(save_ptychography(file_, small(), 0, 0));
    auto const found = load_ptychography(file_, 400);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, Code::out_of_memory);
}

TEST_F(SavedResults, RefuseWhatDoesNotFit) {
    using Change = void (*)(PtychographyResult&);
    std::pair<Change, char const*> const changes[] = {
        {[](auto& r) {
             r.probe.shape = {3, 1, 3};
         },
         "probe has the shape 3x1x3"},
        {[](auto& r) {
             r.probe = Array<std::complex<float>>::zeros({1, 6, 6});
         },
         "larger than the object"},
        {[](auto& r) {
             r.object = Array<std::complex<float>>::zeros({0, 5, 6});
         },
         "object has no pixels"},
        {[](auto& r) { r.positions[1].row = 3; }, "positions lie outside of the object"},
        {[](auto& r) { r.positions[1].col = std::nan(""); },
         "positions has NaN or infinite values"},
        {[](auto& r) {
             r.started = {{0, 0}};
         },
         "started has 1 entries, and there are 2 positions"},
        {[](auto& r) {
             r.descan = {{0, 0}};
         },
         "descan has 1 entries, and there are 2 positions"},
        {[](auto& r) {
             r.mode_powers = {0.5, 0.5};
         },
         "mode_powers has 2 numbers, and there are 1 modes"},
        {[](auto& r) { r.mode_powers = {-1}; }, "has values outside of 0 to 1"},
        {[](auto& r) {
             r.opr_weights = Array<double>::zeros({2, 2});
         },
         "opr_weights has the shape"},
        {[](auto& r) {
             r.background = Array<float>::zeros({2, 3});
         },
         "background has the shape"},
        {[](auto& r) { r.rounds[0].stage = -7; }, "invalid stage number"},
        {[](auto& r) { r.pixel_nm = -1; }, "pixel_nm is out of range"},
        {[](auto& r) { r.floor = INFINITY; }, "poisson_floor is not a finite number"},
    };
    for (auto const& [change, says] : changes) {
        PtychographyResult r = small();
        change(r);
        ASSERT_TRUE(save_ptychography(file_, r, 0, 0));
        expect_refused(Code::corrupt, says);
        EXPECT_FALSE(check_result(r)) << says;
    }
}

TEST_F(SavedResults, NameWhatIsMissingOrOfAnotherType) {
    Provenance const kind{{{"kind", "ptychography result"}}};
    Array<float> const real{{1, 4, 4}, std::vector<float>(16)};
    ASSERT_TRUE(save_hdf5(file_, std::vector<NamedArray>{}, kind));
    expect_refused(Code::corrupt, "object is missing");
    ASSERT_TRUE(save_hdf5(file_, {NamedArray{"object", "", real}}, kind));
    expect_refused(Code::corrupt, "object holds float32, and not complex64");
    std::vector<std::complex<float>> const values(16);
    auto const wave = [&](std::vector<index> shape) {
        return hdf5_dataset("object", "", {DType::c64, shape, std::as_bytes(std::span(values))});
    };
    ASSERT_TRUE(save_hdf5(file_, {wave({4, 4})}, kind));
    expect_refused(Code::corrupt, "object has the shape 4x4, and not 3 axes");
    ASSERT_TRUE(save_hdf5(file_, {wave({1, 4, 4})}, kind));
    expect_refused(Code::corrupt, "probe is missing");
    // Another program's file, and another of ours.
    ASSERT_TRUE(save_hdf5(file_, {wave({1, 4, 4})}, {}));
    expect_refused(Code::unsupported, "is not a result of ptychography");
    ASSERT_TRUE(save_hdf5(file_, {wave({1, 4, 4})}, {{{"kind", "ptychography checkpoint"}}}));
    expect_refused(Code::unsupported, "is a checkpoint of ptychography and not a result");
    ASSERT_TRUE(save_hdf5(file_, {wave({1, 4, 4})}, {{{"kind", "another"}}}));
    expect_refused(Code::unsupported, "is not a result of ptychography");
    EXPECT_FALSE(holds_ptychography(file_));
    EXPECT_FALSE(holds_ptychography(file_ + ".not"));
}

// A bit of an array, of a digest, or of what leads to them.
TEST_F(SavedResults, AreAsTheyWereOrRefusedWithAnyBitFlipped) {
    PtychographyResult r = small();
    r.pixel_nm = 0.5;
    r.started = r.positions;
    ASSERT_TRUE(save_ptychography(file_, r, 0, 0.002));
    std::string bytes(std::filesystem::file_size(file_), '\0');
    std::ifstream(file_, std::ios::binary).read(bytes.data(), std::ssize(bytes));
    index refused = 0;
    std::size_t const step = deep_tests() ? 17 : 67;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
        auto damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at / step % 8)));
        std::ofstream(file_, std::ios::binary) << damaged;
        auto found = load_ptychography(file_);
        refused += !found;
        if (!found) continue;
        // Texts are not arrays.
        found->result.notes = r.notes;
        expect_same(r, found->result);
        EXPECT_EQ(found->wavelength_nm, 0.002);
        EXPECT_FALSE(HasFailure()) << "byte " << at << " of " << bytes.size();
        if (HasFailure()) break;
    }
    EXPECT_GT(refused, 0);
}

TEST_F(SavedResults, NameTheArrayThatIsDamaged) {
    ASSERT_TRUE(save_ptychography(file_, small(), 0, 0));
    std::string bytes(std::filesystem::file_size(file_), '\0');
    std::ifstream(file_, std::ios::binary).read(bytes.data(), std::ssize(bytes));
    std::complex<float> const last(59, 0.1F);
    std::size_t const at = bytes.find(std::string(reinterpret_cast<char const*>(&last), 8));
    ASSERT_NE(at, std::string::npos);
    bytes[at] ^= 1;
    std::ofstream(file_, std::ios::binary) << bytes;
    expect_refused(Code::corrupt, "object differs from what was written");
}

// Before there were digests.
TEST_F(SavedResults, WithoutDigestsAreReadAndSayIt) {
    PtychographyResult r = small();
    std::vector<double> const one = {1}, places = {0, 0, 1.5, 2.25};
    auto const numbers = [](std::string name, std::vector<index> shape,
                            std::vector<double> const& values) {
        return hdf5_dataset(std::move(name), "",
                            {DType::f64, std::move(shape), std::as_bytes(std::span(values))});
    };
    std::vector<Hdf5Entry> entries = {
        hdf5_dataset("object", "",
                     {DType::c64, r.object.shape, std::as_bytes(std::span(r.object.values))}),
        hdf5_dataset("probe", "",
                     {DType::c64, r.probe.shape, std::as_bytes(std::span(r.probe.values))}),
        numbers("positions", {2, 2}, places), numbers("mode_powers", {1}, one)};
    for (char const* const name : {"stage", "r", "r_intensity", "loss", "seconds"})
        entries.emplace_back(numbers(std::string("rounds/") + name, {1}, one));
    ASSERT_TRUE(save_hdf5(file_, entries, {{{"kind", "ptychography result"}}}));
    auto const found = load_ptychography(file_);
    ASSERT_TRUE(found) << found.error().text();
    expect_same(r.object, found->result.object);
    ASSERT_EQ(found->result.notes.size(), 1U);
    EXPECT_NE(found->result.notes.back().find("no digests"), std::string::npos);
}

TEST_F(SavedResults, AreWholeOrRefusedWhereverTheyAreCut) {
    ASSERT_TRUE(save_ptychography(file_, small(), 0, 0));
    auto const size = std::filesystem::file_size(file_);
    for (auto left = size - 1; left > 0; left -= std::min<std::uintmax_t>(left, 97)) {
        std::filesystem::resize_file(file_, left);
        auto const found = load_ptychography(file_);
        // The end of a file may be room that nothing is in.
        if (found)
            expect_same(small(), found->result);
        else
            EXPECT_FALSE(found.error().message.empty());
        EXPECT_TRUE(!found || left > size / 2);
    }
}

}  // namespace
}  // namespace sluice::stem4d
