// Our reader of metadata beside libhdf5, on files of every version that libhdf5 writes.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/object/object.h"

#include "format/hdf5/object/test_master.h"
#include "format/hdf5/object/test_twin.h"

namespace sluice::hdf5::object {
namespace {

using namespace test;

class EveryVersion : public testing::TestWithParam<Writing> {};

/// Our errors say why; libhdf5's do not.
std::vector<std::string> without_reasons(std::vector<std::string> lines) {
    for (std::string& l : lines)
        if (auto const at = l.find(" fails"); at != l.npos) l.resize(at + 6);
    return lines;
}

TEST_P(EveryVersion, ReadsWhatLibhdf5Reads) {
    std::string const folder = fresh_folder(), path = folder + "/x.h5";
    {
        LibraryLock lock;
        Handle const other = create_file(folder + "/other.h5");
        put_number(other.id(), "/there/x", 5);
    }
    write_everything(path, GetParam(), 20);
    auto const root = Object::open_file(path);
    ASSERT_TRUE(root) << root.error().text();
    Walk ours;
    ours.object(*root, "");
    LibraryLock lock;
    Twin theirs;
    Handle const file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    Handle const group(H5Oopen(file.id(), "/", H5P_DEFAULT), H5Oclose);
    theirs.object(group.id(), "");
    auto const lines = without_reasons(ours.lines);
    ASSERT_EQ(lines.size(), theirs.lines.size());
    EXPECT_GT(lines.size(), 300u);
    for (std::size_t i = 0; i < lines.size(); ++i) ASSERT_EQ(lines[i], theirs.lines[i]);
}

TEST_P(EveryVersion, FindsEveryLinkAndAttributeByItsName) {
    std::string const path = fresh_folder() + "/x.h5";
    write_everything(path, GetParam(), 20);
    auto const root = Object::open_file(path);
    ASSERT_TRUE(root);
    for (char const* name : {"/links", "/dense links"}) {
        auto const group = root->find(name);
        ASSERT_TRUE(group && *group) << name;
        auto const links = (*group)->links();
        ASSERT_TRUE(links);
        for (Link const& link : *links) {
            auto const one = (*group)->find_link(link.name);
            ASSERT_TRUE(one && *one) << link.name;
            EXPECT_EQ((*one)->address, link.address);
            EXPECT_EQ((*one)->kind, link.kind);
        }
        EXPECT_TRUE((*group)->find("name"));
        EXPECT_FALSE(*(*group)->find("name"));
        EXPECT_FALSE(*(*group)->find_link("zzz"));
    }
    for (char const* name : {"/attributes", "/dense attributes"}) {
        auto const group = root->find(name);
        ASSERT_TRUE(group && *group) << name;
        auto const v = attribute_numbers(**group, "name 1");
        ASSERT_TRUE(v);
        EXPECT_EQ(*v, (std::vector<double>{1.5, -1}));
        EXPECT_FALSE(*attribute_named(**group, "name"));
        auto const mid = attribute_named(**group, "mid");
        ASSERT_TRUE(mid && *mid);
        EXPECT_EQ((*mid)->value.count(), 600u);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Object, EveryVersion,
    testing::Values(Writing{"earliest", H5F_LIBVER_EARLIEST, H5F_LIBVER_V18},
                    Writing{"earliest_to_latest", H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST},
                    Writing{"v18", H5F_LIBVER_V18, H5F_LIBVER_V18},
                    Writing{"v110", H5F_LIBVER_V110, H5F_LIBVER_V110},
                    Writing{"user_block", H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST, 2048},
                    Writing{"user_block_v110", H5F_LIBVER_V110, H5F_LIBVER_V110, 512},
                    Writing{"shared", H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST, 0, true},
                    Writing{"shared_v110", H5F_LIBVER_V110, H5F_LIBVER_V110, 0, true},
                    Writing{"narrow", H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST, 0, false, 4},
                    Writing{"narrow_v18", H5F_LIBVER_V18, H5F_LIBVER_V18, 0, false, 4},
                    Writing{"ordered", H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST, 0, false, 8, true},
                    Writing{"ordered_v110", H5F_LIBVER_V110, H5F_LIBVER_V110, 0, false, 8, true}),
    [](auto const& info) { return std::string(info.param.name); });

TEST(Object, AGroupOfTenThousandLinksIsReadWhole) {
    for (H5F_libver_t low : {H5F_LIBVER_EARLIEST, H5F_LIBVER_V110}) {
        std::string const path = fresh_folder() + "/x.h5";
        {
            LibraryLock lock;
            Master m(path, {"", low, H5F_LIBVER_LATEST});
            put_number(m.id(), "/numbers/0", 1);
            m.links("/many", 10000);
        }
        auto const root = Object::open_file(path);
        ASSERT_TRUE(root);
        auto const many = root->find("/many");
        ASSERT_TRUE(many && *many);
        auto const links = (*many)->links();
        ASSERT_TRUE(links) << links.error().text();
        EXPECT_EQ(links->size(), 10007u);
        EXPECT_TRUE(*root->find("/many/name 9999"));
        EXPECT_FALSE((*many)->shared_source()->budget()->spent() > (std::uint64_t{1} << 24));
        EXPECT_FALSE(links_of((*many)->source(), (*many)->header(), 100));
    }
}

TEST(Object, AFileThatIsCutSaysSo) {
    for (H5F_libver_t low : {H5F_LIBVER_EARLIEST, H5F_LIBVER_V110}) {
        std::string const path = fresh_folder() + "/x.h5";
        write_everything(path, {"", low, H5F_LIBVER_LATEST}, 1);
        auto const bytes = slurp(path);
        for (std::size_t n = 0; n < bytes.size(); n += n < 200 ? 1 : 997) {
            auto const s = Source::open(std::make_unique<HeldBytes>(Bytes(bytes).first(n)), "x.h5");
            ASSERT_FALSE(s) << n;
            EXPECT_EQ(s.error().file, "x.h5");
            EXPECT_EQ(s.error().code, n < 8 ? Code::corrupt : Code::truncated) << n;
        }
    }
}

TEST(Object, ACircleOfBlocksOrLinksEnds) {
    std::string const path = fresh_folder() + "/x.h5";
    write_everything(path, {"", H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST}, 1);
    auto const root = Object::open_file(path);
    ASSERT_TRUE(root);
    auto const ring = root->find("/links/ring a");
    ASSERT_FALSE(ring);
    EXPECT_TRUE(contains(ring.error().text(), "circle")) << ring.error().text();
    // The first message of the root's header becomes a continuation that leads to itself.
    auto bytes = slurp(path);
    auto const message = root->address() + 16;
    auto const put = [&](std::uint64_t at, std::uint64_t value, unsigned width) {
        for (unsigned i = 0; i < width; ++i, value >>= 8)
            bytes[at + i] = static_cast<std::byte>(value);
    };
    put(message, 16, 2);
    put(message + 2, 16, 2);
    put(message + 8, message, 8);
    put(message + 16, 24, 8);
    auto const source = Source::open(std::make_unique<HeldBytes>(bytes), "x.h5");
    ASSERT_TRUE(source);
    auto const damaged = Object::root_of(*source);
    ASSERT_FALSE(damaged);
    EXPECT_TRUE(contains(damaged.error().text(), "circle")) << damaged.error().text();
}

TEST(Object, CountsAreExactAndKindsAreNotMixed) {
    std::string const path = fresh_folder() + "/x.h5";
    {
        LibraryLock lock;
        Handle const f = create_file(path);
        Handle const d = make_dataset(f.id(), "/u64", {.extent = {1}, .type = H5T_STD_U64BE});
        write_all(d, H5T_NATIVE_UINT64, std::vector<std::uint64_t>{~std::uint64_t{0} - 1});
        put_number(f.id(), "/negative", -1);
        put_number(f.id(), "/huge", 1e30);
        put_texts(f.id(), "/text", {"one"});
        Handle const yes(H5Tenum_create(H5T_STD_I8LE), H5Tclose);
        std::int8_t value = 0;
        H5Tenum_insert(yes.id(), "FALSE", &value);
        value = 1;
        H5Tenum_insert(yes.id(), "TRUE", &value);
        Handle const e = make_dataset(f.id(), "/yes", {.extent = {1}, .type = yes.id()});
        write_all(e, yes.id(), std::vector<std::int8_t>{1});
    }
    auto const root = Object::open_file(path);
    ASSERT_TRUE(root);
    EXPECT_EQ(*read_count(*root, "/u64"), ~std::uint64_t{0} - 1);
    EXPECT_EQ(*read_count(*root, "/negative"), std::nullopt);
    EXPECT_EQ(*read_count(*root, "/huge"), std::nullopt);
    EXPECT_EQ(*read_number(*root, "/huge"), 1e30);
    EXPECT_EQ(*read_number(*root, "/text"), std::nullopt);
    EXPECT_EQ(*read_number(*root, "/none"), std::nullopt);
    EXPECT_EQ(*read_text(*root, "/u64"), std::nullopt);
    EXPECT_EQ(*read_text(*root, "/text"), "one");
    EXPECT_EQ(*read_number(*root, "/yes"), 1.0);
}

TEST(Object, ImagesAreReadExactlyOrRefused) {
    std::string const path = fresh_folder() + "/x.h5";
    auto const mask = frames<std::uint32_t>(1, 24);
    {
        LibraryLock lock;
        Handle const f = create_file(path);
        Handle const d = make_dataset(f.id(), "/mask",
                                      {.extent = {4, 6}, .chunk = {3, 4}, .type = H5T_STD_U32BE});
        write_all(d, H5T_NATIVE_UINT32, mask);
        Handle const n = make_dataset(f.id(), "/long", {.extent = {1, 2}, .type = H5T_STD_I64LE});
        write_all(n, H5T_NATIVE_INT64, std::vector<std::int64_t>{1, std::int64_t{1} << 40});
    }
    auto const root = Object::open_file(path);
    ASSERT_TRUE(root);
    auto const d = root->find("/mask"), n = root->find("/long");
    ASSERT_TRUE(d && *d && n && *n);
    auto const image = read_image(**d, 4, 6);
    ASSERT_TRUE(image && *image);
    EXPECT_EQ(**image, mask);
    EXPECT_FALSE(*read_image(**d, 6, 4));
    EXPECT_FALSE(read_image(**n, 1, 2));
}

TEST(Object, FilesThatAreOpenForWritingOrOneOfManyAreRefused) {
    std::string const folder = fresh_folder(), path = folder + "/x.h5";
    LibraryLock lock;
    Handle const access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_libver_bounds(access.id(), H5F_LIBVER_V110, H5F_LIBVER_V110);
    {
        Handle const open(
            H5Fcreate(path.c_str(), H5F_ACC_TRUNC | H5F_ACC_SWMR_WRITE, H5P_DEFAULT, access.id()),
            H5Fclose);
        H5Fflush(open.id(), H5F_SCOPE_GLOBAL);
        auto const s = Source::open(path);
        ASSERT_FALSE(s);
        EXPECT_EQ(s.error().code, Code::incomplete);
    }
    EXPECT_TRUE(Source::open(path));
    Handle const family(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fapl_family(family.id(), 1 << 20, H5P_DEFAULT);
    {
        Handle const f(
            H5Fcreate((folder + "/f%d.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, family.id()),
            H5Fclose);
    }
    auto const s = Source::open(folder + "/f0.h5");
    ASSERT_FALSE(s);
    EXPECT_EQ(s.error().code, Code::unsupported);
    EXPECT_FALSE(Source::open(folder));
    EXPECT_FALSE(Source::open(folder + "/none.h5"));
}

TEST(Object, BlockNumbersInNamesAreReplaced) {
    EXPECT_TRUE(has_block_number("f%b.h5"));
    EXPECT_FALSE(has_block_number("100%%b"));
    EXPECT_EQ(block_name("f%b_%b.h5", 12), "f12_12.h5");
    EXPECT_EQ(block_name("100%%b%", 3), "100%b%");
}

}  // namespace
}  // namespace sluice::hdf5::object
