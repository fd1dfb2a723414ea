// Separating songs: samples or files go in, stems come out, in memory that does not grow with them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sluice/device.h"
#include "sluice/progress.h"
#include "sluice/result.h"
#include "sluice/trace.h"
#include "sluice/view.h"

namespace sluice::music {

/// Whose rules cut a song into chunks, and join them.
enum class Preset : std::uint8_t {
    sluice,  ///< ours: the song is mirrored at its ends, chunks are joined with a window
    uvr,     ///< of kuielab, UVR and audio-separator: zeros at the ends, and plain means
    msst,    ///< of MSST with a batch of 1: mirrored where the song is long enough, linear fades
};

/// How much each sample of a chunk counts where chunks overlap. Each is symmetric.
enum class Window : std::uint8_t { hann, triangular, rectangular };

/// How a song is cut.
struct Cut {
    Preset preset = Preset::sluice;
    index chunk = 0;    ///< samples of a chunk
    index overlap = 2;  ///< chunks that cover a sample: they begin chunk / overlap samples apart
    Window window = Window::hann;  ///< of Preset::sluice; the others have their own
    /// So many grids of chunks, each a little earlier than the one before; Preset::sluice only.
    index shifts = 1;
    /// The grids lie within so many samples, and within one step of the chunks.
    index shift_span = 22'050;
};

inline constexpr index most_overlap = 50;

/// What the network computes in. Sums and statistics are in float32 with both.
enum class Arithmetic : std::uint8_t {
    automatic,  ///< bf16 where the processor multiplies matrices of it (AMX), else fp32
    fp32,
    bf16,  ///< of processors
    tf32,  ///< of GPUs with tensor cores: floats, rounded to eleven binary digits as factors
};

struct ModelOptions {
    /// The YAML that was published with the model; empty: the one within the file.
    std::optional<std::string> config;
    /// What is known of the model beside its configuration, as assuming() takes it.
    std::vector<std::string> assumed = {};
    Preset preset = Preset::sluice;  ///< UVR takes other chunks out of some YAMLs than MSST and we
    /// Frames of the Fourier transform in a chunk; empty: the YAML's. Fewer take less memory, and
    /// another result, since the network looks at whole chunks.
    std::optional<index> frames;
    Arithmetic arithmetic = Arithmetic::automatic;
    /// Where the network runs; songs are read and joined by the processor. A GPU computes in fp32.
    Device device = Device::cpu();
    int threads = 0;  ///< of a processor; 0: as the device says
    /// Bytes that the model and its chunks may take by estimate, on a GPU those of its memory.
    /// Empty: what is free there.
    std::optional<std::uint64_t> memory_limit;
    Progress progress = {};  ///< tensors that were read
};

/// A model that was loaded. One song at a time; it is moved, not copied.
class Model {
  public:
    /// Reads a checkpoint of PyTorch or a safetensors file. Errors: those of inspect(); a key that
    /// changes the stems, and that neither the tensors nor the configuration say; too little
    /// memory; bf16 where the device has none.
    static Result<Model> load(std::string const& path, ModelOptions const& options = {});
    Model(Model&& other) noexcept;
    Model& operator=(Model&& other) noexcept;
    ~Model();

    std::string const& name() const;                ///< its file
    std::vector<std::string> const& stems() const;  ///< in the order of its YAML
    /// What is to be known of its files, as in Inspection, and of how the preset reads them.
    std::vector<std::string> const& notes() const;
    int rate() const;                ///< frames per second that it was trained with
    index chunk() const;             ///< samples that it hears at once
    Arithmetic arithmetic() const;   ///< fp32 or bf16
    std::string const& why() const;  ///< of an automatic one; else empty
    Device const& device() const;
    std::string chosen() const;  ///< what computes convolutions, where that was a choice
    int threads() const;
    std::uint64_t memory() const;  ///< bytes that it takes on its device, without its songs

    struct State;
    explicit Model(std::unique_ptr<State> state);
    State& state() const { return *state_; }

