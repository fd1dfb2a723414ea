// Configurations of separators out of YAML.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <span>

#include "base/file.h"
#include "base/nearest.h"
#include "domain/music/config/entries.h"
#include "domain/music/config/known_keys.h"
#include "domain/music/file_name.h"
#include "sluice/music.h"

namespace sluice::music {
namespace {

constexpr std::uint64_t most_bytes = 1 << 20;
constexpr std::size_t most_stems = 64;
// A number of any key: products of two are far from overflow.
constexpr index most = 1 << 24;

struct IndexKey {
    char const* name;
    std::optional<index>* out;
    index least = 1;
};
struct TextKey {
    char const* name;
    std::optional<std::string>* out;
};

class Reader {
  public:
    explicit Reader(std::string const& file) : file_(file) {}

    Result<ModelConfig> read(YAML::Node const& root) {
        if (!root.IsMap())
            return wrong(root,
                         "it has no sections (audio, model, training); give the model's YAML");
        SLUICE_TRY(Entries const entries, entries_of(root, "", file_));
        for (MapEntry const& e : entries) {
            if (e.key == "audio")
                SLUICE_CHECK(audio(e.value));
            else if (e.key == "model")
                SLUICE_CHECK(model(e.value));
            else if (e.key == "inference")
                SLUICE_CHECK(inference(e.value));
            else if (e.key == "training")
                SLUICE_CHECK(training(e.value));
            else if (!is_of_training(e.key))
                unknown(e, "");
        }
        return std::move(c_);
    }

  private:
    std::string const& file_;
    ModelConfig c_;

    Error wrong(YAML::Node const& at, std::string const& text) const {
        return wrong_yaml(at, text, file_);
    }

    static bool is_of_training(std::string_view key) {
        constexpr std::string_view others[] = {"augmentations", "loss_multistft", "lora", "name",
                                               "model_type"};
        return std::ranges::find(others, key) != std::end(others);
    }

    void note(YAML::Node const& at, std::string const& text) {
        constexpr std::size_t most_notes = 32;
        if (c_.notes.size() < most_notes)
            c_.notes.push_back(fmt::format("{}, line {}: {}", file_, line_of(at.Mark()), text));
    }

    void unknown(MapEntry const& e, std::string_view section) {
        std::string const word = meant_key(e.key, section);
        note(e.at, fmt::format("'{}{}{}' is not known and was not used{}", section,
                               section.empty() ? "" : ".", printable(e.key),
                               word.empty() ? "" : fmt::format("; did you mean '{}'?", word)));
    }

    Result<index> whole(YAML::Node const& node, std::string const& key, index least = 1) const {
        std::string const text = node.IsScalar() ? node.Scalar() : "";
        index n = 0;
        auto const [stop, error] = std::from_chars(text.data(), text.data() + text.size(), n);
        if (error != std::errc{} || stop != text.data() + text.size() || n < least || n > most)
            return wrong(node, fmt::format("{} is '{}'; give a whole number from {} to {}", key,
                                           printable(text), least, most));
        return n;
    }

    Result<Entries> section_of(YAML::Node const& map, std::string const& name) const {
        if (map.IsNull()) return Entries{};
        if (!map.IsMap()) return wrong(map, name + " is not a section of keys");
        return entries_of(map, name + ".", file_);
    }

    // Unknown keys are reported, except those of the section's list, which the caller reads.
    Status keys(Entries const& entries, std::string const& section,
                std::span<IndexKey const> indices, std::span<TextKey const> texts) {
        auto const& known = known_keys(section);
        for (MapEntry const& e : entries) {
            auto const number = std::ranges::find(indices, e.key, &IndexKey::name);
            auto const text = std::ranges::find(texts, e.key, &TextKey::name);
            if (number != indices.end()) {
                if (e.value.IsNull()) continue;
                SLUICE_TRY(*number->out, whole(e.value, section + "." + e.key, number->least));
            } else if (text != texts.end()) {
                if (e.value.IsNull()) continue;
                if (!e.value.IsScalar())
                    return wrong(e.value, fmt::format("{}.{} is not a word", section, e.key));
                *text->out = printable(e.value.Scalar());
            } else if (std::ranges::find(known, e.key) == known.end()) {
                unknown(e, section);
            }
        }
        return {};
    }

    Status audio(YAML::Node const& node) {
        ModelConfig::Audio& a = c_.audio;
        IndexKey const indices[] = {
            {"chunk_size", &a.chunk_size},  {"dim_f", &a.dim_f}, {"dim_t", &a.dim_t},
            {"hop_length", &a.hop_length},  {"n_fft", &a.n_fft}, {"num_channels", &a.num_channels},
            {"sample_rate", &a.sample_rate}};
        SLUICE_TRY(Entries const entries, section_of(node, "audio"));
        return keys(entries, "audio", indices, {});
    }

