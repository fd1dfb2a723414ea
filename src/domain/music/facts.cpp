// The facts that a model's tensors and its YAML state together.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/facts.h"

#include <fmt/format.h>

#include <algorithm>

#include "domain/music/words.h"

namespace sluice::music {
namespace {

class Facts {
  public:
    Facts(ModelConfig const& config, std::string const& model, std::optional<index> window,
          Inspection& out)
        : c_(config), model_(model), window_(window), out_(out), n_(out.network) {}

    Status add() {
        ModelConfig::Model const& m = c_.model;
        SLUICE_CHECK(of_shapes("num_channels", n_.channels, m.num_channels));
        SLUICE_CHECK(of_shapes("growth", n_.growth, m.growth));
        SLUICE_CHECK(of_shapes("num_scales", n_.scales, m.num_scales));
        SLUICE_CHECK(of_shapes("num_blocks_per_scale", n_.blocks, m.num_blocks_per_scale));
        SLUICE_CHECK(bottleneck());
        SLUICE_CHECK(of_shapes("num_subbands", n_.subbands, m.num_subbands));
        std::optional<std::string> scale;
        if (m.scale) scale = fmt::format("{}", fmt::join(*m.scale, ", "));
        SLUICE_CHECK(of_shapes("scale", fmt::format("{}", fmt::join(n_.scale, ", ")), scale));
        SLUICE_CHECK(of_shapes("dim_f", n_.bins * n_.subbands, c_.audio.dim_f));
        SLUICE_CHECK(norm());
        fact("act", m.act, std::string("gelu"));
        SLUICE_CHECK(transform());
        SLUICE_CHECK(stems());
        SLUICE_CHECK(chunks());
        if (auto const all = assumptions_of(out_); !all.empty())
            out_.notes.push_back(
                fmt::format("assumed, since neither the tensors nor the YAML state it: {}; songs "
                            "are not separated with such values",
                            fmt::join(all, ", ")));
        return {};
    }

  private:
    ModelConfig const& c_;
    std::string const& model_;
    std::optional<index> window_;
    Inspection& out_;
    Network const& n_;
    index n_fft_ = 0, hop_ = 0;

    Error wrong(std::string text) const {
        return {Code::invalid_argument, std::move(text), model_};
    }

    bool is_given(std::string_view key) const {
        return std::ranges::find(c_.assumed, key) != c_.assumed.end();
    }
    // The origin of a fact that the tensors do not state.
    Origin said(std::string_view key) const { return is_given(key) ? Origin::given : Origin::yaml; }

    // Widths are rounded down: several factors can give the same one.
    Status bottleneck() {
        index const own = n_.bottleneck, said = c_.model.bottleneck_factor.value_or(own);
        index bins = n_.bins;
        bool same = true;
        for (index i = 0; i <= n_.scales; ++i, bins /= n_.scale[1])
            same = same && bins / said == bins / own;
        return of_shapes("bottleneck_factor", same ? said : own, c_.model.bottleneck_factor);
    }

    template <class T>
    Status of_shapes(std::string const& name, T const& value, std::optional<T> const& yaml) {
        if (yaml && *yaml != value && is_given(name))
            return wrong(fmt::format(
                "the tensors state {} = {}, and {} is assumed; leave the assumption out", name,
                value, *yaml));
        if (yaml && *yaml != value)
            return wrong(
                fmt::format("the tensors say {} = {}, the YAML says {}; give the YAML that "
                            "was published with this model",
                            name, value, *yaml));
        out_.facts.push_back(
            {name, value, yaml && !is_given(name) ? Origin::both : Origin::shapes});
        return {};
    }

    template <class T>
    T fact(std::string const& name, std::optional<T> const& yaml, T const& assumed) {
        T value = yaml.value_or(assumed);
        out_.facts.push_back({name, value, yaml ? said(name) : Origin::assumed});
        return value;
    }

