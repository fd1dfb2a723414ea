// What reconstructions on devices keep, refuse, move and take.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <thread>

#include "device/fake.h"
#include "device/queue.h"
#include "domain/ptychography/test_simulate.h"
#include "ranks/threads.h"

namespace sluice::ptycho {
namespace {

using stem4d::PtychographyOptions;
using stem4d::PtychographyStage;
using stem4d::PtychographyView;
using S = PtychographyStage::Solver;

PtychographyOptions on_fake(S solver, index iterations) {
    PtychographyOptions options;
    options.stages[0].solver = solver;
    options.stages[0].iterations = iterations;
    options.stages[0].group = 5;
    options.device = Device::fake();
    return options;
}

constexpr S known[] = {S::epie, S::rpie, S::mpie, S::sgd, S::adam, S::lsqml};

TEST(PtychographyOnDevices, WhatIsFixedKeepsItsBits) {
    Truth const truth = simulate(16, 5, 3, 1e5, true);
    for (S solver : known) {
        auto options = on_fake(solver, 4);
        options.probe = truth.probe_as_given();
        options.stages[0].fix_probe = true;
        auto const probe = stem4d::ptychography(truth.patterns, options).value();
        EXPECT_EQ(probe.probe.values, options.probe);
        EXPECT_LT(probe.rounds.back().r, probe.rounds.front().r);
        options.stages[0].fix_probe = false;
        options.stages[0].fix_object = true;
        options.stages[0].probe_from = 5;
        auto const none = stem4d::ptychography(truth.patterns, options).value();
        EXPECT_EQ(none.rounds.back().r, none.rounds.front().r);
        options.stages[0].probe_from = 4;
        auto const object = stem4d::ptychography(truth.patterns, options).value();
        EXPECT_TRUE(std::ranges::all_of(object.object.values,
                                        [](auto z) { return z == std::complex<float>(1); }));
        EXPECT_NE(object.probe.values, none.probe.values);
    }
}

TEST(PtychographyOnDevices, StagesGoOnFromEachOther) {
    Truth const truth = simulate(32, 5, 4, 1e5, true);
    auto options = on_fake(S::epie, 2);
    options.stages.push_back(on_fake(S::lsqml, 3).stages[0]);
    options.stages.push_back(on_fake(S::adam, 2).stages[0]);
    auto const found = stem4d::ptychography(truth.patterns, options).value();
    options.device = Device::reference();
    auto const twin = stem4d::ptychography(truth.patterns, options).value();
    ASSERT_EQ(found.rounds.size(), 7U);
    for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(found.rounds[i].r, twin.rounds[i].r, 1e-4) << i;
}

// A detector that adds pixels up, and a window that is larger than it.
TEST(PtychographyOnDevices, KnowBinsAndLargerWindows) {
    Truth const truth = simulate({.side = 16, .places = 5, .step = 4, .counts = 1e5, .bin = 2});
    for (index window : {0, 40}) {
        auto options = on_fake(S::lsqml, 4);
        options.detector_bin = 2;
        options.window = window;
        auto const found = stem4d::ptychography(truth.patterns, options).value();
        options.device = Device::reference();
        auto const twin = stem4d::ptychography(truth.patterns, options).value();
        for (std::size_t i = 0; i < 4; ++i)
            EXPECT_NEAR(found.rounds[i].r, twin.rounds[i].r, 1e-4) << window;
    }
}

TEST(PtychographyOnDevices, KnowNearFields) {
    Simulation simulation{.side = 32, .places = 5, .step = 4, .counts = 1e5, .noise = true};
    simulation.wavelength_nm = 0.1;
    simulation.pixel_nm = 50;
    simulation.near_nm = 4e5;
    Truth const truth = simulate(simulation);
    struct {
        S solver;
        index window;
    } const cases[] = {{S::lsqml, 0}, {S::lsqml, 40}, {S::dm, 0}};
    for (auto const& [solver, window] : cases) {
        auto options = on_fake(solver, 4);
        options.propagation = stem4d::Propagation::near;
        options.distance_mm = 0.4;
        options.window = window;
        if (window == 0) options.probe = truth.probe_as_given();
        auto const found = stem4d::ptychography(truth.patterns, options).value();
        EXPECT_LT(found.rounds.back().r, found.rounds.front().r);
        options.device = Device::reference();
        auto const twin = stem4d::ptychography(truth.patterns, options).value();
        for (std::size_t i = 0; i < 4; ++i)
            EXPECT_NEAR(found.rounds[i].r, twin.rounds[i].r, 1e-4) << window;
    }
}

TEST(PtychographyOnDevices, CountsOfEveryTypeAreTheSame) {
    Truth truth = simulate(16, 5, 3, 2000, true);
    auto options = on_fake(S::rpie, 3);
    std::vector<float> floats;
    std::visit([&](auto const& counts) { floats.assign(counts.begin(), counts.end()); },
               truth.patterns.counts);
    for (float& count : floats) count = std::min(count, 255.0f);
    std::vector<stem4d::PtychographyResult> results;
    truth.patterns.counts = floats;
    results.push_back(stem4d::ptychography(truth.patterns, options).value());
    truth.patterns.counts = std::vector<std::uint16_t>(floats.begin(), floats.end());
    results.push_back(stem4d::ptychography(truth.patterns, options).value());
    truth.patterns.counts = std::vector<std::uint8_t>(floats.begin(), floats.end());
    results.push_back(stem4d::ptychography(truth.patterns, options).value());
    for (auto const& result : results) {
        EXPECT_EQ(result.object.values, results[0].object.values);
        EXPECT_EQ(result.rounds.back().r, results[0].rounds.back().r);
    }
}

// With the same bits, and by names that the other devices know.
TEST(PtychographyOnDevices, GoOnFromCheckpoints) {
    Truth const truth = simulate(16, 5, 3, 1e5, true);
    auto const folder = std::filesystem::temp_directory_path() / "sluice_remote_checkpoint";
    std::filesystem::create_directories(folder);
    std::string const file = (folder / "state.h5").string();
    for (S solver : {S::epie, S::mpie, S::sgd, S::adam, S::lsqml, S::dm}) {
        auto options = on_fake(solver, 5);
        options.modes = 2;
        options.stages[0].refine_positions = solver == S::lsqml;
        options.stages[0].tv_weight = solver == S::adam ? 0.01 : 0;
        options.stages.push_back(on_fake(S::epie, 2).stages[0]);
        auto const whole = stem4d::ptychography(truth.patterns, options).value();
        auto part = options;
        part.stages.resize(1);
        part.stages[0].iterations = 3;
        part.checkpoint = file;
        ASSERT_TRUE(stem4d::ptychography(truth.patterns, part));
        options.resume = file;
        auto const rest = stem4d::ptychography(truth.patterns, options).value();
        EXPECT_EQ(rest.object.values, whole.object.values);
        EXPECT_EQ(rest.probe.values, whole.probe.values);
        ASSERT_EQ(rest.rounds.size(), 7U);
        EXPECT_EQ(rest.rounds.back().r, whole.rounds.back().r);
        options.device = Device::cpu(2);
        auto const elsewhere = stem4d::ptychography(truth.patterns, options).value();
        EXPECT_NEAR(elsewhere.rounds.back().r, whole.rounds.back().r, 1e-3);
        part.device = Device::cpu(2);
        ASSERT_TRUE(stem4d::ptychography(truth.patterns, part));
        options.device = Device::fake();
        auto const back = stem4d::ptychography(truth.patterns, options).value();
        EXPECT_NEAR(back.rounds.back().r, whole.rounds.back().r, 1e-3);
    }
    std::filesystem::remove_all(folder);
}

// What went wrong before a checkpoint is known after it.
TEST(PtychographyOnDevices, CheckpointsRememberTheBestState) {
    Truth const truth = simulate(32, 7, 5, 1e6, false);
    auto const folder = std::filesystem::temp_directory_path() / "sluice_remote_best";
    std::filesystem::create_directories(folder);
    auto options = on_fake(S::epie, 12);
    options.stages[0].object_step = options.stages[0].probe_step = 30;
    options.probe = truth.probe_as_given();
    auto const whole = stem4d::ptychography(truth.patterns, options).value();
    auto part = options;
    part.stages[0].iterations = 3;
    part.checkpoint = (folder / "state.h5").string();
    ASSERT_TRUE(stem4d::ptychography(truth.patterns, part));
    options.resume = part.checkpoint;
    auto const rest = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_EQ(rest.object.values, whole.object.values);
    EXPECT_EQ(rest.notes, whole.notes);
    std::filesystem::remove_all(folder);
}

Traffic traffic_of_run(Truth const& truth, PtychographyOptions const& options) {
    Traffic const before = traffic_of(Device::fake()).value();
    EXPECT_TRUE(stem4d::ptychography(truth.patterns, options));
    return traffic_of(Device::fake()).value() - before;
}

// Counts go up once, and the object comes down once.
TEST(PtychographyOnDevices, IterationsMoveNextToNothing) {
    Truth const truth = simulate(32, 7, 4, 1e5, true);
    std::uint64_t const patterns = 49 * 32 * 32 * sizeof(float);
    for (S solver : known) {
        auto const two = traffic_of_run(truth, on_fake(solver, 2));
        auto const six = traffic_of_run(truth, on_fake(solver, 6));
        EXPECT_GE(two.uploaded, patterns);
        // The probe of 8 KiB, and lists of the groups; of LSQML the systems of all patterns.
        EXPECT_LT(six.uploaded - two.uploaded, 4 * 14000U);
        EXPECT_LT(six.downloaded - two.downloaded, 4 * 14000U);
        // LSQML waits for each of ten groups.
        EXPECT_EQ(six.waits - two.waits, solver == S::lsqml ? 4 * 11U : 4U);
    }
}

TEST(PtychographyOnDevices, NumbersThatAreNoneNameTheirPattern) {
    Truth const truth = simulate(32, 5, 5, 1e6, false);
    for (S solver : known) {
        auto options = on_fake(solver, 3);
        options.stages[0].object_step = 1e30;
        options.probe = truth.probe_as_given();
        auto const lost = stem4d::ptychography(truth.patterns, options);
        ASSERT_FALSE(lost.has_value());
        EXPECT_EQ(lost.error().code, Code::invalid_argument);
        EXPECT_NE(lost.error().message.find("became NaN or infinite (pattern "), std::string::npos);
    }
}

TEST(PtychographyOnDevices, DivergenceIsTakenBack) {
    Truth const truth = simulate(32, 7, 5, 1e6, false);
    auto options = on_fake(S::epie, 9);
    options.stages[0].group = 7;
    options.stages[0].object_step = options.stages[0].probe_step = 6;
    options.probe = truth.probe_as_given();
    auto const kept = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_TRUE(std::ranges::any_of(kept.notes, [](auto const& note) {
        return note.find("it went on from the state of iteration 1 with half") != std::string::npos;
    }));
    options.device = Device::cpu(2);
    auto const host = stem4d::ptychography(truth.patterns, options).value();
    ASSERT_EQ(kept.rounds.size(), host.rounds.size());
    for (std::size_t i = 0; i < host.rounds.size(); ++i)
        EXPECT_NEAR(kept.rounds[i].r, host.rounds[i].r, 1e-3) << i;
}

// The second time a stage ends, with the best state.
TEST(PtychographyOnDevices, AStageThatDivergesTwiceEndsWithItsBest) {
    Truth const truth = simulate(32, 7, 5, 1e6, false);
    auto options = on_fake(S::epie, 30);
    options.stages[0].object_step = options.stages[0].probe_step = 30;
    options.probe = truth.probe_as_given();
    auto const kept = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_TRUE(std::ranges::any_of(kept.notes, [](auto const& note) {
        return note.find("it stopped with the state of iteration ") != std::string::npos;
    }));
    EXPECT_LT(kept.rounds.size(), 20U);
    EXPECT_EQ(kept.rounds.back().r,
              std::ranges::min(kept.rounds, {}, &stem4d::PtychographyRound::r).r);
    options.device = Device::cpu(2);
    auto const host = stem4d::ptychography(truth.patterns, options).value();
    double apart = 0, power = 0;
    for (std::size_t i = 0; i < host.object.values.size(); ++i) {
        apart += std::norm(kept.object.values[i] - host.object.values[i]);
        power += std::norm(host.object.values[i]);
    }
    EXPECT_LT(apart, 1e-4 * power);
}

TEST(PtychographyOnDevices, WatchersSeeTheStateAndChangeNothing) {
    Truth const truth = simulate(32, 5, 4, 1e4, true);
    auto options = on_fake(S::lsqml, 3);
    auto const alone = stem4d::ptychography(truth.patterns, options).value();
    std::vector<std::complex<float>> object, probe;
    double floor = 0;
    index calls = 0;
    options.watch = [&](PtychographyView const& view) {
        if (view.within) return;
        ++calls;
        floor = view.floor();
        object = view.slice(0).values;
        probe = view.mode(0).values;
        EXPECT_EQ(view.done, static_cast<std::uint64_t>(calls) * 25);
    };
    auto const watched = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_EQ(calls, 3);
    EXPECT_EQ(watched.object.values, alone.object.values);
    EXPECT_EQ(object, alone.object.values);
    EXPECT_EQ(probe, alone.probe.values);
    EXPECT_EQ(floor, alone.floor);
}

// An iteration that takes long is waited for between groups, and then seen as far as it is.
TEST(PtychographyOnDevices, WatchersLookIntoLongIterations) {
    Truth const truth = simulate(16, 4, 3, 1e4, true);
    auto options = on_fake(S::sgd, 1);
    options.progress = [](std::uint64_t, std::uint64_t) {
        std::this_thread::sleep_for(std::chrono::milliseconds(120));
        return true;
    };
    int within = 0;
    options.watch = [&](PtychographyView const& view) {
        if (!view.within) return;
        ++within;
        auto const object = view.slice(0).values;
        EXPECT_TRUE(
            std::ranges::any_of(object, [](auto z) { return z != std::complex<float>(1); }));
    };
    ASSERT_TRUE(stem4d::ptychography(truth.patterns, options));
    EXPECT_GE(within, 1);
}

TEST(PtychographyOnDevices, WorkStopsBetweenGroups) {
    Truth const truth = simulate(16, 5, 3, 1e4, true);
    auto options = on_fake(S::sgd, 100);
    std::uint64_t last = 0;
    options.progress = [&](std::uint64_t done, std::uint64_t all) {
        EXPECT_EQ(all, 2500U);
        last = done;
        return done < 35;
    };
    auto const stopped = stem4d::ptychography(truth.patterns, options);
    ASSERT_FALSE(stopped.has_value());
    EXPECT_EQ(stopped.error().code, Code::cancelled);
    EXPECT_EQ(last, 35U);
}

TEST(PtychographyOnDevices, WhatTheyDoNotKnowIsRefusedByName) {
    Truth truth = simulate(16, 5, 3, 1e4, true);
    truth.patterns.wavelength_nm = 0.002;
    truth.patterns.pixel_nm = 0.02;
    auto const two_slices = [](PtychographyOptions& options) {
        options.slices = 2;
        options.slice_nm = 1;
    };
    struct {
        char const* name;
        std::function<void(PtychographyOptions&, PtychographyStage&)> set;
    } const cases[] = {
        {"position_search",
         [](auto&, auto& s) { s.refine_positions = true, s.position_search = 2; }},
        {"opr_modes", [](auto&, auto& s) { s.opr_modes = 1; }},
        {"opr_intensity", [](auto&, auto& s) { s.opr_intensity = true; }},
        {"refine_descan", [](auto&, auto& s) { s.refine_descan = true; }},
        {"refine_background", [](auto&, auto& s) { s.refine_background = true; }},
        {"refine_slice_distance",
         [&](auto& o, auto& s) { two_slices(o), s.refine_slice_distance = true; }},
        {"refine_tilt", [&](auto& o, auto& s) { two_slices(o), s.refine_tilt = true; }},
        {"solver mlcg", [](auto&, auto& s) { s.solver = S::mlcg; }},
        {"detector_blur", [](auto& o, auto&) { o.detector_blur = 1; }},
    };
    for (auto const& c : cases) {
        auto options = on_fake(S::lsqml, 2);
        // In the second stage, and still before the first one begins.
        options.stages.push_back(options.stages[0]);
        c.set(options, options.stages[1]);
        options.progress = [](std::uint64_t, std::uint64_t) {
            ADD_FAILURE() << "work began";
            return true;
        };
        auto const refused = stem4d::ptychography(truth.patterns, options);
        ASSERT_FALSE(refused.has_value()) << c.name;
        EXPECT_EQ(refused.error().code, Code::unsupported) << c.name;
        EXPECT_EQ(refused.error().message.find(std::string(c.name) + " runs on processors only"),
                  0U)
            << refused.error().message;
        EXPECT_NE(refused.error().message.find("take --device cpu"), std::string::npos);
        EXPECT_FALSE(stem4d::ptychography_memory(truth.patterns, options)) << c.name;
    }
}

TEST(PtychographyOnDevices, RanksAreForProcessors) {
    Truth const truth = simulate(16, 5, 3, 1e4, true);
    run_ranks(2, [&](Communicator& communicator) {
        auto options = on_fake(S::lsqml, 2);
        options.communicator = &communicator;
        auto const refused = stem4d::ptychography(truth.patterns, options);
        ASSERT_FALSE(refused.has_value());
        EXPECT_EQ(refused.error().code, Code::unsupported);
        EXPECT_NE(refused.error().message.find("several ranks"), std::string::npos);
    });
}

class OnSmallDevice : public testing::Test {
  protected:
    ~OnSmallDevice() override { fake_backend()->set_limit(~std::size_t{0}); }
    Truth const truth = simulate(32, 7, 4, 1e5, true);
};

TEST_F(OnSmallDevice, MemoryIsPlannedAndIsWhatIsTaken) {
    for (S solver : {S::epie, S::mpie, S::adam, S::lsqml, S::dm}) {
        auto options = on_fake(solver, 2);
        options.modes = 2;
        std::size_t const before = fake_backend()->taken();
        std::size_t most = 0;
        options.progress = [&](std::uint64_t, std::uint64_t) {
            most = std::max(most, fake_backend()->taken() - before);
            return true;
        };
        auto const planned = stem4d::ptychography_memory(truth.patterns, options).value();
        auto const result = stem4d::ptychography(truth.patterns, options).value();
        EXPECT_EQ(result.memory, planned);
        std::size_t const patterns = 49 * (32 * 32 * sizeof(float) + 24);
        EXPECT_LE(most, planned + patterns + 16 * 4096);
        EXPECT_GE(most, planned + patterns);
        EXPECT_EQ(fake_backend()->taken(), before);
    }
}

TEST_F(OnSmallDevice, LargeGroupsGoInPiecesWithTheSameBits) {
    for (S solver : {S::rpie, S::adam, S::lsqml, S::dm}) {
        auto options = on_fake(solver, 2);
        options.modes = 4;
        options.stages[0].group = 49;
        auto const large = stem4d::ptychography(truth.patterns, options).value();
        options.memory_limit = large.memory - large.memory / 4;
        auto const small = stem4d::ptychography(truth.patterns, options).value();
        EXPECT_LT(small.memory, large.memory);
        EXPECT_EQ(small.object.values, large.object.values);
        EXPECT_EQ(small.probe.values, large.probe.values);
        EXPECT_EQ(small.rounds.back().loss, large.rounds.back().loss);
    }
}

TEST_F(OnSmallDevice, TooLittleIsSaidBeforeTheStart) {
    auto options = on_fake(S::lsqml, 2);
    fake_backend()->set_limit(fake_backend()->taken() + 300000);
    auto const refused = stem4d::ptychography(truth.patterns, options);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, Code::out_of_memory);
    EXPECT_NE(refused.error().message.find("on the device fake"), std::string::npos);
    EXPECT_NE(refused.error().message.find("--device cpu"), std::string::npos);
}

}  // namespace
}  // namespace sluice::ptycho
