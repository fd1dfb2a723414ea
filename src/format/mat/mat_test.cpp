// MAT files, made here byte by byte as MATLAB's description of the format has them.
// SPDX-License-Identifier: Apache-2.0
#include "format/mat/mat.h"

#include <gtest/gtest.h>

#include <functional>

#include "format/mat/test_mat.h"

namespace sluice::mat {
namespace {

Value read(std::string const& file) {
    return read_variable(std::as_bytes(std::span(file)), "machine", "f.mat").value();
}
std::string problem(std::string const& file, std::string_view name = "machine") {
    auto const v = read_variable(std::as_bytes(std::span(file)), name, "f.mat");
    return v ? "none" : v.error().text();
}
void expect_has(std::string const& text, std::string_view part) {
    EXPECT_NE(text.find(part), std::string::npos) << text << "\nhas no: " << part;
}

TEST(Mat, ReadsAllThatBaseDataHave) {
    for (bool const big : {false, true})
        for (bool const packed : {false, true}) {
            MatBytes const b(big);
            std::string const inner =
                b.structure("machine", {1, 2}, {"name", "sigma", "foci"},
                            {b.text("", "generic"), b.numbers("", {2, 3}, {1, 2, 3, 4, 5, 6}),
                             b.cells("", {1, 1}, {b.numbers("", {1, 1}, {7})}), b.text("", "other"),
                             b.numbers("", {0, 0}, {}), b.unset()});
            Value const v = read(b.file(packed ? b.packed(inner) : inner));
            EXPECT_EQ(v.name, "machine");
            EXPECT_EQ(v.kind, Kind::structures);
            ASSERT_EQ(v.count(), 2);
            EXPECT_EQ(v.field("name")->text, "generic");
            EXPECT_EQ(v.field("name", 1)->text, "other");
            EXPECT_EQ(v.field("sigma")->sides, (std::vector<index>{2, 3}));
            EXPECT_EQ(v.field("sigma")->numbers, (std::vector<double>{1, 2, 3, 4, 5, 6}));
            EXPECT_EQ(v.field("sigma", 1)->count(), 0);
            EXPECT_EQ(v.field("foci")->items.at(0).numbers, std::vector<double>{7});
            EXPECT_EQ(v.field("foci", 1)->count(), 0);
            EXPECT_EQ(v.field("none"), nullptr);
            EXPECT_EQ(v.field("name", 2), nullptr);
        }
}

TEST(Mat, NumbersMayBeStoredSmall) {
    MatBytes const b(false);
    // MATLAB stores doubles that are whole in the smallest type.
    std::string const shorts("\x0a\x00\xfe\xff", 4);
    EXPECT_EQ(read(b.file(b.raw_numbers("machine", {1, 2}, int16, shorts))).numbers,
              (std::vector<double>{10, -2}));
    EXPECT_EQ(read(b.file(b.raw_numbers("machine", {1, 2}, single,
                                        std::string("\0\0\x80\x3f\0\0\x20\xc1", 8))))
                  .numbers,
              (std::vector<double>{1, -10}));
    EXPECT_EQ(read(b.file(b.raw_numbers("machine", {1, 1}, uint8, "\xff"))).numbers,
              std::vector<double>{255});
}

TEST(Mat, TheNamesOfVariablesAreKnown) {
    MatBytes const b(false);
    std::string const one = b.numbers("first", {1, 1}, {1}),
                      two = b.numbers("machine", {1, 1}, {2});
    for (std::string const& file : {b.file(one + two), b.file(b.packed(one) + b.packed(two))}) {
        EXPECT_EQ(read(file).numbers, std::vector<double>{2});
        EXPECT_TRUE(is_mat(std::as_bytes(std::span(file))));
        EXPECT_EQ(first_variable(std::as_bytes(std::span(file))), "first");
        expect_has(problem(file, "dose"), "has no variable 'dose' (it has first, machine)");
    }
    // Also of the beginning of a long one.
    std::string const lots = b.file(b.packed(b.numbers("machine", {1, 5000}, Numbers(5000, 1.5))));
    EXPECT_EQ(first_variable(std::as_bytes(std::span(lots)).first(4096)), "machine");
    EXPECT_EQ(first_variable({}), std::nullopt);
}

TEST(Mat, DamagedFilesAreErrors) {
    MatBytes const b(false);
    std::string const inner = b.structure("machine", {1, 1}, {"a", "b"},
                                          {b.numbers("", {1, 2}, {1, 2}), b.text("", "t")});
    for (std::string const& file : {b.file(inner), b.file(b.packed(inner))}) {
        ASSERT_EQ(problem(file), "none");
        for (std::size_t n = 0; n < file.size(); ++n) {
            (void)problem(file.substr(0, n));
            std::string changed = file;
            changed[n] = static_cast<char>(~changed[n]);
            (void)problem(changed);
        }
        EXPECT_NE(problem(file.substr(0, file.size() - 1)), "none");
    }
    expect_has(problem(""), "is no MAT file of version 5");
    std::string newer = b.file(inner);
    newer.replace(0, 10, "MATLAB 7.3");
    expect_has(problem(newer), "version 7.3 (HDF5)");
    expect_has(problem(b.file("")), "has no variable 'machine' (it has none)");
    expect_has(problem(b.file(b.numbers("machine", {1, 3}, {1, 2}))), "other sides than numbers");
    expect_has(problem(b.file(b.numbers("machine", {-1, 3}, {1, 2}))), "a variable of 2 sides");
    expect_has(problem(b.file(b.numbers("machine", {2'000'000'000, 2'000'000'000}, {1, 2}))),
               "other sides than numbers");
    expect_has(problem(b.file(b.cells("machine", {1, 2'000'000'000}, {}))), "ends at part 1 of");
    // A small stream that says it is large.
    expect_has(problem(b.file(b.packed(inner, 1'000'000))), "bytes that say they are");
    expect_has(problem(b.file(b.packed(inner, 600'000'000))), "a variable of 572 MB");
    // Deeper than any, and a value that is not read.
    std::string deep = b.numbers("", {1, 1}, {1});
    for (int i = 0; i < 40; ++i) deep = b.cells(i == 39 ? "machine" : "", {1, 1}, {deep});
    expect_has(problem(b.file(deep)), "more than 16 deep");
    EXPECT_EQ(read(b.file(b.matrix(5, {1, 1}, "machine", ""))).kind, Kind::other);
}

}  // namespace
}  // namespace sluice::mat