    // The shapes tell averages of batches, but not groups of channels from single ones.
    Status norm() {
        std::string const names[] = {"none", "InstanceNorm", "BatchNorm"};
        std::string const found = names[static_cast<std::size_t>(n_.norm)];
        std::optional<std::string> const& yaml = c_.model.norm;
        if (n_.norm == Norm::per_channel && yaml && yaml->starts_with("GroupNorm"))
            out_.facts.push_back({"norm", *yaml, said("norm")});
        else if (n_.norm == Norm::per_channel && yaml == found)
            out_.facts.push_back({"norm", found, is_given("norm") ? Origin::given : Origin::both});
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
        n_fft_ = window_.value_or(c_.audio.n_fft.value_or(2 * bins));
        if (window_)
            SLUICE_CHECK(of_shapes("n_fft", *window_, c_.audio.n_fft));
        else
            fact("n_fft", c_.audio.n_fft, n_fft_);
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
        return {};
    }

    Status stems() {
        if (c_.target_instrument) {
            out_.stems = {*c_.target_instrument};
        } else {
            out_.stems = c_.instruments;
        }
        out_.stems_origin = out_.stems.empty() ? Origin::assumed
                            : is_given(c_.target_instrument ? "target_instrument" : "instruments")
                                ? Origin::given
                                : Origin::yaml;
        if (out_.stems.empty())
            for (index i = 0; i < n_.stems; ++i)
                out_.stems.push_back(fmt::format("stem_{}", i + 1));
        if (std::ssize(out_.stems) == n_.stems) return {};
        if (n_.stems == 1 && !c_.target_instrument)
            return wrong(fmt::format(
                "the tensors have 1 stem, the YAML names {} ({}) and no target_instrument (one of "
                "them) give the YAML that was published with this model, or --assume "
                "target_instrument=...",
                out_.stems.size(), fmt::join(out_.stems, ", ")));
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
        out_.facts.push_back({"chunk_size", msst, given ? said("chunk_size") : Origin::assumed});
        if (given && !inference.chunk_size && !audio.chunk_size)
            out_.notes.push_back(
                fmt::format("the YAML has no chunk_size: hop_length x (dim_t - 1) "
                            "= {} is taken",
                            msst));
        SLUICE_CHECK(chunk("msst", msst));
        if (msst == uvr) return {};
        if (!inference.dim_t) return {};
        SLUICE_CHECK(chunk("uvr", uvr));
        out_.notes.push_back(fmt::format(
            "MSST takes chunks of {} samples by this YAML, UVR of {}: their results differ", msst,
            uvr));
        return {};
    }

    Status chunk(std::string const& rule, index samples) {
        index const frames = samples / hop_ + 1;
        // More frames than any chunk has, and far from overflow.
        constexpr index enough = index{1} << 32;
        index multiple = 1;
        for (index i = 0; i < n_.scales && multiple < enough; ++i) multiple *= n_.scale[0];
        bool const fits = samples >= 1 && frames % multiple == 0;
        if (!fits && !c_.audio.hop_length)
            return wrong(
                fmt::format("comes without hop_length (the tensors do not say it; {}, an eighth of "
                            "n_fft, does not "
                            "fit chunks of {} samples) give the YAML that was published with the "
                            "model, or what you know of it: --assume hop_length=...",
                            hop_, samples));
        if (!fits)
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
    return config::word_of(origin);
}

std::vector<std::string> assumptions_of(Inspection const& i) {
    std::vector<std::string> all;
    for (Fact const& f : i.facts)
        if (f.origin == Origin::assumed)
            all.push_back(std::visit(
                [&](auto const& v) { return fmt::format("{} = {}", f.name, v); }, f.value));
    if (i.stems_origin == Origin::assumed)
        all.push_back(fmt::format("instruments = {}", fmt::join(i.stems, ",")));
    return all;
}

Status add_facts(ModelConfig const* config, std::string const& model, Inspection& out,
                 std::optional<index> window) {
    ModelConfig const nothing;
    return Facts(config ? *config : nothing, model, window, out).add();
}

}  // namespace sluice::music
