// Files of weights: what PyTorch wrote, what was made for it, and what wants to do harm.
// SPDX-License-Identifier: Apache-2.0
#include "format/weights/weights.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/file.h"
#include "format/weights/test_checkpoint.h"
#include "format/weights/writer.h"
#include "test_data.h"

namespace sluice::weights {
namespace {

template <class T>
std::vector<T> numbers(Weights const& w, std::string_view name) {
    Tensor const* const t = w.find(name);
    if (!t) return {};
    auto const bytes = read_tensor(w, *t).value();
    std::vector<T> out(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
    return out;
}

std::string message(std::string const& bytes) {
    auto const w = read_weights(source_of(bytes));
    return w ? std::string() : w.error().text();
}

std::string floats(int count) {
    std::string out;
    for (int i = 0; i < count; ++i) {
        auto const f = static_cast<float>(i);
        std::uint32_t bits = 0;
        std::memcpy(&bits, &f, 4);
        out += le(bits, 4);
    }
    return out;
}

/// A dictionary with one entry.
std::string dict(PickleText const& value) {
    return PickleText().raw("}(").text("a").raw(value.out.substr(2)).raw("u").end();
}

std::string with(PickleText const& tensor, int held = 6) {
    return checkpoint_of(dict(tensor), {floats(held)});
}

void expect_torch(std::string const& file, Container container) {
    auto const w = open_weights(std::string(SLUICE_TEST_DATA "/weights/") + file);
    ASSERT_TRUE(w) << w.error().text();
    EXPECT_EQ(w->container, container);
    ASSERT_EQ(w->tensors.size(), 11u);
    EXPECT_EQ(numbers<float>(*w, "whole"), (std::vector<float>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(w->find("turned")->shape, (std::vector<index>{3, 2}));
    EXPECT_EQ(numbers<float>(*w, "turned"), (std::vector<float>{0, 3, 1, 4, 2, 5}));
    EXPECT_EQ(numbers<float>(*w, "part"), (std::vector<float>{3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(numbers<float>(*w, "shared"), (std::vector<float>{6, 7, 8, 9, 10, 11}));
    EXPECT_EQ(numbers<std::uint16_t>(*w, "bf16"),
              (std::vector<std::uint16_t>{0x3f80, 0xc000, 0x3f00}));
    EXPECT_EQ(w->find("bf16")->element, Element::bf16);
    EXPECT_EQ(numbers<std::uint16_t>(*w, "half"), (std::vector<std::uint16_t>{0x3c00, 0xc000}));
    EXPECT_EQ(w->find("half")->element, Element::f16);
    EXPECT_EQ(numbers<std::int64_t>(*w, "scalar"), (std::vector<std::int64_t>{7}));
    EXPECT_TRUE(w->find("scalar")->shape.empty());
    EXPECT_EQ(numbers<float>(*w, "parameter"), (std::vector<float>{1, 1, 1, 1}));
    EXPECT_EQ(numbers<double>(*w, "double"), (std::vector<double>{0.1}));
    EXPECT_EQ(numbers<std::uint8_t>(*w, "bool"), (std::vector<std::uint8_t>{1, 0}));
    EXPECT_EQ(w->find("empty")->shape, (std::vector<index>{0, 3}));
    EXPECT_TRUE(numbers<float>(*w, "empty").empty());
}

TEST(Weights, AreThoseThatTorchSaved) {
    expect_torch("torch_2_15.pt", Container::torch_zip);
}

TEST(Weights, AreThoseOfOldFiles) {
    expect_torch("torch_legacy.pt", Container::torch_legacy);
    auto const w = open_weights(SLUICE_TEST_DATA "/weights/torch_legacy.pt");
    EXPECT_EQ(w->notes, (std::vector<std::string>{"the tensors are those of 'state_dict'",
                                                  "all names began with 'module.'"}));
}

TEST(Weights, AreFoundInArchivesOf64Bits) {
    for (bool const zip64 : {false, true}) {
        auto const w = read_weights(source_of(checkpoint_of(
            dict(PickleText().tensor("0", 6, 1, {2, 2}, {1, 2})), {floats(6)}, zip64)));
        ASSERT_TRUE(w) << w.error().text();
        EXPECT_EQ(w->tensors[0].at % 64, 4u);
        EXPECT_EQ(numbers<float>(*w, "a"), (std::vector<float>{1, 3, 2, 4}));
    }
}

TEST(Weights, AreUnwrapped) {
    std::string const tensor = PickleText().tensor("0", 2, 0, {2}, {1}).out.substr(2);
    auto const w = read_weights(source_of(checkpoint_of(PickleText()
                                                            .raw("}")
                                                            .text("model")
                                                            .raw("}")
                                                            .text("state_dict")
                                                            .raw("}")
                                                            .text("_orig_mod.module.a")
                                                            .raw(tensor + "s")
                                                            .text("epoch")
                                                            .number(3)
                                                            .raw("sss")
                                                            .end(),
                                                        {floats(2)})));
    ASSERT_TRUE(w) << w.error().text();
    EXPECT_EQ(w->tensors[0].name, "a");
    EXPECT_EQ(w->notes.size(), 5u);
    EXPECT_NE(
        message(checkpoint_of(PickleText().raw("}").text("epoch").number(3).raw("s").end(), {}))
            .find("it has 'epoch'"),
        std::string::npos);
}

/// A checkpoint of these entries, each one tensor of two numbers, or raw bytes of a pickle.
std::string entries(std::vector<std::pair<std::string, std::string>> const& all) {
    PickleText pickle;
    pickle.raw("}(");
    for (auto const& [name, value] : all)
        pickle.text(name).raw(value.empty() ? PickleText().tensor("0", 2, 0, {2}, {1}).out.substr(2)
                                            : value);
    return checkpoint_of(pickle.raw("u").end(), {floats(2)});
}

std::vector<std::string> names(Weights const& w) {
    std::vector<std::string> out;
    for (Tensor const& t : w.tensors) out.push_back(t.name);
    return out;
}

// As torch.save writes them beside the weights of a training.
TEST(Weights, AreReadBesideWhatTrainersKeep) {
    PickleText scalar;
    scalar.name("numpy._core.multiarray", "scalar").raw("(").name("numpy", "dtype").raw("(");
    scalar.text("f8").raw("\x89\x88tR(").number(3).text("<").raw("NNN").number(-1).number(-1);
    scalar.number(0).raw("tb").name("_codecs", "encode").raw("(").text("12345678").text("latin1");
    scalar.raw("tRtR");
    PickleText settings;
    settings.name("argparse", "Namespace").raw(")\x81}(").text("lr").number(1).raw("ub");
    PickleText counts;
    counts.name("collections", "defaultdict").name("builtins", "int").raw("\x85R");
    counts.text("a").number(3).raw("s");
    PickleText path;
    path.name("pathlib", "PosixPath").raw("(").text("home").raw("tR");
    auto const w = read_weights(source_of(entries({{"a", ""},
                                                   {"best", scalar.out.substr(2)},
                                                   {"args", settings.out.substr(2)},
                                                   {"counts", counts.out.substr(2)},
                                                   {"path", path.out.substr(2)}})));
    ASSERT_TRUE(w) << w.error().text();
    EXPECT_EQ(names(*w), std::vector<std::string>{"a"});
    ASSERT_EQ(w->notes.size(), 2u);
    EXPECT_EQ(w->notes[0], "4 entries that are not tensors were left out");
    for (char const* const name : {"numpy._core.multiarray.scalar", "argparse.Namespace",
                                   "collections.defaultdict", "pathlib.PosixPath"})
        EXPECT_NE(w->notes[1].find(name), std::string::npos) << w->notes[1];
    EXPECT_NE(w->notes[1].find("were not made and not used"), std::string::npos);
}

TEST(Weights, OfATrainingAreTakenOnce) {
    using Names = std::vector<std::string>;
    std::string const one = PickleText().tensor("0", 2, 0, {}, {}).out.substr(2);
    struct Case {
        Names given, kept;
        char const* note;
    };
    for (Case const& c : {
             Case{{"ema_model.a", "ema_model.b"},
                  {"a", "b"},
                  "the weights are averages over the training (EMA), 'ema_model.'"},
             Case{{"a", "b", "ema_model.a", "ema_model.b"},
                  {"a", "b"},
                  "(EMA), 'ema_model.', were not used"},
             Case{{"model.a", "model.b", "model_ema.a", "model_ema.b", "model_ema.decay"},
                  {"a", "b"},
                  "(EMA), 'model_ema.', were not used"},
             Case{{"online_model.a", "online_model.b", "ema_model.a", "ema_model.b", "step",
                   "initted"},
                  {"a", "b"},
                  "'ema_model.'; those of 'online_model.' were not used"},
             Case{{"n_averaged", "module.a", "module.b"}, {"a", "b"}, "as 'n_averaged'"},
             Case{{"a", "a.total_ops", "a.total_params"}, {"a"}, "2 counters of training"},
             Case{{"model.a", "model.b", "stft.window"},
                  {"a", "b", "stft.window"},
                  "most names began with 'model.'"},
             // Two would get one name.
             Case{{"model.a", "model.b", "a"}, {"model.a", "model.b", "a"}, ""},
         }) {
        std::vector<std::pair<std::string, std::string>> all;
        for (std::string const& name : c.given) {
            bool const number = name.find("total") != name.npos || name == "n_averaged" ||
                                name == "step" || name == "initted" || name.ends_with("decay");
            all.emplace_back(name, number ? one : "");
        }
        auto const w = read_weights(source_of(entries(all)));
        ASSERT_TRUE(w) << w.error().text();
        EXPECT_EQ(names(*w), c.kept) << c.note;
        std::string notes;
        for (std::string const& n : w->notes) notes += n + "\n";
        EXPECT_NE(notes.find(c.note), std::string::npos) << notes;
    }
}

TEST(Weights, BesideThemAreTold) {
    std::string const inner = "}" + PickleText().text("a").out.substr(2) +
                              PickleText().tensor("0", 2, 0, {2}, {1}).out.substr(2) + "s";
    auto const w =
        read_weights(source_of(entries({{"ema_state_dict", inner}, {"model_state_dict", inner}})));
    ASSERT_TRUE(w) << w.error().text();
    EXPECT_EQ(w->notes,
              (std::vector<std::string>{"the tensors are those of 'model_state_dict'",
                                        "the tensors of 'ema_state_dict' were not used"}));
}

TEST(Weights, OfSafetensors) {
    auto const w = read_weights(source_of(safetensors_of(
        R"({"__metadata__":{"k":"v"},"b":{"dtype":"BF16","shape":[2],"data_offsets":[4,8]},)"
        R"("a":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}})",
        floats(2))));
    ASSERT_TRUE(w) << w.error().text();
    EXPECT_EQ(w->metadata.at("k"), "v");
    EXPECT_EQ(numbers<float>(*w, "a"), (std::vector<float>{0}));
    EXPECT_EQ(numbers<std::uint16_t>(*w, "b"), (std::vector<std::uint16_t>{0, 0x3f80}));
}

TEST(Weights, AreWrittenAsTheyAre) {
    auto const w = open_weights(SLUICE_TEST_DATA "/weights/torch_legacy.pt").value();
    std::string const path = testing::TempDir() + "/sluice_written.safetensors";
    ASSERT_TRUE(write_safetensors(path, w, {{"key", "value\n"}}));
    auto const written = open_weights(path);
    ASSERT_TRUE(written) << written.error().text();
    EXPECT_EQ(written->metadata.at("key"), "value\n");
    ASSERT_EQ(written->tensors.size(), w.tensors.size());
    for (std::size_t i = 0; i < w.tensors.size(); ++i) {
        EXPECT_EQ(written->tensors[i].name, w.tensors[i].name);
        EXPECT_EQ(written->tensors[i].shape, w.tensors[i].shape);
        EXPECT_EQ(written->tensors[i].element, w.tensors[i].element);
        EXPECT_EQ(read_tensor(*written, written->tensors[i]).value(),
                  read_tensor(w, w.tensors[i]).value());
    }
}

TEST(Weights, OfDamagedSafetensorsAreExplained) {
    auto const one = [](std::string const& entry, int held = 1) {
        return message(safetensors_of("{\"a\":" + entry + "}", floats(held)));
    };
    struct Case {
        std::string message;
        char const* part;
    };
    std::string const good = R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})";
    for (Case const& c : {
             Case{one(good, 2), "the tensors have 4 bytes and the file 8"},
             Case{one(good, 0), "the tensors have 4 bytes and the file 0"},
             Case{one(R"({"dtype":"F32","shape":[1],"data_offsets":[4,8]})", 2),
                  "begins at byte 4"},
             Case{one(R"({"dtype":"F32","shape":[2],"data_offsets":[0,4]})"),
                  "does not have 8 bytes"},
             Case{one(R"({"dtype":"F32","shape":[-1],"data_offsets":[0,4]})"), "no shape for 'a'"},
             Case{one(R"({"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,4]})"),
                  "does not have"},
             Case{one(R"({"dtype":"F4","shape":[1],"data_offsets":[0,4]})"), "type 'F4'"},
             Case{one("3"), "is not a dictionary"},
             Case{message(safetensors_of("{oh", "")), "not a JSON object"},
             Case{message(le(1000, 8) + "{}"), "a header of 1000 bytes"},
             Case{message(safetensors_of(
                      R"({"a":)" + good +
                          R"(,"b":{"dtype":"F32","shape":[1],"data_offsets":[2,6]}})",
                      floats(2))),
                  "begins at byte 2"},
             Case{message(safetensors_of("{\"a\\n\":" + good + "}", floats(1))),
                  "not a printable name"},
             Case{message(safetensors_of("{\"a\":" + good + ",\"a\":" + good + "}", floats(1))),
                  "'a' is there twice"},
             Case{one(R"({"dtype":"F32","shape":[2],"shape":[1],"data_offsets":[0,4]})"),
                  "'shape' is there twice"},
         })
        EXPECT_NE(c.message.find(c.part), std::string::npos) << c.part << "\n" << c.message;
}

TEST(Weights, OfHostilePicklesAreRefused) {
    PickleText const none;
    std::string const memo_of_memo = PickleText().raw("]q" + le(0, 1) + "h" + le(0, 1) + "a").end();
    struct Case {
        std::string bytes;
        char const* part;
    };
    for (Case const& c : {
             Case{with(PickleText().name("os", "system").raw("(").text("id").raw("tR")),
                  "asks for 'os.system' (only the parts of tensors are read"},
             Case{with(PickleText().text("posix").text("system").raw("\x93")), "'posix.system'"},
             Case{with(PickleText().name("torch", "load")), "'torch.load'"},
             Case{with(PickleText().name("a\x1b[2J", "b")), "'a?[2J.b'"},
             Case{with(PickleText().raw("(i")), "opcode 0x69"},
             Case{with(PickleText().raw("\x81")), "where there is none"},
             Case{with(PickleText().name("torch", "FloatStorage").raw(")\x81")),
                  "makes an object (nothing is ever run)"},
             Case{with(PickleText().name("numpy", "load")), "'numpy.load'"},
             Case{with(PickleText().name("pathlibs", "Path")), "'pathlibs.Path'"},
             Case{with(PickleText().name("demucs.htdemucs", "HTDemucs")),
                  "the checkpoint is of HTDemucs: it asks for 'demucs.htdemucs.HTDemucs'"},
             Case{with(PickleText().name("torch", "FloatStorage").raw(")R")), "only says a type"},
             Case{with(PickleText().number(3).raw(")R")), "calls a value that is not a name"},
             Case{with(PickleText().raw("R")), "where there is none"},
             Case{with(PickleText().raw("h\x07")), "which it never kept"},
             Case{with(PickleText().raw("X" + le(0xffffffff, 4))), "ends within a value"},
             Case{with(PickleText().raw("\x8d" + le(~0ull, 8))), "ends within a value"},
             Case{with(PickleText().tensor("0", 6, 0, {7}, {1})), "goes beyond its storage of 6"},
             Case{with(PickleText().tensor("0", 6, 3, {2, 2}, {2, 1})), "goes beyond its storage"},
             Case{with(PickleText().tensor("0", 6, 0, {-1}, {1})), "numbers from 0 on"},
             Case{with(PickleText().tensor("0", 6, 0, {2}, {-1})), "numbers from 0 on"},
             Case{with(PickleText().tensor("0", 6, -1, {2}, {1})), "without storage, offset"},
             Case{with(PickleText().tensor("0", 6, 0, {3, 1ll << 62}, {0, 1ll << 62})),
                  "goes beyond"},
             Case{with(PickleText().tensor("0", 6, 0, {1ll << 62, 4, 0}, {0, 0, 0})),
                  "goes beyond"},
             Case{with(PickleText().tensor("0", 6, 0, {1 << 30}, {0})), "repeats the 6 numbers"},
             Case{with(PickleText().tensor("0", 6, 0, {2, 2}, {1})), "more or less strides"},
             Case{with(PickleText().tensor("0", 1ll << 62, 0, {2}, {1})), "a storage of"},
             Case{with(PickleText().tensor("0", 7, 0, {2}, {1})), "24 bytes where 28 are needed"},
             Case{with(PickleText().tensor("1", 6, 0, {2}, {1})), "'m/data/1' is not in"},
             Case{checkpoint_of(memo_of_memo, {}), "not a dictionary of tensors"},
             Case{checkpoint_of("\x80\x02" + std::string(5'000'000, 'N') + ".", {}),
                  "more than 4000000 values"},
             Case{checkpoint_of(std::string(17 << 20, 'N'), {}), "at most 16 MiB are read"},
             Case{checkpoint_of("\x80\x07N.", {}), "protocol 7"},
         })
        EXPECT_NE(message(c.bytes).find(c.part), std::string::npos) << c.part << "\n"
                                                                    << message(c.bytes);
    // A call makes nothing large out of little, however often it is repeated.
    std::string bomb =
        "(" + std::string(100'000, 'N') + "tq" + le(0, 1) + "c" + "torch\nSize\nq" + le(1, 1);
    for (int i = 0; i < 500'000; ++i) bomb += "h\x01h" + std::string(1, '\0') + "R";
    EXPECT_NE(message(checkpoint_of("\x80\x02" + bomb + ".", {})).find("more or less than one"),
              std::string::npos);
}

TEST(Weights, OfDamagedArchivesAreExplained) {
    std::string const whole = with(PickleText().tensor("0", 6, 0, {6}, {1}));
    ASSERT_EQ(message(whole), "");
    for (std::size_t size = 0; size < whole.size(); ++size) {
        auto const text = message(whole.substr(0, size));
        ASSERT_NE(text, "") << size;
        ASSERT_EQ(text.find("model.ckpt"), 0u) << text;
    }
    auto changed = [&](std::size_t at, char to) {
        std::string out = whole;
        out.at(at) = to;
        return message(out);
    };
    std::size_t const entry = whole.find("PK\x01\x02");
    EXPECT_NE(changed(entry + 10, 8).find("'m/data.pkl' is compressed"), std::string::npos);
    EXPECT_NE(changed(entry + 8, 1).find("is encrypted"), std::string::npos);
    EXPECT_NE(changed(entry + 24, 3).find("two sizes"), std::string::npos);
    EXPECT_NE(changed(30, 'x').find("another name"), std::string::npos);
    EXPECT_NE(changed(entry + 42, 9).find("no local header"), std::string::npos);
    EXPECT_NE(message(zip_of({{"x", "y"}})).find("no data.pkl"), std::string::npos);
    EXPECT_NE(message(zip_of({{"m/data.pkl", "."}, {"m/data.pkl", "."}})).find("twice"),
              std::string::npos);
    EXPECT_NE(message(zip_of({{"m/data.pkl", "."}, {"m/byteorder", "big"}})).find("big-endian"),
              std::string::npos);
}

TEST(Weights, ThatChangedOnTheirWayAreRefused) {
    auto const file = read_file(SLUICE_TEST_DATA "/weights/torch_2_15.pt", 1 << 20).value();
    std::string const good(reinterpret_cast<char const*>(file.data()), file.size());
    auto const w = read_weights(source_of(good)).value();
    for (char const* const name : {"scalar", "double", "parameter"}) {
        std::string bad = good;
        bad[w.find(name)->at] ^= 4;
        auto const changed = read_weights(source_of(bad)).value();
        auto const read = read_tensor(changed, *changed.find(name));
        ASSERT_FALSE(read) << name;
        EXPECT_EQ(read.error().at, w.find(name)->at);
        EXPECT_NE(read.error().message.find("is not what was written"), std::string::npos);
    }
    // A name in the pickle.
    std::string bad = good;
    bad[good.find("parameter")] ^= 1;
    EXPECT_NE(message(bad).find("data.pkl' is not what was written"), std::string::npos);
    // No checksum, as PyTorch writes it where it was told so.
    std::string const unknown = with(PickleText().tensor("0", 6, 0, {6}, {1}));
    EXPECT_EQ(numbers<float>(read_weights(source_of(unknown)).value(), "a").size(), 6u);
}

TEST(Weights, OfOtherFilesAreRefused) {
    EXPECT_NE(message("").find("neither a checkpoint"), std::string::npos);
    EXPECT_NE(message("version https://git-lfs.github.com/spec/v1").find("git lfs pull"),
              std::string::npos);
    EXPECT_NE(message("GGUF....").find("GGUF files"), std::string::npos);
    EXPECT_NE(message(std::string("\x08\x07\x12\x07pytorch", 11)).find("as ONNX"),
              std::string::npos);
    EXPECT_NE(message("\x80\x04.").find("torch.save did not write"), std::string::npos);
    EXPECT_FALSE(open_weights("/there/is/none.ckpt"));
}

}  // namespace
}  // namespace sluice::weights
