// What a model's tensors and its YAML say together.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/facts.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::music {
namespace {

class Facts {
  public:
    Facts(Config const& config, std::string const& model, Inspection& out)
        : c_(config), model_(model), out_(out), n_(out.network) {}

    Status add() {
        Config::Model const& m = c_.model;
        SLUICE_CHECK(of_shapes("num_channels", n_.channels, m.num_channels));
        SLUICE_CHECK(of_shapes("growth", n_.growth, m.growth));
        SLUICE_CHECK(of_shapes("num_scales", n_.scales, m.num_scales));
        SLUICE_CHECK(of_shapes("num_blocks_per_scale", n_.blocks, m.num_blocks_per_scale));
        SLUICE_CHECK(of_shapes("bottleneck_factor", n_.bottleneck, m.bottleneck_factor));
        SLUICE_CHECK(of_shapes("num_subbands", n_.subbands, m.num_subbands));
        std::optional<std::string> scale;
        if (m.scale) scale = fmt::format("{}", fmt::join(*m.scale, ", "));
        SLUICE_CHECK(of_shapes("scale", fmt::format("{}", fmt::join(n_.scale, ", ")), scale));
        SLUICE_CHECK(of_shapes("dim_f", n_.bins * n_.subbands, c_.audio.dim_f));
        SLUICE_CHECK(norm());
        fact("act", m.act, std::string("gelu"));
        SLUICE_CHECK(transform());
        SLUICE_CHECK(stems());
        return chunks();
    }

  private:
    Config const& c_;
    std::string const& model_;
    Inspection& out_;
    Network const& n_;
    index n_fft_ = 0, hop_ = 0;

    Error wrong(std::string text) const {
        return {Code::invalid_argument, std::move(text), model_};
    }

    template <class T>
    Status of_shapes(std::string const& name, T const& value, std::optional<T> const& yaml) {
        if (yaml && *yaml != value)
            return wrong(
                fmt::format("the tensors say {} = {}, the YAML says {}; give the YAML that "
                            "was published with this model",
                            name, value, *yaml));
        out_.facts.push_back({name, value, yaml ? Origin::both : Origin::shapes});
        return {};
    }

    template <class T>
    T fact(std::string const& name, std::optional<T> const& yaml, T const& assumed) {
        T value = yaml.value_or(assumed);
        out_.facts.push_back({name, value, yaml ? Origin::yaml : Origin::assumed});
        return value;
    }

    // The shapes tell averages of batches, but not groups of channels from single ones.
    Status norm() {
        std::string const names[] = {"none", "InstanceNorm", "BatchNorm"};
        std::string const found = names[static_cast<std::size_t>(n_.norm)];
        std::optional<std::string> const& yaml = c_.model.norm;
        if (n_.norm == Norm::per_channel && yaml && yaml->starts_with("GroupNorm"))
            out_.facts.push_back({"norm", *yaml, Origin::yaml});
        else if (n_.norm == Norm::per_channel && !yaml)
            out_.facts.push_back({"norm", found, Origin::assumed});
        else if (n_.norm == Norm::none && yaml && *yaml != names[1] && *yaml != names[2] &&
                 !yaml->starts_with("GroupNorm"))
            out_.facts.push_back({"norm", *yaml, Origin::both});
        else
            return of_shapes("norm", found, yaml);
        return {};
    }

    Status transform() {
        index const bins = n_.bins * n_.subbands;
        n_fft_ = fact("n_fft", c_.audio.n_fft, 2 * bins);
        if (n_fft_ % 2 != 0 || bins > n_fft_ / 2 + 1)
            return wrong(
                fmt::format("dim_f = {} does not fit n_fft = {}: an even n_fft of at "
                            "least {} is needed",
                            bins, n_fft_, 2 * (bins - 1)));
        hop_ = fact("hop_length", c_.audio.hop_length, std::max<index>(1, n_fft_ / 8));
        out_.sample_rate = fact("sample_rate", c_.audio.sample_rate, index{44100});
        if (c_.audio.num_channels && *c_.audio.num_channels != 2)
            return wrong(
                fmt::format("audio.num_channels is {} in the YAML; this network always "
                            "has 2",
                            *c_.audio.num_channels));
        if (!c_.audio.n_fft || !c_.audio.hop_length)
            out_.notes.emplace_back(
                "n_fft and hop_length are not in the tensors: 2 dim_f and n_fft / 8 are right for "
                "many models and wrong for others; give the YAML with --config");
        return {};
    }

    Status stems() {
        if (c_.target_instrument) {
            out_.stems = {*c_.target_instrument};
        } else {
            out_.stems = c_.instruments;
        }
        out_.stems_origin = out_.stems.empty() ? Origin::assumed : Origin::yaml;
        if (out_.stems.empty())
            for (index i = 0; i < n_.stems; ++i)
                out_.stems.push_back(fmt::format("stem_{}", i + 1));
        if (std::ssize(out_.stems) == n_.stems) return {};
        return wrong(
            fmt::format("the tensors have {} stems, the YAML names {} ({}); give the YAML "
                        "that was published with this model",
                        n_.stems, out_.stems.size(), fmt::join(out_.stems, ", ")));
    }

    // MSST takes the length in samples, UVR the number of frames that inference has.
    Status chunks() {
        auto const& audio = c_.audio;
        auto const& inference = c_.inference;
        index const frames = inference.dim_t.value_or(audio.dim_t.value_or(256));
        index const uvr = hop_ * (frames - 1);
        index const msst = inference.chunk_size.value_or(audio.chunk_size.value_or(uvr));
        bool const given =
            inference.dim_t || audio.dim_t || inference.chunk_size || audio.chunk_size;
        out_.facts.push_back({"chunk_size", msst, given ? Origin::yaml : Origin::assumed});
        SLUICE_CHECK(chunk("msst", msst));
        if (msst == uvr) return {};
        if (!inference.dim_t) return {};
        SLUICE_CHECK(chunk("uvr", uvr));
        out_.notes.push_back(
            fmt::format("MSST cuts chunks of {} samples out of this YAML, UVR of "
                        "{}: their results differ",
                        msst, uvr));
        return {};
    }

    Status chunk(std::string const& rule, index samples) {
        index const frames = samples / hop_ + 1;
        // More frames than any chunk has, and far from overflow.
        constexpr index enough = index{1} << 32;
        index multiple = 1;
        for (index i = 0; i < n_.scales && multiple < enough; ++i) multiple *= n_.scale[0];
        if (samples < 1 || frames % multiple != 0)
            return wrong(
                fmt::format("a chunk of {} samples has {} frames (hop_length {}); the network "
                            "divides them by {} at each of {} levels, so that chunk_size or dim_t "
                            "must give a multiple of {}",
                            samples, frames, hop_, n_.scale[0], n_.scales, multiple));
        out_.chunks.push_back({rule, samples, frames, cost_of(n_, frames)});
        return {};
    }
};

}  // namespace

std::string_view name_of(Origin origin) {
    constexpr std::string_view names[] = {"tensors", "YAML", "tensors and YAML", "assumed"};
    return names[static_cast<std::size_t>(origin)];
}

Status add_facts(Config const* config, std::string const& model, Inspection& out) {
    Config const nothing;
    return Facts(config ? *config : nothing, model, out).add();
}

}  // namespace sluice::music
