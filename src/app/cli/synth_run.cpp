// Simulations into files: DECTRIS acquisitions, series of them, NPY and raw binary.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <thread>

#include "app/cli/synth.h"
#include "base/file.h"
#include "base/run.h"
#include "device/workers.h"
#include "format/synthetic/pattern.h"
#include "format/synthetic/synthetic.h"

namespace sluice::cli {
namespace {

constexpr index largest_batch_bytes = 64 << 20;
constexpr double detector_pixel_m = 1e-4;
constexpr double tilt_step_degrees = 2, minutes_apart = 4;

int threads_of(SynthCommand const& c) {
    int const all = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    return c.file.threads > 0 ? c.file.threads : all;
}

/// The channels of a multi-threshold detector: each threshold sees half of the one below it.
std::vector<Simulator> make_channels(SynthCommand const& c) {
    std::vector<Simulator> simulators;
    for (index channel = 0; channel < c.channels; ++channel) {
        SyntheticOptions o = c.simulation;
        o.dose *= std::pow(0.5, static_cast<double>(channel));
        o.mask_seed = c.simulation.mask_seed.value_or(c.simulation.seed);
        o.seed += 1000003 * static_cast<std::uint64_t>(channel);
        simulators.emplace_back(o);
    }
    return simulators;
}

Result<std::vector<std::string>> write_arina(SynthCommand const& c, nxmx::Acquisition file,
                                             Progress const& progress) {
    SLUICE_TRY(Dataset const d, synthetic::make(c.simulation));
    std::vector<Simulator> const simulators = make_channels(c);
    file.scan = d.scan;
    file.rows = d.rows;
    file.cols = d.cols;
    file.dtype = d.dtype;
    file.pixel_mask = d.pixel_mask;
    file.saturation = d.saturation.value_or(0);
    file.scan_step_nm = d.scan_step_nm;
    file.dwell_s = d.dwell_s;
    file.camera_length_m = detector_pixel_m / (d.detector_step_mrad * 1e-3);
    file.channels.clear();
    for (index i = 0; i < c.channels; ++i)
        file.channels.push_back(fmt::format("threshold_{}", i + 1));
    auto const make = [&](index image, std::span<std::byte> values) -> Status {
        std::vector<std::uint32_t> counts(static_cast<std::size_t>(d.pixels()));
        auto const channel = static_cast<std::size_t>(image % c.channels);
        simulators[channel].values(image / c.channels, counts, values);
        return {};
    };
    return nxmx::write(file, make, progress);
}

/// Member `number` (from 1): the specimen tilts and drifts, the clock goes on.
SynthCommand member_of(SynthCommand const& c, index number) {
    SynthCommand m = c;
    auto const k = static_cast<double>(number - 1);
    m.file.tilt_degrees = tilt_step_degrees * (k - static_cast<double>(c.series - 1) / 2);
    m.simulation.drift = {0.8 * k, -0.5 * k};
    m.simulation.seed = c.simulation.seed + static_cast<std::uint64_t>(number - 1);
    m.simulation.mask_seed = c.simulation.seed;
    auto const minutes = static_cast<int>(minutes_apart * k);
    m.file.date = fmt::format("2026-01-{:02}T{:02}:{:02}:00.000+00:00", 1 + minutes / 1440,
                              minutes / 60 % 24, minutes % 60);
    return m;
}

Result<std::vector<std::string>> write_series(SynthCommand const& c, Progress const& progress) {
    std::filesystem::path folder(c.out);
    if (!folder.has_filename()) folder = folder.parent_path();
    std::vector<std::string> written;
    for (index number = 1; number <= c.series; ++number) {
        SynthCommand const m = member_of(c, number);
        nxmx::Acquisition file = m.file;
        file.prefix =
            (folder / fmt::format("{}_{:04}", folder.filename().string(), number)).string();
        auto const in_series = [&](std::uint64_t done, std::uint64_t total) {
            auto const before = static_cast<std::uint64_t>(number - 1);
            return !progress ||
                   progress(before * total + done, static_cast<std::uint64_t>(c.series) * total);
        };
        SLUICE_TRY(auto const files, write_arina(m, file, in_series));
        written.insert(written.end(), files.begin(), files.end());
    }
    return written;
}

std::string npy_header(SyntheticOptions const& o) {
    std::string text =
        fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}, {}, {}, {}), }}",
                    o.dtype == DType::u8 ? "|u" : "<u", size_of(o.dtype), o.scan[0], o.scan[1],
                    o.detector[0], o.detector[1]);
    text.resize((10 + text.size() + 1 + 63) / 64 * 64 - 10 - 1, ' ');
    text += '\n';
    std::string header("\x93NUMPY\x01\x00", 8);
    header += static_cast<char>(text.size() & 0xff);
    header += static_cast<char>(text.size() >> 8);
    return header + text;
}

Result<std::vector<std::string>> write_flat(SynthCommand const& c, Progress const& progress) {
    SyntheticOptions const& o = c.simulation;
    SLUICE_CHECK(synthetic::validate(o));
    SLUICE_TRY(NewFile file, NewFile::create(c.out));
    std::string const header = c.kind == SynthCommand::Kind::npy ? npy_header(o) : "";
    SLUICE_CHECK(file.write(std::as_bytes(std::span(header))));
    Simulator const simulator(o);
    index const bytes = o.pixels() * size_of(o.dtype);
    index const batch = std::clamp<index>(largest_batch_bytes / bytes, 1, 512);
    std::vector<std::byte> values(static_cast<std::size_t>(batch * bytes));
    for (index done = 0; done < o.frames(); done += batch) {
        index const n = std::min(batch, o.frames() - done);
        parallel_for(n, threads_of(c), 1, [&](index i, int) {
            std::vector<std::uint32_t> counts(static_cast<std::size_t>(o.pixels()));
            simulator.values(done + i, counts,
                             std::span(values).subspan(static_cast<std::size_t>(i * bytes),
                                                       static_cast<std::size_t>(bytes)));
        });
        SLUICE_CHECK(file.write(std::span(values).first(static_cast<std::size_t>(n * bytes))));
        auto const made = static_cast<std::uint64_t>(done + n) * static_cast<std::uint64_t>(bytes);
        auto const all = static_cast<std::uint64_t>(o.frames() * bytes);
        SLUICE_CHECK(tell_progress(progress, made, all, "the unfinished files were removed"));
    }
    SLUICE_CHECK(file.commit());
    return std::vector<std::string>{c.out};
}

}  // namespace

Result<std::vector<std::string>> run_synth(SynthCommand const& c, Progress const& progress) {
    if (c.out.empty())
        return Error{Code::invalid_argument, "no output is named; give a prefix such as demo/si"};
    SLUICE_CHECK(synthetic::validate(c.simulation));
    if (c.kind != SynthCommand::Kind::arina) return write_flat(c, progress);
    if (c.series > 0) return write_series(c, progress);
    nxmx::Acquisition file = c.file;
    file.prefix = c.out;
    return write_arina(c, file, progress);
}

}  // namespace sluice::cli
