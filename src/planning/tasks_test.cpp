// Plans of crystals, conversions, doses and songs beside what the work takes.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <malloc.h>

#include "domain/music/synthetic.h"
#include "planning/test_peaks.h"
#include "sluice/music.h"
#include "sluice/strain.h"

namespace sluice {
namespace {

using planning::in_child;
using planning::planned;
using TaskTest = planning::PeakTest;

constexpr std::array<index, 2> sizes[] = {{32, 48}, {40, 56}, {48, 64}};
// Larger ones where patterns take less time.
constexpr std::array<index, 2> large_sizes[] = {{48, 64}, {56, 80}, {64, 96}};

// The simulated sample has disks at places that no crystal has: they are found, and that is all.
PlanOptions crystal_options(PlanTask task) {
    PlanOptions o;
    o.task = task;
    o.measure = false;
    o.load.device = Device::cpu(2);
    // What is decided beforehand takes no time.
    o.crystal.probe = stem4d::synthetic_template(13.3, 2).value();
    o.crystal.disks.mode = stem4d::DiskMode::isolated;
    o.crystal.disks.gain = 1;
    return o;
}

stem4d::Options run_options() {
    stem4d::Options run;
    run.device = Device::cpu(2);
    return run;
}

Result<stem4d::DiskSetup> setup_of(Scan const& scan, PlanOptions const& o) {
    return stem4d::plan_disks(scan, *o.crystal.probe, o.crystal.disks, run_options());
}

TEST_F(TaskTest, TellsThePeakOfDisks) {
    for (auto const size : sizes) {
        std::string const path = make(size, {128, 128}, 4000);
        PlanOptions const o = crystal_options(PlanTask::disks);
        auto const plan = planned([&] { return plan_work(open(path).value(), o); });
        auto const run = in_child([&]() -> bool {
            auto const scan = Scan::load(open(path).value(), o.load);
            auto const setup = setup_of(*scan, o);
            return setup &&
                   stem4d::find_disks_to(folder / "disks.npy", *scan, *setup, run_options());
        });
        expect_near(fmt::format("disks {}x{}", size[0], size[1]), plan, run);
    }
}

TEST_F(TaskTest, TellsThePeakOfStrain) {
    for (auto const size : large_sizes) {
        std::string const path = make(size, {128, 128}, 4000);
        PlanOptions const o = crystal_options(PlanTask::strain);
        auto const plan = planned([&] { return plan_work(open(path).value(), o); });
        auto const run = in_child([&]() -> bool {
            auto const scan = Scan::load(open(path).value(), o.load);
            auto const setup = setup_of(*scan, o);
            if (!setup) return false;
            auto const found = stem4d::find_disks(*scan, *setup, run_options());
            auto const fit = stem4d::fit_lattice(*found, {{63.5, 63.5}, {30, 0}, {0, 30}},
                                                 {.least_disks = 3}, run_options());
            // Whatever was fitted, the maps are of all patterns.
            stem4d::StrainOptions from;
            from.reference = stem4d::LatticeBasis{{63.5, 63.5}, {30, 0}, {0, 30}};
            return fit && stem4d::strain(*fit, from, run_options());
        });
        expect_near(fmt::format("strain {}x{}", size[0], size[1]), plan, run);
    }
}

stem4d::UnitCell iron() {
    stem4d::UnitCell cell;
    cell.a = cell.b = cell.c = 2.866;
    cell.name = "iron";
    cell.atoms = {{.number = 26}, {.number = 26, .place = {0.5, 0.5, 0.5}}};
    return cell;
}

stem4d::Calibration calibration_of(std::array<index, 2> scan) {
    stem4d::Calibration c;
    c.scan_shape = scan, c.detector_shape = {128, 128};
    c.pixel_size = 0.02;
    stem4d::OriginFit& origins = c.origins.emplace();
    origins.scan_shape = scan;
    origins.surface = stem4d::OriginSurface::mean;
    origins.row = {63.5}, origins.col = {63.5};
    origins.covariance = {0};
    return c;
}

TEST_F(TaskTest, TellsThePeakOfOrientations) {
    for (auto const size : sizes) {
        std::string const path = make(size, {128, 128}, 4000);
        PlanOptions o = crystal_options(PlanTask::orientation);
        o.crystal.cells = {iron()};
        o.crystal.library.kilovolts = 200;
        o.crystal.library.zone_step = 6;
        o.crystal.calibration = calibration_of(size);
        auto const plan = planned([&] { return plan_work(open(path).value(), o); });
        auto const run = in_child([&]() -> bool {
            auto const library = stem4d::OrientationLibrary::build(
                o.crystal.cells, o.crystal.library, run_options());
            auto const scan = Scan::load(open(path).value(), o.load);
            auto const setup = setup_of(*scan, o);
            if (!setup) return false;
            auto const found = stem4d::find_disks(*scan, *setup, run_options());
            return stem4d::orientation(*found, *o.crystal.calibration, *library, {}, run_options())
                .has_value();
        });
        expect_near(fmt::format("orientation {}x{}", size[0], size[1]), plan, run);
    }
}

TEST_F(TaskTest, TellsThePeakOfConversions) {
    using stem4d::ScanFormat;
    constexpr std::array<index, 2> detectors[] = {{128, 128}, {256, 256}, {512, 512}};
    for (auto const& [format, ending] :
         {std::pair{ScanFormat::zarr, ".zarr"}, std::pair{ScanFormat::npy, ".npy"}})
        for (auto const detector : detectors) {
            std::string const path = make({16, 32}, detector, 4000);
            PlanOptions o;
            o.task = PlanTask::convert;
            o.measure = false;
            o.load.device = Device::cpu(2);
            o.convert.to = format;
            auto const plan = planned([&] { return plan_work(open(path).value(), o); });
            auto const run = in_child([&]() -> bool {
                ::mallopt(M_MMAP_THRESHOLD, 64 << 20);  // as the program sets it
                auto const scan =
                    Scan::load(open(path).value(), stem4d::convert_load_options(o.load));
                stem4d::ScanConvertOptions how = o.convert;
                how.overwrite = true;
                return stem4d::convert(*scan, (folder / "out").string() + ending, how).has_value();
            });
            expect_near(fmt::format("convert to {} {}x{}", ending, detector[0], detector[1]), plan,
                        run);
        }
}

TEST_F(TaskTest, MeasuresItsTime) {
    std::string const path = make({24, 24}, {64, 64}, 1000);
    for (PlanTask const task : {PlanTask::disks, PlanTask::convert})
        in_child([&] {
            PlanOptions o = crystal_options(task);
            o.measure = true;
            o.folder = folder;
            auto const p = plan_work(open(path).value(), o);
            return p && p->time && p->time->low_s > 0 && p->time->low_s < p->time->s &&
                   p->time->s < p->time->high_s;
        });
    for (auto const& entry : std::filesystem::directory_iterator(folder))
        EXPECT_FALSE(entry.path().filename().string().starts_with("sluice-plan"));
}

TEST_F(TaskTest, RefusesWhatIsNoTaskOfScans) {
    std::string const path = make({8, 8}, {64, 64}, 1000);
    for (PlanTask const task : {PlanTask::dose, PlanTask::separate, PlanTask::orientation})
        in_child([&] {
            auto const p = plan_work(open(path).value(), crystal_options(task));
            return !p && p.error().code == Code::invalid_argument;
        });
}

// A block of water, and layers of spots from the front.
proton::Patient water(index side) {
    proton::Patient p;
    p.shape = {side, side, side};
    p.spacing = {2, 2, 2};
    p.origin = {-static_cast<double>(side), 0, -static_cast<double>(side)};
    p.tissue.assign(static_cast<std::size_t>(side * side * side), 0);
    p.stopping = p.scattering = p.density = {1};
    p.materials = {proton::material("water").value()};
    return p;
}

proton::IonPlan spots(index layers) {
    proton::IonPlan plan;
    plan.patient_position = "HFS";
    plan.unit = proton::MetersetUnit::protons;
    proton::IonBeam beam;
    beam.source = {2000, 1800};
    for (index n = 0; n < layers; ++n) {
        proton::PlanLayer layer;
        layer.energy = 120 - 3 * static_cast<double>(n);
        layer.fwhm = {9, 9};
        for (double x = -40; x <= 40; x += 8)
            for (double y = -40; y <= 40; y += 8) layer.spots.push_back({x, y, 1e8});
        beam.layers.push_back(std::move(layer));
    }
    plan.beams = {beam};
    return plan;
}

TEST_F(TaskTest, TellsThePeakOfDoses) {
    proton::DoseOptions o;
    o.energy_spread = 0.8;
    o.kernels = folder;
    o.device = Device::cpu(2);
    // Kernels are marched once, and kept.
    in_child([&] { return proton::dose(spots(3), water(60), nullptr, o).has_value(); });
    for (index const side : {80, 110, 140}) {
        auto const patient = water(side);
        auto const plan = planned(
            [&] { return plan_dose("spots", spots(3), patient, nullptr, o, {.measure = false}); });
        auto const run =
            in_child([&] { return proton::dose(spots(3), patient, nullptr, o).has_value(); });
        expect_near(fmt::format("dose on {0}x{0}x{0}", side), plan, run);
    }
    // Small grids take less than the marches of kernels that are not kept.
    o.keep_kernels = false;
    auto const patient = water(40);
    auto const plan = planned(
        [&] { return plan_dose("spots", spots(3), patient, nullptr, o, {.measure = false}); });
    auto const run =
        in_child([&] { return proton::dose(spots(3), patient, nullptr, o).has_value(); });
    expect_near("dose whose kernels are marched", plan, run);
}

TEST_F(TaskTest, TellsThePeakOfSeparations) {
    std::string const model = folder / "model.safetensors";
    in_child([&] {
        auto config = music::published_config("instvoc-hq");
        config->model.num_channels = 16, config->model.growth = 16;
        return music::synthesize(*config, 1, model, true, {}).has_value();
    });
    for (index const frames : {64, 128, 256}) {
        PlanModel file{model};
        file.options.frames = frames;
        file.options.arithmetic = music::Arithmetic::fp32;
        file.options.device = Device::cpu(2);
        auto const plan = planned([&] {
            return plan_separation("noise", 10, {&file, 1}, {}, {.measure = false});
        });
        auto const run = in_child([&]() -> bool {
            auto loaded = music::Model::load(file.path, file.options);
            if (!loaded) return false;
            music::Model* const one = &*loaded;
            auto work = music::Separation::begin({&one, 1}, one->rate(), 2, {});
            std::vector<float> sound(static_cast<std::size_t>(3 * one->chunk()), 0.1F);
            return work && work->push(sound) && work->chunks() > 0;
        });
        expect_near(fmt::format("separation by chunks of {} frames", frames), plan, run);
    }
}

}  // namespace
}  // namespace sluice
