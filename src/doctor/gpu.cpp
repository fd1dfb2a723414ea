// GPUs as the driver names them, and what crosses to one.
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>

#include "device/place.h"
#include "device/queue.h"
#include "doctor/rate.h"
#include "doctor/system.h"

namespace sluice::doctor {
namespace {

namespace fs = std::filesystem;

// "Model: 		 NVIDIA H200" of the first GPU.
std::string model_of(std::string const& root) {
    std::error_code error;
    for (auto const& gpu : fs::directory_iterator(root + "/proc/driver/nvidia/gpus", error)) {
        std::ifstream file(gpu.path() / "information");
        for (std::string line; std::getline(file, line);)
            if (line.starts_with("Model:"))
                return line.substr(std::min(line.size(), line.find_first_not_of(" \t", 6)));
    }
    return {};
}

// "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54  Thu ..."
std::string driver_of(std::string const& root) {
    std::ifstream file(root + "/proc/driver/nvidia/version");
    std::string line;
    std::getline(file, line);
    std::size_t const at = line.find("Module");
    if (at == line.npos) return {};
    std::size_t const begin = line.find_first_of("0123456789", at);
    return begin == line.npos ? std::string() : line.substr(begin, line.find(' ', begin) - begin);
}

}  // namespace

void ask_gpu(MachineFacts& facts, bool quick, std::string const& root) {
    facts.gpu = model_of(root);
    facts.gpu_driver = driver_of(root);
    auto const gpu = Device::cuda();
    if (!gpu) {
        facts.no_gpu = gpu.error().text();
    } else if (Status measured =
                   measure_device(facts, gpu->name(), index{1} << (quick ? 26 : 28), quick ? 3 : 7);
               !measured) {
        facts.no_gpu = measured.error().text();
    }
    for (MeasuredRate* const rate : {&facts.gpu_up, &facts.gpu_down, &facts.gpu_turns})
        if (!facts.no_gpu.empty()) rate->not_taken = facts.no_gpu;
}

Status measure_device(MachineFacts& facts, std::string const& device, index bytes, int rounds) {
    SLUICE_TRY(Device const named, Device::named(device));
    SLUICE_TRY(Queue queue, Queue::of(named));
    facts.gpu_memory = queue.backend()->available().value_or(0);
    std::vector<std::byte> here(static_cast<std::size_t>(bytes), std::byte{1});
    SLUICE_TRY(Place<std::byte> const there, Place<std::byte>::of(queue, std::span(here)));
    SLUICE_CHECK(queue.wait());
    Status status;
    auto const note = [&](Status done) {
        if (!done && status) status = std::move(done);
    };
    Rounds up(static_cast<double>(bytes), 1, [&] {
        note(queue.upload(const_cast<std::byte*>(there.data()), here));
        note(queue.wait());
    });
    Rounds down(static_cast<double>(bytes), 1, [&] {
        note(there.download(queue, here));
        note(queue.wait());
    });
    constexpr int turns = 100;
    constexpr std::size_t little = 64;
    Rounds trips(turns, 1, [&] {
        for (int i = 0; i < turns; ++i) {
            note(queue.upload(const_cast<std::byte*>(there.data()), Bytes(here).first(little)));
            note(queue.wait());
        }
    });
    for (int i = 0; i < rounds && status; ++i) {
        up.round();
        down.round();
        trips.round();
    }
    SLUICE_CHECK(status);
    facts.gpu_up = up.rate();
    facts.gpu_down = down.rate();
    facts.gpu_turns = trips.rate();
    return {};
}

}  // namespace sluice::doctor
