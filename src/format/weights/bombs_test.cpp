// Small files that would take long or much memory if each of their words were believed.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "format/weights/test_checkpoint.h"
#include "format/weights/weights.h"

namespace sluice::weights {
namespace {

std::string message(std::string const& bytes) {
    auto const w = read_weights(source_of(bytes));
    return w ? std::string() : w.error().text();
}

void expect(std::string const& bytes, char const* part) {
    std::string const text = message(bytes);
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

std::string repeated(std::string const& text, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += text;
    return out;
}

PickleText numbers(std::string const& key = "0") {
    return PickleText().tensor(key, 1, 0, {1}, {1});
}

// Four bytes of a pickle make an entry of a dictionary, with a name that is kept once.
TEST(WeightsBombs, OneTensorIsNotManyEntries) {
    std::string const tensor = numbers().out.substr(2), name = std::string("q\0", 2);
    std::string const pairs = repeated(std::string("h\0h\1", 4), 150'000);
    expect(checkpoint_of(
               PickleText().raw("}(").text("a").raw(name + tensor + "q\1" + pairs + "u").end(),
               {le(0, 4)}),
           "more than 100000 tensors");
}

TEST(WeightsBombs, ANameIsNotAllPrefixes) {
    std::string const tensor = numbers().out.substr(2);
    expect(checkpoint_of(
               PickleText().raw("}").text(repeated("model.", 100) + "a").raw(tensor + "s").end(),
               {le(0, 4)}),
           "at most 512 bytes");
}

// Each use of a storage looks for its key.
TEST(WeightsBombs, AKeyOfAStorageIsShort) {
    std::string const key(100, '7');
    expect(zip_of({{"m/data.pkl",
                    PickleText().raw("}").text("a").raw(numbers(key).out.substr(2) + "s").end()},
                   {"m/data/" + key, le(0, 4)}}),
           "a storage whose key has 100 bytes");
}

TEST(WeightsBombs, WhatIsKeptIsBounded) {
    expect(checkpoint_of(PickleText().raw("N" + std::string(5'000'000, '\x94')).end(), {}),
           "more than 4000000 values");
}

TEST(WeightsBombs, AHeaderOfManyNamesIsReadOnce) {
    std::string header = "{";
    for (int i = 0; i < 150'000; ++i) header += "\"" + std::to_string(i) + "\":0,";
    expect(safetensors_of(header + "\"a\":0}", ""), "more than 100000 tensors");
    expect(safetensors_of(
               "{\"a\":" + std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}", ""),
           "more levels");
}

}  // namespace
}  // namespace sluice::weights
