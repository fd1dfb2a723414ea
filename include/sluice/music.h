// Networks that separate a song into stems: what a model's files say, before anything is run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sluice/progress.h"
#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::music {

/// A configuration as MSST and UVR publish it, key by key; what it does not say is empty.
struct ModelConfig {
    struct Audio {
        std::optional<index> chunk_size, dim_f, dim_t, hop_length, n_fft, num_channels, sample_rate;
    } audio;
    struct Model {
        std::optional<std::string> act, norm;
        std::optional<index> bottleneck_factor, growth, num_blocks_per_scale, num_channels,
            num_scales, num_subbands;
        std::optional<std::array<index, 2>> scale;  ///< of time and of frequency
    } model;
    struct Inference {
        std::optional<index> batch_size, chunk_size, dim_t, num_overlap;
    } inference;
    std::vector<std::string> instruments;
    std::optional<std::string> target_instrument;
    std::vector<std::string> notes;  ///< keys that are not known
    /// Keys whose values assuming() took from the caller.
    std::vector<std::string> assumed = {};
};

/// Reads YAML as data: a tag says nothing. Errors name the line.
Result<ModelConfig> parse_config(std::string_view text, std::string const& name);
Result<ModelConfig> read_config(std::string const& path);

/// A configuration with what its caller knows of the model beside it: texts "KEY=VALUE". The keys
/// are those that change the stems and that no tensor tells: act, norm, n_fft, hop_length,
/// sample_rate, chunk_size, instruments (names with commas) and target_instrument. Errors: another
/// key, a value it cannot have, a value other than the configuration's.
Result<ModelConfig> assuming(ModelConfig config, std::vector<std::string> const& assumed);

/// The same as YAML, which parse_config() reads back.
std::string yaml_of(ModelConfig const& config);

/// Configurations that have a name: the name, and who published it.
std::vector<std::array<std::string, 2>> published_configs();
Result<ModelConfig> published_config(std::string const& name);

/// A tensor without its numbers.
struct TensorShape {
    std::string name;
    std::vector<index> shape;
};

enum class Norm : std::uint8_t { none, per_channel, batch };

/// A TFC-TDF U-Net, version 3, as the shapes of its tensors say it.
struct Network {
    index channels = 0;    ///< of the outermost level
    index growth = 0;      ///< channels that each level has more
    index scales = 0;      ///< levels without the bottleneck
    index blocks = 0;      ///< in each level
    index bottleneck = 0;  ///< how much narrower a TDF is within
    index subbands = 0;
    index bins = 0;  ///< of frequency in a subband, at the outermost level
    index stems = 0;
    std::array<index, 2> scale = {2, 2};  ///< of time and frequency from level to level
    Norm norm = Norm::per_channel;

    /// Channels of the input: sub-bands of real and imaginary parts of two channels.
    index inputs() const { return 4 * subbands; }
    index channels_of(index level) const { return channels + level * growth; }
};

/// All tensors of a network, in the order of PyTorch.
std::vector<TensorShape> places(Network const& network);

/// The network that tensors belong to. Every tensor has a place and every place a tensor, or the
/// error names it, and `file`.
Result<Network> network_of(std::vector<TensorShape> const& tensors, std::string const& file);

/// The network that a configuration describes. Errors name the key, and `file`.
Result<Network> network_of(ModelConfig const& config, std::string const& file);

/// What one chunk costs.
struct Cost {
    double macs = 0;      ///< multiplications and additions of them; FLOP are twice as many
    double elements = 0;  ///< kept at once: the skips, the gate and four maps of the first level
};

/// Of a chunk of `frames` frames; `frames` is a multiple of scale[0] to the power of scales.
Cost cost_of(Network const& network, index frames);

/// Where a number of the configuration is from.
enum class Origin : std::uint8_t {
    shapes,
    yaml,
    both,
    assumed,  ///< by sluice alone: inspect() shows it, and no song is separated with it
    given     ///< with assuming()
};
std::string_view name_of(Origin origin);

struct Fact {
    std::string name;
    std::variant<index, std::string> value;
    Origin origin = Origin::shapes;
};

/// How a song is cut: MSST and UVR read the same configuration differently.
struct Chunk {
    std::string rule;  ///< "msst" or "uvr"
    index samples = 0, frames = 0;
    Cost cost;
};

/// What a model's files say.
struct Inspection {
    std::string container;  ///< the kind of file
    std::uint64_t file_bytes = 0;
    index tensors = 0;
    index parameters = 0;  ///< numbers that were trained: neither averages nor counts of batches
    double weight_numbers = 0;               ///< all numbers
    std::vector<std::string> element_types;  ///< of the tensors, each once
    Network network;
    std::vector<Fact> facts;
    std::vector<std::string> stems;
    Origin stems_origin = Origin::assumed;
    index sample_rate = 44100;
    std::vector<Chunk> chunks;       ///< one, or one for each rule where they differ
    std::vector<std::string> notes;  ///< what is to be known of the files

    /// Estimated bytes of memory for a chunk at a time, with numbers of `bytes` bytes.
    double memory(Chunk const& chunk, index bytes) const {
        return (weight_numbers + chunk.cost.elements) * static_cast<double>(bytes);
    }
};

/// "act = gelu" for each fact that is assumed, with the names of stems if they are.
std::vector<std::string> assumptions_of(Inspection const& inspection);

/// Reads the model's description and its configuration, and compares them. Reads no weights.
/// Without `config`, the configuration that convert() put into the file counts, if there is one.
/// `assumed` is added to it, as assuming() does.
Result<Inspection> inspect(std::string const& model, std::optional<std::string> const& config,
                           std::vector<std::string> const& assumed = {});

/// What real numbers are written as: as they are, or the nearest ones of a type.
enum class WeightType : std::uint8_t { same, fp32, fp16, bf16 };

/// Writes a safetensors file with the model's tensors, bit by bit or rounded, and its
/// configuration, if one is given or within the file. Returns what inspect() says of the result; a
/// note says how much was rounded. The progress is in bytes that were read. Errors: a number beyond
/// the range of the type, tensors that differ from the checksums of a zip archive.
Result<Inspection> convert(std::string const& model, std::optional<std::string> const& config,
                           std::string const& out, bool force = false,
                           WeightType type = WeightType::same, Progress const& progress = {});

/// Writes a safetensors model of a configuration whose weights nobody trained: they depend on
/// `seed` alone. It takes as long as a trained one and separates nothing.
Result<Inspection> synthesize(ModelConfig const& config, std::uint64_t seed, std::string const& out,
                              bool force = false, Progress const& progress = {});

}  // namespace sluice::music