    Status model(YAML::Node const& node) {
        ModelConfig::Model& m = c_.model;
        IndexKey const indices[] = {{"bottleneck_factor", &m.bottleneck_factor},
                                    {"growth", &m.growth, 0},
                                    {"num_blocks_per_scale", &m.num_blocks_per_scale},
                                    {"num_channels", &m.num_channels},
                                    {"num_scales", &m.num_scales},
                                    {"num_subbands", &m.num_subbands}};
        TextKey const texts[] = {{"act", &m.act}, {"norm", &m.norm}};
        SLUICE_TRY(Entries const entries, section_of(node, "model"));
        SLUICE_CHECK(keys(entries, "model", indices, texts));
        YAML::Node const* const scale = value_of(entries, "scale");
        if (!scale) return {};
        if (!scale->IsSequence() || scale->size() != 2)
            return wrong(*scale, "model.scale is not a list of two numbers, as [2, 2]");
        m.scale.emplace();
        for (std::size_t i = 0; i < 2; ++i) {
            SLUICE_TRY((*m.scale)[i], whole((*scale)[i], "model.scale"));
        }
        return {};
    }

    Status inference(YAML::Node const& node) {
        ModelConfig::Inference& i = c_.inference;
        IndexKey const indices[] = {{"batch_size", &i.batch_size},
                                    {"chunk_size", &i.chunk_size},
                                    {"dim_t", &i.dim_t},
                                    {"num_overlap", &i.num_overlap}};
        SLUICE_TRY(Entries const entries, section_of(node, "inference"));
        SLUICE_CHECK(keys(entries, "inference", indices, {}));
        YAML::Node const* const normalize = value_of(entries, "normalize");
        if (normalize && !is_false(*normalize))
            note(*normalize,
                 "inference.normalize is not used: MSST then shifts and scales songs to a mean of "
                 "0 and a deviation of 1, and gives other stems");
        return {};
    }

    // As PyYAML and Python see it.
    static bool is_false(YAML::Node const& node) {
        constexpr std::string_view words[] = {"false", "False", "FALSE", "no",  "No",
                                              "NO",    "off",   "Off",   "OFF", "0"};
        return node.IsScalar() &&
               (node.Scalar().empty() ||
                (node.Tag() == "?" && std::ranges::find(words, node.Scalar()) != std::end(words)));
    }

    // Most of its keys say how the network was trained, which changes nothing here.
    Status training(YAML::Node const& node) {
        SLUICE_TRY(Entries const entries, section_of(node, "training"));
        for (MapEntry const& e : entries)
            if (auto const& known = known_keys("training");
                std::ranges::find(known, e.key) == known.end() && near_enough(e.key, known))
                unknown(e, "training");
        SLUICE_CHECK(instruments(value_of(entries, "instruments")));
        YAML::Node const* const target = value_of(entries, "target_instrument");
        if (!target || is_false(*target)) return {};
        if (!target->IsScalar()) return wrong(*target, "training.target_instrument is not a name");
        c_.target_instrument = printable(target->Scalar());
        if (!c_.instruments.empty() &&
            std::ranges::find(c_.instruments, *c_.target_instrument) == c_.instruments.end())
            return wrong(
                *target,
                fmt::format("training.target_instrument '{}' is not one of the instruments",
                            *c_.target_instrument));
        return {};
    }

    // Stems are told apart by their names, also as files.
    Status instruments(YAML::Node const* names) {
        if (!names) return {};
        if (!names->IsSequence() || names->size() > most_stems)
            return wrong(
                *names,
                fmt::format("training.instruments is not a list of at most {} names", most_stems));
        for (std::size_t i = 0; i < names->size(); ++i) {
            YAML::Node const node = (*names)[i];
            if (!node.IsScalar() || node.Scalar().empty())
                return wrong(node, "training.instruments has an entry that is not a name");
            std::string name = printable(node.Scalar());
            for (std::string const& other : c_.instruments)
                if (other == name)
                    return wrong(node, fmt::format("training.instruments has '{}' twice", name));
                else if (are_one_file(other, name))
                    return wrong(
                        node, fmt::format("training.instruments has '{}' and '{}' (each stem is a "
                                          "file, and some systems do not tell these apart) rename "
                                          "one of them",
                                          other, name));
            c_.instruments.push_back(std::move(name));
        }
        return {};
    }
};

}  // namespace

Result<ModelConfig> parse_config(std::string_view text, std::string const& name) {
    if (text.size() > most_bytes)
        return Error{Code::invalid_argument, "it has more than 1 MiB", name};
    // yaml-cpp throws errors of the text.
    try {
        return Reader(name).read(YAML::Load(std::string(text)));
    } catch (YAML::DeepRecursion const& e) {
        return Error{Code::invalid_argument,
                     fmt::format("line {}: levels are nested too deeply", line_of(e.mark)), name};
    } catch (YAML::Exception const& e) {
        return Error{Code::invalid_argument,
                     fmt::format("line {}: {}", line_of(e.mark), printable(e.msg)), name};
    } catch (std::exception const& e) {
        return Error{Code::invalid_argument, fmt::format("it is not YAML ({})", e.what()), name};
    }
}

Result<ModelConfig> read_config(std::string const& path) {
    SLUICE_TRY(auto const bytes, read_file(path, most_bytes));
    return parse_config({reinterpret_cast<char const*>(bytes.data()), bytes.size()}, path);
}

}  // namespace sluice::music
