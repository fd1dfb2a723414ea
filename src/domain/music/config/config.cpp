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
#include "base/utf8.h"
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
};
struct TextKey {
    char const* name;
    std::optional<std::string>* out;
};

// An empty text has no place; yaml-cpp then says -1.
int line_of(YAML::Mark const& mark) {
    return std::max(mark.line, 0) + 1;
}

// Whole characters, 120 bytes or few more, with '?' for what is no UTF-8 and for the controls of C0
// and C1, which a terminal could obey.
std::string printable(std::string_view text) {
    constexpr std::size_t most_shown = 120;
    std::string out;
    while (!text.empty() && out.size() < most_shown) {
        std::string_view const from = text;
        char32_t const c = next_character(text);
        bool const shown = c != not_utf8 && c >= ' ' && (c < 0x7f || c >= 0xa0);
        out += shown ? from.substr(0, from.size() - text.size()) : "?";
    }
    return out;
}

class Reader {
  public:
    explicit Reader(std::string const& file) : file_(file) {}

    Result<Config> read(YAML::Node const& root) {
        if (!root.IsMap())
            return wrong(root, "no sections (audio, model, training); give the model's YAML");
        SLUICE_CHECK(once(root, ""));
        for (auto const& entry : root) {
            std::string const key = entry.first.Scalar();
            YAML::Node const& node = entry.second;
            if (key == "audio")
                SLUICE_CHECK(audio(node));
            else if (key == "model")
                SLUICE_CHECK(model(node));
            else if (key == "inference")
                SLUICE_CHECK(inference(node));
            else if (key == "training")
                SLUICE_CHECK(training(node));
            else if (!is_of_training(key))
                note(entry.first, key);
        }
        return std::move(c_);
    }

  private:
    std::string const& file_;
    Config c_;

    Error wrong(YAML::Node const& at, std::string const& text) const {
        return {Code::invalid_argument, fmt::format("line {}: {}", line_of(at.Mark()), text),
                file_};
    }

    static bool is_of_training(std::string_view key) {
        constexpr std::string_view sections[] = {"augmentations", "loss_multistft", "lora", "name",
                                                 "model_type"};
        return std::ranges::find(sections, key) != std::end(sections);
    }

    void note(YAML::Node const& at, std::string const& key) {
        constexpr std::size_t most_notes = 32;
        if (c_.notes.size() < most_notes)
            c_.notes.push_back(fmt::format("{}, line {}: '{}' is not known and was not used", file_,
                                           line_of(at.Mark()), printable(key)));
    }

    // YAML allows a key once; which one counts is not to be guessed.
    Status once(YAML::Node const& map, std::string const& section) const {
        std::vector<std::string> keys;
        for (auto const& entry : map) {
            if (!entry.first.IsScalar()) return wrong(map, "a key that is no word");
            keys.push_back(entry.first.Scalar());
        }
        std::ranges::sort(keys);
        if (auto const twice = std::ranges::adjacent_find(keys); twice != keys.end())
            return wrong(map, fmt::format("'{}{}' is there twice; leave one out", section,
                                          printable(*twice)));
        return {};
    }

    Result<index> whole(YAML::Node const& node, std::string const& key) const {
        std::string const text = node.IsScalar() ? node.Scalar() : "";
        index n = 0;
        auto const [stop, error] = std::from_chars(text.data(), text.data() + text.size(), n);
        if (error != std::errc{} || stop != text.data() + text.size() || n < 1 || n > most)
            return wrong(node, fmt::format("{} is '{}'; give a whole number from 1 to {}", key,
                                           printable(text), most));
        return n;
    }

    Status keys(YAML::Node const& map, std::string const& section,
                std::span<IndexKey const> indices, std::span<TextKey const> texts,
                std::span<std::string_view const> others) {
        if (!map.IsMap()) return wrong(map, section + " is no section of keys");
        SLUICE_CHECK(once(map, section + "."));
        for (auto const& entry : map) {
            std::string const key = entry.first.Scalar();
            auto const number = std::ranges::find(indices, key, &IndexKey::name);
            auto const text = std::ranges::find(texts, key, &TextKey::name);
            if (number != indices.end()) {
                if (entry.second.IsNull()) continue;
                SLUICE_TRY(*number->out, whole(entry.second, section + "." + key));
            } else if (text != texts.end()) {
                if (entry.second.IsNull()) continue;
                if (!entry.second.IsScalar())
                    return wrong(entry.second, fmt::format("{}.{} is no word", section, key));
                *text->out = printable(entry.second.Scalar());
            } else if (std::ranges::find(others, key) == others.end()) {
                note(entry.first, section + "." + key);
            }
        }
        return {};
    }

