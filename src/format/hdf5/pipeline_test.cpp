// Chunks that h5py and hdf5plugin wrote are decoded; damaged ones are errors.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/pipeline.h"

#include <gtest/gtest.h>

#include <cstring>

#include "codec/bitshuffle/bitshuffle.h"
#include "codec/fletcher32/fletcher32.h"
#include "codec/shuffle/shuffle.h"

namespace sluice::hdf5 {
namespace {

struct Written {
    std::string name;
    std::vector<Filter> filters;
    std::string hex;
};

std::vector<std::byte> bytes_of_hex(std::string const& hex) {
    std::vector<std::byte> out;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        out.push_back(static_cast<std::byte>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    return out;
}

/// The values of all chunks below: 600 of 4 bytes.
std::vector<std::byte> expected() {
    std::vector<std::byte> out(2400);
    for (std::uint32_t i = 0; i < 600; ++i) {
        std::uint32_t const v = i / 9 * 7 % 251;
        std::memcpy(out.data() + 4 * i, &v, 4);
    }
    return out;
}

std::vector<Written> const& written() {
    static std::vector<Written> const all{
        {"deflate",
         {{1, "", {4}}},
         "785e8dc3a17601000000401289442291269148962691485b2291482492a52d4db234894422912691"
         "489aa669ba2ff0dcbd7781c07321188131988029f802b3300f8bf00d966115bec33a6cc236ecc23e"
         "1cc22ff803c7f00f4ee11c2ee11afec31d3cc0133cc30bbcc21b0cc2308cc2384cc234ccc01c2cc0"
         "5758821558831fb0015bb0037b70003fe1371cc15f388133b8802bb8815bb887c707ef9a830c27"},
        {"shuffle_deflate_fletcher",
         {{2, "", {4}}, {1, "", {4}}, {3, "", {}}},
         "785eedd2a17681610000d05f225922912c6dc9d2244b24d296264d22599a44224d2291482492a52d"
         "4d9a34495b5b5bd3778ee33e85ef3ec38da29338495264c871459e5b8a94a870cf234f3468f14287"
         "1eaf0c193365ce9235ef7cf2c5377b7ef8e58f0331125c9026cb25d7dc50e08e32551ea851a7c933"
         "6dbaf4193062c28c052bdef860c396dd915641100441708efe01ddd00c27d745e203"},
        {"lzf",
         {{32000, "", {4, 261, 2400}}},
         "010000e0190000072022e01703000e2023e0170300152023e01703001c2023e0170300232023e017"
         "03002a2023e0170300312023e0170300382023e01703003f2023e0170300462023e01703004d2023"
         "e0170300542023e01703005b2023e0170300622023e0170300692023e0170300702023e017030077"
         "2023e01703007e2023e0170300852023e01703008c2023e0170300932023e01703009a2023e01703"
         "00a12023e0170300a82023e0170300af2023e0170300b62023e0170300bd2023e0170300c42023e0"
         "170300cb2023e0170300d22023e0170300d92023e0170300e02023e0170300e72023e0170300ee20"
         "23e0170300f52023e0170300012023e0170300082023e01703000f2023e0170300162023e0170300"
         "1d2023e0170300242023e01703002b2023e0170300322023e0170300392023e0170300402023e017"
         "0300472023e01703004e2023e0170300552023e01703005c2023e0170300632023e01703006a2023"
         "e0170300712023e0170300782023e01703007f2023e0170300862023e01703008d2023e017030094"
         "2023e01703009b2023e0170300a22023e0170300a92023e0170300b02023e0170300b72023e01703"
         "00be2023e0170300c52023e0170300cc2023e0170300d32023e00a030000"},
        {"shuffle_lzf",
         {{2, "", {4}}, {32000, "", {4, 261, 2400}}},
         "010000a0000007c000000ec0000015c000001cc0000023c000002ac0000031c0000038c000003fc0"
         "000046c000004dc0000054c000005bc0000062c0000069c0000070c0000077c000007ec0000085c0"
         "00008cc0000093c000009ac00000a1c00000a8c00000afc00000b6c00000bdc00000c4c00000cbc0"
         "0000d2c00000d9c00000e0c00000e7c00000eec00000f5c0000001c0000008c000000fc0000016c0"
         "00001dc0000024c000002bc0000032c0000039c0000040c0000047c000004ec0000055c000005cc0"
         "000063c000006ac0000071c0000078c000007fc0000086c000008dc0000094c000009bc00000a2c0"
         "0000a9c00000b0c00000b7c00000bec00000c5c00000ccc00000d36000a255e0ff00e0ff00e0ff00"
         "e0ff00e0ff00e0ff00e0c600010000"},
        {"zstd",
         {{32015, "", {3}}},
         "28b52ffd6060081d030044040000070e151c232a31383f464d545b626970777e858c939aa1a8afb6"
         "bdc4cbd2d9e0e7eef501080f161d242b323940474e555c636a71787f868d949ba2a9b0b7bec5ccd3"
         "43a810f007e0c712f8ff06819fc11f0000800000800000008891625a29"},
        {"bitshuffle_lz4",
         {{32008, "", {0, 4, 4, 0, 2}}},
         "0000000000000960000020000000011a9f00fe03f80fe03f80ff09000cafff1fc07f00ff01fc07f0"
         "0900069f00feff0700e0ff7f0009000d9f00c0ffff0000fcff0f0900068000feffffff1f00004b00"
         "0f09000901420050ffff0300004b000f09000404b40014ffea000f12000201ba0002e10014000e01"
         "0b120081000000f8ff1f0080690074f0ff3f0000fffff30006cf004000f80f00240011012d000024"
         "00002d0006170101fc0000db00010c00001e0003bd0031ff0700390010ffd800013900030900060e"
         "012000fc1500107f3e0010f80a0010ff0a00060200011e00010200004b0002020011f01000045400"
         "010200027800010200014b000202000d4e00030200026900090200019f000c02000017010602000c"
         "1e000f0200ffffffffffffe6500000000000"},
        {"blosclz",
         {{32001, "", {2, 2, 4, 2400, 5, 1, 0}}},
         "020101046009000060090000600100001400000012010000230000000060030007c000000ec00000"
         "15c000001cc0000023c000002ac0000031c0000038c000003fc0000046c000004dc0000054c00000"
         "5bc0000062c0000069c0000070c0000077c000007ec0000085c000008cc0000093c000009ac00000"
         "a1c00000a8c00000afc00000b6c00000bdc00000c4c00000cbc00000d2c00000d9c00000e0c00000"
         "e7c00000eec00000f5c0000001c0000008c000000fc0000016c000001dc0000024c000002bc00000"
         "32c0000039c0000040c0000047c000004ec0000055c000005cc0000063c000006ac0000071c00000"
         "78c000007fc0000086c000008dc0000094c000009bc00000a2c00000a9c00000b0c00000b7c00000"
         "bec00000c5c00000ccc00005d3d3d3d3d3d30e0000002300000000e0ffff4a03020000000e000000"
         "2300000000e0ffff4a03020000000e0000002300000000e0ffff4a0302000000"},
        {"blosclz_plain",
         {{32001, "", {2, 2, 4, 2400, 5, 0, 0}}},
         "020100046009000060090000dd010000140000006c0000002300000000e01603010007e019030100"
         "0ee01903010015e0190301001ce01903010023e0190301002ae01903010031e01903010038e01903"
         "01003fe01903010046e0190301004de01903010054e0190301005be01903010062e01903010069e0"
         "1903010070e00b0302000000750000002370000000a003010077e0190301007ee01903010085e019"
         "0301008ce01903010093e0190301009ae019030100a1e019030100a8e019030100afe019030100b6"
         "e019030100bde019030100c4e019030100cbe019030100d2e019030100d9e019030100e0e019030c"
         "00e7000000e7000000e70000006c00000023e7000000e00a030100eee019030100f5e01903010001"
         "e01903010008e0190301000fe01903010016e0190301001de01903010024e0190301002be0190301"
         "0032e01903010039e01903010040e01903010047e0190301004ee01903010055e0190301005ce017"
         "03020000006c0000002363000000e0160301006ae01903010071e01903010078e0190301007fe019"
         "03010086e0190301008de01903010094e0190301009be019030100a2e019030100a9e019030100b0"
         "e019030100b7e019030100bee019030100c5e019030100cce019030100d3e00b0302000000"},
        {"blosc_lz4_bits",
         {{32001, "", {2, 2, 4, 2400, 5, 2, 1}}},
         "020124046009000060090000c6010000140000007b010000f90c00fe03f80fe03f80ff00fe03f80f"
         "e03f80ff00fe03f80fe03f80ff1b00f070ff1fc07f00ff01fc07f01fc07f00ff01fc07f01fc07f00"
         "ff01fc07f01fc07f00ff01fc00feff0700e0ff7f0000feff0700e0ff7f0000feff0700e0ff7f0000"
         "feff0700e0ff7f0000feff070000c0ffff0000fcff0f00c0ffff0000fcff0f00c0ffff0000fcff0f"
         "00c0ffff0000fc00feffffff1f00000000feffffff1f00004b000f0900000130005fffff03000009"
         "000804b40014ffea000f12000201a80020ff011b0014000e010b1200f206000000f8ff1f0080ffff"
         "ff0300f0ff3f0000ffffff390007cf00f30a00f80f000080ffff0100f8ff1f000000ffff0300f0ff"
         "ff7f00200101f30010000100000c0007bd0061ff07000000801400100f1f0005090006fc002000fc"
         "1500006f002000f80a0010ff2800060200011e00010200004b0002020011f0100004540001020002"
         "7800010200014b000202000d4e00030200026900090200019f000c0200001701a0ffffffffffffff"
         "ffffff0d0000001f000100ffff415000000000000d0000001f000100ffff415000000000000d0000"
         "001f000100ffff41500000000000"},
        {"blosc_zlib",
         {{32001, "", {2, 2, 4, 2400, 5, 1, 4}}},
         "020161046009000060090000d60000001400000085000000785e35c1217001000000401289442291"
         "269148962691485b2291482492a52d4db234894422912691489aa669ba3be7ff0381a71011622448"
         "f142963c45de2853e59d3a4dda74e933e48b1fc6fc3165ce9235ffec3870e2cc852b378284891227"
         "499a0c390abc52a2428d0f1ab4e8d063c027df8cf865c28c052b366cd9737cb803669d0c270f0000"
         "00785e63601805a380fa0000025800010f000000785e63601805a380fa0000025800010f00000078"
         "5e63601805a380fa000002580001"},
        {"blosc_zstd",
         {{32001, "", {2, 2, 4, 2400, 5, 1, 5}}},
         "0201910460090000600900007f000000140000006700000028b52ffd606008ed020054040000070e"
         "151c232a31383f464d545b626970777e858c939aa1a8afb6bdc4cbd2d9e0e7eef501080f161d242b"
         "323940474e555c636a71787f868d949ba2a9b0b7bec5ccd300449810f0070012681060d0efffff7f"
         "0604b715dd9852"},
    };
    return all;
}

TEST(Pipeline, DecodesWhatOtherProgramsWrote) {
    for (Written const& w : written()) {
        std::vector<std::byte> out(2400, std::byte{0xee});
        auto const s = decode_chunk(bytes_of_hex(w.hex), w.filters, 0, out);
        ASSERT_TRUE(s) << w.name << ": " << s.error().message;
        EXPECT_EQ(out, expected()) << w.name;
        EXPECT_TRUE(check_filters(w.filters, 4, "f")) << w.name;
    }
}

TEST(Pipeline, AnotherSizeIsAnError) {
    for (Written const& w : written())
        for (std::size_t size : {0, 4, 2396, 2404, 4800}) {
            std::vector<std::byte> out(size);
            EXPECT_FALSE(decode_chunk(bytes_of_hex(w.hex), w.filters, 0, out)) << w.name << size;
        }
}

TEST(Pipeline, CutAndFlippedChunksNeverPassTheEnd) {
    for (Written const& w : written()) {
        auto const good = bytes_of_hex(w.hex);
        std::vector<std::byte> out(2400);
        for (std::size_t n = 0; n < good.size(); ++n) {
            EXPECT_FALSE(decode_chunk(Bytes(good).first(n), w.filters, 0, out)) << w.name << n;
            auto bad = good;
            bad[n] ^= std::byte{0xff};
            (void)decode_chunk(bad, w.filters, 0, out);
        }
    }
}

TEST(Pipeline, TheChecksumIsChecked) {
    for (Written const& w : written()) {
        if (w.filters.back().id != filter_fletcher32) continue;
        auto bad = bytes_of_hex(w.hex);
        for (std::size_t i = 0; i < bad.size(); ++i) {
            bad[i] ^= std::byte{1};
            std::vector<std::byte> out(2400);
            EXPECT_FALSE(decode_chunk(bad, w.filters, 0, out)) << i;
            bad[i] ^= std::byte{1};
        }
    }
    // By hand: words 0x0102 and 0x0300, the sums 0x0402 and 0x0504.
    std::byte const three[] = {std::byte{1}, std::byte{2}, std::byte{3}};
    EXPECT_EQ(codec::fletcher32(three), 0x05040402U);
}

TEST(Pipeline, TheMaskLeavesFiltersOut) {
    std::vector<Filter> const filters{{filter_shuffle, "", {4}}, {filter_zstd, "", {3}}};
    auto const values = expected();
    std::vector<std::byte> shuffled(values.size()), out(values.size());
    ASSERT_TRUE(codec::shuffle(values, 4, shuffled));
    ASSERT_TRUE(decode_chunk(values, filters, 3, out));
    EXPECT_EQ(out, values);
    ASSERT_TRUE(decode_chunk(shuffled, filters, 2, out));
    EXPECT_EQ(out, values);
    EXPECT_FALSE(decode_chunk(shuffled, filters, 0, out));
}

TEST(Pipeline, FiltersWithoutADecoderAreNamed) {
    for (auto const& [id, name] : {std::pair{4, "szip"}, std::pair{5, "nbit"},
                                   std::pair{6, "scaleoffset"}, std::pair{32013, "zfp"}}) {
        auto const s = check_filters({{filter_shuffle, "", {2}}, {id, "", {}}}, 2, "x.h5");
        ASSERT_FALSE(s);
        EXPECT_EQ(s.error().code, Code::unsupported);
        EXPECT_NE(s.error().message.find(name), std::string::npos) << s.error().message;
        EXPECT_NE(s.error().message.find("h5repack"), std::string::npos);
        std::vector<std::byte> out(4);
        EXPECT_FALSE(decode_chunk(out, {{id, "", {}}}, 0, out));
    }
    EXPECT_FALSE(check_filters({{filter_bitshuffle, "", {0, 3, 0, 0, 2}}}, 4, "x.h5"));
    EXPECT_FALSE(check_filters({{filter_bitshuffle, "", {0, 3, 4, 0, 7}}}, 4, "x.h5"));
    EXPECT_FALSE(check_filters({{filter_shuffle, "", {}}}, 4, "x.h5"));
}

// One flipped bit of a size would give other numbers.
TEST(Pipeline, FiltersForElementsOfAnotherSizeAreDamage) {
    for (Filter const& f :
         {Filter{filter_shuffle, "", {4}}, Filter{filter_bitshuffle, "", {0, 3, 4, 0, 2}},
          Filter{filter_blosc, "", {2, 2, 4, 2400, 5, 1, 0}}}) {
        EXPECT_TRUE(check_filters({f}, 4, "x.h5"));
        auto const s = check_filters({f}, 2, "x.h5");
        ASSERT_FALSE(s) << f.id;
        EXPECT_EQ(s.error().code, Code::corrupt);
    }
    for (Written const& w : written()) {
        if (w.filters[0].id != filter_blosc) continue;
        auto chunk = bytes_of_hex(w.hex);
        std::vector<std::byte> out(2400);
        chunk[3] ^= std::byte{4 ^ 2};
        EXPECT_FALSE(decode_chunk(chunk, w.filters, 0, out)) << w.name;
    }
}

// A header that announces terabytes takes no memory.
TEST(Pipeline, AbsurdSizesAreErrors) {
    std::vector<std::byte> chunk(64, std::byte{0x7f}), out(2400);
    for (int id : {int{filter_lz4}, int{filter_bitshuffle}, int{filter_blosc}}) {
        EXPECT_FALSE(decode_chunk(chunk, {{id, "", {0, 3, 4, 0, 2}}}, 0, out));
        EXPECT_FALSE(
            decode_chunk(chunk, {{filter_shuffle, "", {4}}, {id, "", {0, 3, 4, 0, 2}}}, 0, out));
    }
}

}  // namespace
}  // namespace sluice::hdf5