  private:
    std::unique_ptr<State> state_;
};

/// What a model takes, before its weights are read.
struct ModelCost {
    std::uint64_t bytes =
        0;            ///< on its device, chunks of a song included where that is a processor
    index chunk = 0;  ///< samples that it hears at once
    int rate = 0;     ///< frames per second that it was trained with
    index stems = 0;
    double flop = 0;  ///< of a pass: convolutions and linear layers as they are written down
};
/// Errors: those of Model::load() that show before weights are read, but for too little memory.
Result<ModelCost> model_cost(std::string const& path, ModelOptions const& options = {});

/// How models that separate one song are joined.
enum class Join : std::uint8_t {
    mean,    ///< with weights
    median,  ///< of each sample; of an even number of models the mean of the middle two
};

/// What becomes of a song's samples.
struct SeparateOptions {
    Preset preset = Preset::sluice;
    /// 1 to 50. Empty: 2, or what the model's YAML says with the preset of another tool; an error
    /// where that says nothing.
    std::optional<index> overlap;
    Window window = Window::hann;
    index shifts = 1;
    /// Test-time augmentation: each chunk three times, with its channels swapped and with its sign
    /// turned; what comes out is turned back and averaged.
    bool augment = false;
    index batch = 1;  ///< chunks that the network is given at once; it does not change a sample
    Join join = Join::mean;
    std::vector<double> weights;     ///< of the models; empty: equal ones
    std::vector<std::string> stems;  ///< those that are wanted, in any case of letters; empty: all
    /// The stem that is the mix without the others, so that stems sum to the mix: one of the model,
    /// or a name for one more. Empty: "instrumental" or "other", where a model has it, the other
    /// stem of a model that has one, and no stem with a preset. "none": no stem.
    std::string complement;
    /// With a complement: stems are rounded to the steps of files with so many bits, so that the
    /// stems of such files sum to the mix exactly. 0: they sum to it but for rounding in float32.
    int bits = 0;
    index frames = 0;  ///< of the song, for the progress; 0: not known
    /// Frames that were separated. Called every few milliseconds, also within a chunk: a network
    /// takes seconds for it, and stops there.
    Progress progress;
    /// Notes the steps of worker 0, by chunks: decode, resample, STFT, network, overlap-add,
    /// encode. It must outlive the separation.
    Trace* trace = nullptr;
};

/// One song being separated. Samples are pushed as they come, and stems are pulled as they become
/// ready: about two chunks later. However they are pushed, the stems have the same samples.
/// Mono is heard on both channels, and its stems are the means of them. More than two channels are
/// an error. Other rates than the models' are resampled, and the stems back again.
class Separation {
  public:
    /// The models must outlive it. All have the same rate, and the stems of the first one but for
    /// the complement. Errors: options that make no sense.
    static Result<Separation> begin(std::span<Model* const> models, int rate, index channels,
                                    SeparateOptions const& options);
    Separation(Separation&& other) noexcept;
    Separation& operator=(Separation&& other) noexcept;
    ~Separation();

    /// The names of what pull() gives, in the order of the YAML; an added complement is the last.
    std::vector<std::string> const& stems() const;
    /// Whether one of them is the mix without the others, and all others are given.
    bool complements() const;

    /// Takes frames as [frames][channels], and separates what it can: this is where time goes.
    /// Errors: a sample that is not finite, the network's, Code::cancelled by the progress.
    /// After an error it is of no more use, but its models are.
    Status push(std::span<float const> block);
    /// No more frames come: separates the rest. Error: no frame came.
    Status finish();
    /// Frames that pull() can give now.
    index ready() const;
    /// Frames of each stem as [frames][channels] into a span per stem, all of one size; returns how
    /// many. In all there are as many as were pushed.
    index pull(std::span<std::span<float> const> stems);

    /// Puts the next frames as [frames][channels] into a block, and says how many; 0: the end.
    using Read = std::function<Result<index>(std::span<float> block)>;
    /// The same, where the song is read as it is needed: fewer frames than the spans hold are the
    /// last ones.
    Result<index> pull(std::span<std::span<float> const> stems, Read const& read);

    index chunks() const;  ///< that went through a network, each as often as it did

  private:
    struct State;
    explicit Separation(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace sluice::music