    Status audio(YAML::Node const& node) {
        Config::Audio& a = c_.audio;
        IndexKey const indices[] = {
            {"chunk_size", &a.chunk_size},  {"dim_f", &a.dim_f}, {"dim_t", &a.dim_t},
            {"hop_length", &a.hop_length},  {"n_fft", &a.n_fft}, {"num_channels", &a.num_channels},
            {"sample_rate", &a.sample_rate}};
        // Silent parts of songs to train with.
        constexpr std::string_view others[] = {"min_mean_abs"};
        return keys(node, "audio", indices, {}, others);
    }

    Status model(YAML::Node const& node) {
        Config::Model& m = c_.model;
        IndexKey const indices[] = {{"bottleneck_factor", &m.bottleneck_factor},
                                    {"growth", &m.growth},
                                    {"num_blocks_per_scale", &m.num_blocks_per_scale},
                                    {"num_channels", &m.num_channels},
                                    {"num_scales", &m.num_scales},
                                    {"num_subbands", &m.num_subbands}};
        TextKey const texts[] = {{"act", &m.act}, {"norm", &m.norm}};
        constexpr std::string_view others[] = {"scale"};
        SLUICE_CHECK(keys(node, "model", indices, texts, others));
        YAML::Node const scale = node["scale"];
        if (!scale.IsDefined() || scale.IsNull()) return {};
        if (!scale.IsSequence() || scale.size() != 2)
            return wrong(scale, "model.scale is no list of two numbers, as [2, 2]");
        m.scale.emplace();
        for (std::size_t i = 0; i < 2; ++i) {
            SLUICE_TRY((*m.scale)[i], whole(scale[i], "model.scale"));
        }
        return {};
    }

    Status inference(YAML::Node const& node) {
        Config::Inference& i = c_.inference;
        IndexKey const indices[] = {{"batch_size", &i.batch_size},
                                    {"chunk_size", &i.chunk_size},
                                    {"dim_t", &i.dim_t},
                                    {"num_overlap", &i.num_overlap}};
        return keys(node, "inference", indices, {}, {});
    }

    // Most of its keys say how the network was trained, which changes nothing here.
    Status training(YAML::Node const& node) {
        if (!node.IsMap()) return wrong(node, "training is no section of keys");
        SLUICE_CHECK(once(node, "training."));
        YAML::Node const names = node["instruments"], target = node["target_instrument"];
        if (names.IsDefined() && (!names.IsSequence() || names.size() > most_stems))
            return wrong(names, fmt::format("training.instruments is no list of at most {} names",
                                            most_stems));
        for (std::size_t i = 0; names.IsDefined() && i < names.size(); ++i) {
            if (!names[i].IsScalar() || names[i].Scalar().empty())
                return wrong(names[i], "training.instruments has what is no name");
            std::string name = printable(names[i].Scalar());
            // Stems are told apart by their names, also as files.
            if (std::ranges::find(c_.instruments, name) != c_.instruments.end())
                return wrong(names[i], fmt::format("training.instruments has '{}' twice", name));
            c_.instruments.push_back(std::move(name));
        }
        if (!target.IsDefined() || target.IsNull()) return {};
        if (!target.IsScalar()) return wrong(target, "training.target_instrument is no name");
        c_.target_instrument = printable(target.Scalar());
        if (!c_.instruments.empty() &&
            std::ranges::find(c_.instruments, *c_.target_instrument) == c_.instruments.end())
            return wrong(target, fmt::format("training.target_instrument '{}' is none of the "
                                             "instruments",
                                             *c_.target_instrument));
        return {};
    }
};

}  // namespace

Result<Config> parse_config(std::string_view text, std::string const& name) {
    if (text.size() > most_bytes)
        return Error{Code::invalid_argument, "a configuration of more than 1 MiB", name};
    // yaml-cpp throws what is wrong with the text.
    try {
        return Reader(name).read(YAML::Load(std::string(text)));
    } catch (YAML::DeepRecursion const& e) {
        return Error{Code::invalid_argument,
                     fmt::format("line {}: too many levels within each other", line_of(e.mark)),
                     name};
    } catch (YAML::Exception const& e) {
        return Error{Code::invalid_argument,
                     fmt::format("line {}: {}", line_of(e.mark), printable(e.msg)), name};
    } catch (std::exception const& e) {
        return Error{Code::invalid_argument, fmt::format("no YAML ({})", e.what()), name};
    }
}

Result<Config> read_config(std::string const& path) {
    SLUICE_TRY(auto const bytes, read_file(path, most_bytes));
    return parse_config({reinterpret_cast<char const*>(bytes.data()), bytes.size()}, path);
}

}  // namespace sluice::music
