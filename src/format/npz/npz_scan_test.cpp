// NumPy's archives made here: which array is the scan, where it lies, and damage.
// SPDX-License-Identifier: Apache-2.0
#include "format/npz/npz_scan.h"

#include "format/raw/test_flat.h"

namespace sluice {
namespace {

using Npz = FormatFolder;

std::string npy(std::string const& shape, std::string const& kind, std::string const& data) {
    std::string header =
        "{'descr': '" + kind + "', 'fortran_order': False, 'shape': " + shape + ", }";
    header.resize(117, ' ');
    header += '\n';
    Made out;
    out.raw(std::string("\x93NUMPY\1\0", 8)).le(static_cast<std::uint16_t>(header.size()));
    return out.raw(header).raw(data).text();
}

struct Member {
    std::string name, bytes;
};

// Members that are stored as they are.
std::string zip(std::vector<Member> const& members) {
    Made out, directory;
    for (Member const& m : members) {
        auto const size = static_cast<std::uint32_t>(m.bytes.size());
        auto const name = static_cast<std::uint16_t>(m.name.size());
        auto const at = static_cast<std::uint32_t>(out.text().size());
        Made both;  // what both headers have
        both.le(std::uint16_t(20)).le(std::uint16_t(0)).le(std::uint16_t(0)).le(std::uint32_t(0));
        both.le(std::uint32_t(0)).le(size).le(size).le(name).le(std::uint16_t(0));
        out.raw("PK\3\4").raw(both.text()).raw(m.name).raw(m.bytes);
        directory.raw("PK\1\2").le(std::uint16_t(20)).raw(both.text());
        directory.le(std::uint16_t(0)).le(std::uint16_t(0)).le(std::uint16_t(0));
        directory.le(std::uint32_t(0)).le(at).raw(m.name);
    }
    auto const at = static_cast<std::uint32_t>(out.text().size());
    auto const count = static_cast<std::uint16_t>(members.size());
    out.raw(directory.text()).raw("PK\5\6").le(std::uint32_t(0)).le(count).le(count);
    out.le(static_cast<std::uint32_t>(directory.text().size())).le(at).le(std::uint16_t(0));
    return out.text();
}

std::string numbers(int count) {
    Made out;
    for (int i = 0; i < count; ++i) out.le(static_cast<std::uint16_t>(i));
    return out.text();
}

TEST_F(Npz, the_array_of_frames_opens) {
    auto const d = open(write("a.npz", zip({{"note.npy", npy("()", "<U4", "text")},
                                            {"frames.npy", npy("(2, 3, 2, 2)", "<u2", numbers(24))},
                                            {"line.npy", npy("(24,)", "<u2", numbers(24))}})));
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->format, "npz");
    EXPECT_EQ(d->scan, (std::array<index, 2>{2, 3}));
    auto const v = values_of<std::uint16_t>(*d, 4);
    ASSERT_EQ(v.size(), 24u);
    for (std::size_t i = 0; i < v.size(); ++i) EXPECT_EQ(v[i], i);
}

TEST_F(Npz, of_several_one_is_named) {
    std::string const path = write("a.npz", zip({{"a.npy", npy("(2, 3, 2, 2)", "<u2", numbers(24))},
                                                 {"b.npy", npy("(4, 2, 3)", ">i2", numbers(24))}}));
    auto d = open(path);
    ASSERT_FALSE(d);
    EXPECT_NE(d.error().message.find("--dataset"), std::string::npos);
    d = open(path, {.format = {Hdf5Options{.dataset = "b"}}});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->scan, (std::array<index, 2>{2, 2}));
    EXPECT_EQ(values_of<float>(*d)[1], 256);
    EXPECT_FALSE(open(path, {.format = {Hdf5Options{.dataset = "c"}}}));
}

TEST_F(Npz, no_truncation_and_no_shape_that_lies) {
    std::string const whole = zip({{"a.npy", npy("(2, 3, 2, 2)", "<u2", numbers(24))}});
    std::string const path = write("a.npz", whole);
    ASSERT_TRUE(open(path));
    refuses_every_truncation(path, whole, 5);
    auto const d = open(write("b.npz", zip({{"a.npy", npy("(2, 3, 2, 9)", "<u2", numbers(24))}})));
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::truncated);
}

}  // namespace
}  // namespace sluice
