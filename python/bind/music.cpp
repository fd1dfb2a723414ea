// Music: what models are, their configurations, scores, and the self-test.
// SPDX-License-Identifier: Apache-2.0
#include "bind/music.h"

#include "bind/core.h"
#include "sluice/music_score.h"
#include "sluice/music_selftest.h"

namespace sluice::python {
namespace {

using music::ModelConfig;
using music::Norm;

nb::dict fields_of(ModelConfig const& c) {
    nb::dict audio, model, inference, out;
    audio["chunk_size"] = c.audio.chunk_size;
    audio["dim_f"] = c.audio.dim_f;
    audio["dim_t"] = c.audio.dim_t;
    audio["hop_length"] = c.audio.hop_length;
    audio["n_fft"] = c.audio.n_fft;
    audio["num_channels"] = c.audio.num_channels;
    audio["sample_rate"] = c.audio.sample_rate;
    model["act"] = c.model.act;
    model["norm"] = c.model.norm;
    model["bottleneck_factor"] = c.model.bottleneck_factor;
    model["growth"] = c.model.growth;
    model["num_blocks_per_scale"] = c.model.num_blocks_per_scale;
    model["num_channels"] = c.model.num_channels;
    model["num_scales"] = c.model.num_scales;
    model["num_subbands"] = c.model.num_subbands;
    model["scale"] = c.model.scale;
    inference["batch_size"] = c.inference.batch_size;
    inference["chunk_size"] = c.inference.chunk_size;
    inference["dim_t"] = c.inference.dim_t;
    inference["num_overlap"] = c.inference.num_overlap;
    out["audio"] = audio;
    out["model"] = model;
    out["inference"] = inference;
    out["instruments"] = c.instruments;
    out["target_instrument"] = c.target_instrument;
    out["notes"] = c.notes;
    return out;
}

music::Network network_from(std::array<index, 8> const& n, std::array<index, 2> scale,
                            std::string const& norm) {
    music::Network out{n[0], n[1], n[2], n[3],  n[4],
                       n[5], n[6], n[7], scale, choice<Norm>("norm", norm)};
    // Beyond these the sizes overflow; no network comes near.
    for (index const v : n)
        if (v < 0 || v > 1 << 20)
            raise({Code::invalid_argument, "a network has numbers from 0 to 2^20"});
    if (scale[0] < 1 || scale[1] < 1 || scale[0] > 64 || scale[1] > 64 || out.scales > 16 ||
        out.blocks > 64 || out.bottleneck < 1 || out.subbands < 1)
        raise({Code::invalid_argument,
               "a network has up to 16 levels of 64 blocks, scales from 1 to 64, and a bottleneck "
               "and sub-bands from 1 on"});
    return out;
}

nb::list places_of(music::Network const& n) {
    nb::list out;
    for (music::TensorShape const& t : music::places(n))
        out.append(nb::make_tuple(t.name, nb::tuple(nb::cast(t.shape))));
    return out;
}

nb::dict score_of(music::Score const& s) {
    nb::dict out;
    nb::list stems;
    for (music::StemScore const& stem : s.stems) {
        nb::dict one;
        one["name"] = stem.name;
        one["sdr"] = stem.sdr;
        one["si_sdr"] = stem.si_sdr;
        std::vector<double> windows;
        for (music::BssEval const& w : stem.windows)
            for (double const v : {w.sdr, w.isr, w.sir, w.sar}) windows.push_back(v);
        one["windows"] = to_numpy(std::move(windows), {static_cast<index>(stem.windows.size()), 4});
        one["median"] = std::array<double, 4>{stem.median.sdr, stem.median.isr, stem.median.sir,
                                              stem.median.sar};
        stems.append(one);
    }
    out["stems"] = stems;
    out["windows"] = s.windows;
    out["silent"] = s.silent;
    return out;
}

nb::dict score(std::vector<std::string> const& names, std::vector<Dense<float, 2>> const& estimates,
               std::vector<Dense<float, 2>> const& references, int rate, bool bss, int threads,
               nb::object progress) {
    if (names.size() != estimates.size() || names.size() != references.size() || names.empty())
        raise(
            {Code::invalid_argument, "a score needs an estimate for each reference, at least one"});
    index const channels = static_cast<index>(references[0].shape(1));
    std::vector<music::StemPair> pairs;
    for (std::size_t k = 0; k < names.size(); ++k) {
        for (auto const* const a : {&estimates[k], &references[k]})
            if (a->shape(0) != references[0].shape(0) || a->shape(1) != references[0].shape(1))
                raise({Code::invalid_argument,
                       "'" + names[k] + "' has " + std::to_string(a->shape(0)) + " frames of " +
                           std::to_string(a->shape(1)) + " channels, and '" + names[0] + "' has " +
                           std::to_string(references[0].shape(0)) + " of " +
                           std::to_string(channels) +
                           "; all must have the same length and channels"});
        pairs.push_back({names[k],
                         {estimates[k].data(), estimates[k].size()},
                         {references[k].data(), references[k].size()}});
    }
    if (references[0].size() == 0)
        raise({Code::invalid_argument, "a song without a sample; give [frames, channels]"});
    if (rate < 1) raise({Code::invalid_argument, "a rate is at least 1 frame per second"});
    int const on = device_named("cpu", threads).threads();
    return score_of(work(progress, [&](Telling& telling) {
        return music::score(pairs, channels, rate,
                            {.bss = bss, .threads = on, .progress = telling.progress()});
    }));
}

nb::dict self_test(std::string const& model, std::optional<std::string> const& config,
                   std::string const& like, std::string const& sound, std::string const& device,
                   int threads, nb::object progress) {
    music::SelfTestOptions o{model, config, like, sound, device_named(device, threads), {}};
    music::SelfTest const t = work(progress, [&](Telling& telling) {
        o.progress = [&](std::string_view step) { return telling.step(step); };
        return music::self_test(o);
    });
    nb::dict out;
    out["model"] = t.model;
    out["device"] = t.device;
    out["threads"] = t.threads;
    out["multiplies_bf16"] = t.multiplies_bf16;
    out["capabilities"] = t.capabilities;
    nb::list twins, wholes;
    for (music::SelfTest::Twin const& twin : t.twins) {
        nb::dict one;
        one["precision"] = twin.precision;
        one["must_db"] = twin.must_db;
        nb::list stages;
        for (music::SelfTest::Stage const& s : twin.stages) {
            nb::dict stage;
            stage["name"] = s.name;
            stage["snr_db"] = s.snr_db;
            stage["largest"] = s.largest;
            stage["rms"] = s.rms;
            stages.append(stage);
        }
        one["stages"] = stages;
        one["good"] = twin.good();
        twins.append(one);
    }
    for (music::SelfTest::Whole const& w : t.wholes) {
        nb::dict one;
        one["precision"] = w.precision;
        one["load_s"] = w.load_s;
        one["first_s"] = w.first_s;
        one["second_s"] = w.second_s;
        one["snr_db"] = w.snr_db;
        one["planned_bytes"] = w.planned_bytes;
        one["before_bytes"] = w.before_bytes;
        one["after_bytes"] = w.after_bytes;
        one["repeats"] = w.repeats;
        one["convolutions"] = w.convolutions;
        wholes.append(one);
    }
    out["twins"] = twins;
    out["wholes"] = wholes;
    out["notes"] = t.notes;
    out["good"] = t.good();
    return out;
}

nb::dict inspect(std::string const& model, std::optional<std::string> const& config,
                 std::vector<std::string> const& assumed) {
    return dict_of(
        work(nb::none(), [&](Telling&) { return music::inspect(model, config, assumed); }));
}

nb::dict convert(std::string const& model, std::optional<std::string> const& config,
                 std::string const& out, bool force, std::string const& type, nb::object progress) {
    auto const as = choice<music::WeightType>("type", type);
    return dict_of(work(progress, [&](Telling& telling) {
        return music::convert(model, config, out, force, as, telling.progress());
    }));
}

nb::dict synthesize(ModelConfig const& config, std::uint64_t seed, std::string const& out,
                    bool force, nb::object progress) {
    return dict_of(work(progress, [&](Telling& telling) {
        return music::synthesize(config, seed, out, force, telling.progress());
    }));
}

}  // namespace

nb::dict dict_of(music::Network const& n) {
    nb::dict out;
    out["channels"] = n.channels;
    out["growth"] = n.growth;
    out["scales"] = n.scales;
    out["blocks"] = n.blocks;
    out["bottleneck"] = n.bottleneck;
    out["subbands"] = n.subbands;
    out["bins"] = n.bins;
    out["stems"] = n.stems;
    out["scale"] = nb::tuple(nb::cast(n.scale));
    out["norm"] = name_of_choice(n.norm);
    return out;
}

nb::dict dict_of(music::Inspection const& i) {
    nb::dict out;
    out["container"] = i.container;
    out["file_bytes"] = i.file_bytes;
    out["tensors"] = i.tensors;
    out["parameters"] = i.parameters;
    out["weight_numbers"] = i.weight_numbers;
    out["element_types"] = i.element_types;
    out["network"] = dict_of(i.network);
    nb::dict facts;
    for (music::Fact const& f : i.facts) {
        nb::object const value =
            std::visit([](auto const& v) -> nb::object { return nb::cast(v); }, f.value);
        facts[f.name.c_str()] = nb::make_tuple(value, std::string(name_of(f.origin)));
    }
    out["facts"] = facts;
    out["stems"] = i.stems;
    out["stems_origin"] = std::string(name_of(i.stems_origin));
    out["sample_rate"] = i.sample_rate;
    nb::list chunks;
    for (music::Chunk const& c : i.chunks) {
        nb::dict chunk;
        chunk["rule"] = c.rule;
        chunk["samples"] = c.samples;
        chunk["frames"] = c.frames;
        chunk["macs"] = c.cost.macs;
        chunk["elements"] = c.cost.elements;
        chunks.append(chunk);
    }
    out["chunks"] = chunks;
    out["notes"] = i.notes;
    return out;
}

void add_music(nb::module_& m) {
    nb::class_<ModelConfig>(m, "MusicConfig").def_prop_ro("fields", fields_of);
    m.def("music_parse_config", [](std::string const& text, std::string const& name) {
        return unwrap(music::parse_config(text, name));
    });
    m.def("music_read_config",
          [](std::string const& path) { return unwrap(music::read_config(path)); });
    m.def("music_yaml_of", [](ModelConfig const& c) { return music::yaml_of(c); });
    m.def("music_published_configs", [] { return music::published_configs(); });
    m.def("music_published_config",
          [](std::string const& name) { return unwrap(music::published_config(name)); });
    m.def("music_inspect", inspect, "model"_a, "config"_a.none(), "assumed"_a);
    m.def("music_convert", convert, "model"_a, "config"_a.none(), "out"_a, "force"_a, "type"_a,
          "progress"_a.none());
    m.def("music_synthesize", synthesize, "config"_a, "seed"_a, "out"_a, "force"_a,
          "progress"_a.none());
    m.def("music_network_of", [](ModelConfig const& c) {
        return dict_of(unwrap(music::network_of(c, "the configuration")));
    });
    m.def("music_places",
          [](std::array<index, 8> const& n, std::array<index, 2> scale, std::string const& norm) {
              return places_of(network_from(n, scale, norm));
          });
    m.def("music_cost_of", [](std::array<index, 8> const& n, std::array<index, 2> scale,
                              std::string const& norm, index frames) {
        music::Cost const c = music::cost_of(network_from(n, scale, norm), frames);
        return nb::make_tuple(c.macs, c.elements);
    });
    m.def("music_score", score, "names"_a, "estimates"_a, "references"_a, "rate"_a, "bss"_a,
          "threads"_a, "progress"_a.none());
    m.def("music_self_test", self_test, "model"_a, "config"_a.none(), "like"_a, "sound"_a,
          "device"_a, "threads"_a, "progress"_a.none());
    add_music_separate(m);
}

}  // namespace sluice::python
