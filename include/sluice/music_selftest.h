// A test of separating on this machine: each stage beside its slow twin, and each precision.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/device.h"
#include "sluice/result.h"

namespace sluice::music {

struct SelfTest {
    struct Stage {
        std::string name;    ///< as PyTorch's modules are called; "mix" first, "stems" last
        double snr_db = 0;   ///< beside the slow network in double
        double largest = 0;  ///< difference of two numbers
        double rms = 0;      ///< of the stage's numbers
    };
    /// A small network without training, stage by stage.
    struct Twin {
        std::string precision;
        std::vector<Stage> stages;
        double must_db = 0;  ///< of the last stage
        bool good() const { return !stages.empty() && stages.back().snr_db >= must_db; }
    };
    /// The model itself, on one chunk.
    struct Whole {
        std::string precision;
        double load_s = 0, first_s = 0, second_s = 0;  ///< the first chunk warms up
        std::optional<double> snr_db;                  ///< beside fp32
        double planned_bytes = 0;                      ///< weights and maps
        double before_bytes = 0, after_bytes = 0;      ///< resident memory of the process
        bool repeats = false;                          ///< both chunks have the same bits
        std::string convolutions;                      ///< who computes them, where one can choose
    };
    std::string model;
    std::string device;  ///< as Device::named() takes it
    int threads = 0;
    bool multiplies_bf16 = false;
    std::vector<std::string> capabilities;  ///< of the processor, that matter here
    std::vector<Twin> twins;
    std::vector<Whole> wholes;
    std::vector<std::string> notes;

    bool good() const;
};

struct SelfTestOptions {
    std::string model = {};                  ///< empty: InstVoc HQ's network without training
    std::optional<std::string> config = {};  ///< the model's YAML
    std::string like = "instvoc-hq";         ///< instead of a model: a published configuration
    std::string sound = {};  ///< a song whose middle is the chunk; empty: a made one
    Device device = Device::cpu();
    /// Called when a step begins and again and again while it runs; false cancels.
    std::function<bool(std::string_view step)> progress = {};
};

/// Runs it all; an error is what keeps it from running, not what it finds.
Result<SelfTest> self_test(SelfTestOptions const& options = {});

}  // namespace sluice::music
