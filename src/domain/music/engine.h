// Engine: a model with its weights that separates chunks, wherever it runs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "domain/music/chunk_separator.h"
#include "domain/music/forward/settings.h"
#include "format/weights/weights.h"
#include "nn/map.h"
#include "sluice/device.h"
#include "sluice/progress.h"

namespace sluice::music {

/// The type of maps, and of factors. In bf16, sums and norms are in float, and so are the
/// products of 3x3 where Winograd's algorithm in float is faster than bf16. In tf32, which GPUs
/// have, maps are of float, and what tensor cores multiply is rounded to eleven digits of two.
enum class Precision : std::uint8_t { fp32, bf16, tf32 };

/// Bytes that a model takes where it runs, whatever the length of a song is.
struct Memory {
    index weights = 0;  ///< in the order that suits the device
    index maps = 0;     ///< all maps of the network, and what layers work in
    index sound = 0;    ///< spectra and sub-bands
    index sum() const { return weights + maps + sound; }
};

/// Sees the map after a stage, whose name PyTorch's modules give: "first_conv",
/// "encoder_blocks.0.tfc_tdf.blocks.1", "gate" and so on. For tests.
using Watch = std::function<void(std::string_view stage, nn::Map const& map)>;

class Engine : public ChunkSeparator {
  public:
    struct Wish {
        index frames = 0;  ///< of a chunk: Inspection::chunks says how many a model expects
        std::optional<Precision> precision = Precision::fp32;  ///< none: choose_precision()
        Device device = Device::cpu();
        Progress progress = {};  ///< of load_engine(): tensors
    };

    /// The same for one chunk; `watch` sees the stages, "mix" first.
    virtual Status separate_watched(std::span<float const> mix, std::span<float> out,
                                    Watch const& watch) = 0;
    virtual Memory memory() const = 0;
    virtual Precision precision() const = 0;
    bool rounds() const override { return precision() != Precision::fp32; }
    /// The library that computes its convolutions, where there was a choice; else empty.
    virtual std::string chosen() const { return {}; }
};

/// The precision that `automatic` means on a device, and why.
struct Chosen {
    Precision precision = Precision::fp32;
    std::string why;
};
Chosen choose_precision(Device const& device);
Precision precision_of(Engine::Wish const& wish);

/// About what load_engine() will take, known before anything is read. It is at most a tenth too low
/// on processors, and exact on other devices.
Memory expected_memory(Network const& network, Engine::Wish const& wish, Settings const& settings);

/// Errors: frames that the network cannot halve, numbers beyond any machine, a precision that the
/// device does not have.
Status check_wish(Network const& network, Engine::Wish const& wish, std::string const& file);

/// Reads the weights of a model that inspect() has found good, and takes all memory. Processors get
/// a Forward, and other devices a RemoteForward. Errors: those of check_wish(), an unknown norm or
/// activation, too little memory.
Result<std::unique_ptr<Engine>> load_engine(weights::Weights const& weights,
                                            Inspection const& inspection, Engine::Wish const& wish);

}  // namespace sluice::music
