// Breaks CZI files in ways that have ended other readers.
// SPDX-License-Identifier: Apache-2.0
#include "czi_writer/damage.h"

#include <array>
#include <cstring>
#include <limits>

namespace sluice::test {
namespace {

constexpr std::int64_t huge = std::int64_t{1} << 62;
constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t head = 32;

/// The bytes of a sound file, and where its parts are.
class Broken {
  public:
    explicit Broken(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {
        directory = get(head + 52);
        metadata = get(head + 60);
        attachments = get(head + 72);
        entry = directory + head + 128;
        sub_block = get(entry + 6);
        attachment = get(attachments + head + 256 + 12);
    }
    std::size_t directory, metadata, attachments;
    std::size_t entry;       ///< the first
    std::size_t sub_block;   ///< the first's segment
    std::size_t attachment;  ///< the first's segment

    std::size_t get(std::size_t at) const {
        std::uint64_t v = 0;
        std::memcpy(&v, bytes_.data() + at, sizeof v);
        return v;
    }
    template <class T>
    void put(std::size_t at, T value) {
        std::memcpy(bytes_.data() + at, &value, sizeof value);
    }
    std::size_t dimension(char letter, std::size_t of_entry) const {
        std::size_t at = of_entry + 32;
        while (std::to_integer<char>(bytes_[at]) != letter) at += 20;
        return at;
    }
    void put_dimension(char letter, std::size_t field, std::int32_t value) {
        put(dimension(letter, entry) + field, value);
        put(dimension(letter, sub_block + head + 16) + field, value);
    }
    /// In the directory and in the sub-block.
    template <class T>
    void put_entry(std::size_t field, T value) {
        put(entry + field, value);
        put(sub_block + head + 16 + field, value);
    }
    void name_first_everywhere() {
        std::int32_t count = 0, dimensions = 0;
        std::memcpy(&count, bytes_.data() + directory + head, sizeof count);
        for (std::size_t at = entry; count > 0; --count) {
            put(at + 6, std::uint64_t{sub_block});
            std::memcpy(&dimensions, bytes_.data() + at + 28, sizeof dimensions);
            at += 32 + 20 * static_cast<std::size_t>(dimensions);
        }
    }
    void break_data() {
        std::int32_t metadata_size = 0;
        std::memcpy(&metadata_size, bytes_.data() + sub_block + head, sizeof metadata_size);
        std::size_t const begin = sub_block + head + 256 + static_cast<std::size_t>(metadata_size);
        std::size_t const size = get(sub_block + head + 8);
        for (std::size_t i = size / 3; i < size / 3 + 20 && i < size; ++i)
            bytes_[begin + i] ^= std::byte{0x5a};
    }
    void keep(std::size_t size) { bytes_.resize(size); }
    std::size_t size() const { return bytes_.size(); }
    std::vector<std::byte> take() { return std::move(bytes_); }

  private:
    std::vector<std::byte> bytes_;
};

void break_header(Broken& b, Damage kind) {
    switch (kind) {
        case Damage::no_magic:
            return b.put(0, std::array{'Z', 'I', 'P'});
        case Damage::truncated:
            return b.keep(b.size() * 6 / 10);
        case Damage::cut_in_header:
            return b.keep(100);
        case Damage::update_pending:
            return b.put(head + 68, std::int32_t{-1});
        case Damage::file_part:
            return b.put(head + 48, std::int32_t{3});
        case Damage::directory_absent:
            return b.put(head + 52, std::int64_t{0});
        case Damage::directory_outside:
            return b.put(head + 52, std::uint64_t{b.size() + 32});
        case Damage::directory_negative:
            return b.put(head + 52, std::int64_t{-64});
        case Damage::directory_is_header:
            return b.put(head + 52, std::uint64_t{b.sub_block});
        case Damage::endless_chain:
            return b.put(b.sub_block + 16, std::int64_t{-32});
        case Damage::xml_size_huge:
            return b.put(b.metadata + head, most);
        case Damage::xml_size_negative:
            return b.put(b.metadata + head, std::int32_t{-1});
        case Damage::attachment_count_huge:
            return b.put(b.attachments + head, most);
        case Damage::attachment_outside:
            return b.put(b.attachments + head + 256 + 12, std::uint64_t{b.size() + 32});
        case Damage::attachment_size_huge:
            return b.put(b.attachment + head, huge);
        default:
            return;
    }
}

void break_directory(Broken& b, Damage kind) {
    switch (kind) {
        case Damage::directory_size_huge:
            b.put(b.directory + 16, huge);
            return b.put(b.directory + 24, huge);
        case Damage::entry_count_huge:
            return b.put(b.directory + head, most);
        case Damage::entry_count_negative:
            return b.put(b.directory + head, std::int32_t{-1});
        case Damage::dimension_count_negative:
            return b.put_entry(28, std::int32_t{-1});
        case Damage::dimension_count_huge:
            return b.put_entry(28, std::int32_t{3000});
        case Damage::dimension_count_zero:
            return b.put_entry(28, std::int32_t{0});
        case Damage::schema_de:
            return b.put_entry(0, std::array{'D', 'E'});
        case Damage::schema_unknown:
            return b.put_entry(0, std::array{'Q', 'Q'});
        case Damage::pixel_type_unknown:
            return b.put_entry(2, std::int32_t{99});
        case Damage::codec_unknown:
            return b.put_entry(18, std::int32_t{77});
        case Damage::codec_camera:
            return b.put_entry(18, std::int32_t{504});
        case Damage::entry_outside:
            return b.put(b.entry + 6, std::uint64_t{b.size() + 32});
        case Damage::entry_negative:
            return b.put(b.entry + 6, std::int64_t{-32});
        case Damage::entry_is_directory:
            return b.put(b.entry + 6, std::uint64_t{b.directory});
        case Damage::entries_all_one:
            return b.name_first_everywhere();
        default:
            return;
    }
}

void break_tile(Broken& b, Damage kind) {
    switch (kind) {
        case Damage::size_negative:
            return b.put_dimension('X', 8, -5);
        case Damage::size_huge:
            for (char const letter : {'X', 'Y'})
                for (std::size_t const field : {8, 16}) b.put_dimension(letter, field, most);
            return;
        case Damage::stored_size_negative:
            return b.put_dimension('Y', 16, -5);
        case Damage::no_x:
            return b.put_dimension('X', 0, 'Q');
        case Damage::x_twice:
            return b.put_dimension('Y', 0, 'X');
        case Damage::sub_block_data_huge:
            return b.put(b.sub_block + head + 8, huge);
        case Damage::sub_block_data_negative:
            return b.put(b.sub_block + head + 8, std::int64_t{-1});
        case Damage::sub_block_metadata_huge:
            return b.put(b.sub_block + head, most);
        case Damage::sub_block_attachment_negative:
            return b.put(b.sub_block + head + 4, std::int32_t{-1});
        case Damage::data_broken:
            return b.break_data();
        default:
            return;
    }
}

}  // namespace

std::vector<std::byte> damaged(std::vector<std::byte> bytes, Damage kind) {
    Broken b(std::move(bytes));
    break_header(b, kind);
    break_directory(b, kind);
    break_tile(b, kind);
    return b.take();
}

std::string_view name_of(Damage kind) {
    constexpr std::array names = {"no_magic",
                                  "truncated",
                                  "cut_in_header",
                                  "update_pending",
                                  "file_part",
                                  "directory_absent",
                                  "directory_outside",
                                  "directory_negative",
                                  "directory_is_header",
                                  "directory_size_huge",
                                  "entry_count_huge",
                                  "entry_count_negative",
                                  "dimension_count_negative",
                                  "dimension_count_huge",
                                  "dimension_count_zero",
                                  "schema_de",
                                  "schema_unknown",
                                  "pixel_type_unknown",
                                  "codec_unknown",
                                  "codec_camera",
                                  "entry_outside",
                                  "entry_negative",
                                  "entry_is_directory",
                                  "entries_all_one",
                                  "size_negative",
                                  "size_huge",
                                  "stored_size_negative",
                                  "no_x",
                                  "x_twice",
                                  "sub_block_data_huge",
                                  "sub_block_data_negative",
                                  "sub_block_metadata_huge",
                                  "sub_block_attachment_negative",
                                  "endless_chain",
                                  "xml_size_huge",
                                  "xml_size_negative",
                                  "attachment_count_huge",
                                  "attachment_outside",
                                  "attachment_size_huge",
                                  "data_broken"};
    static_assert(names.size() == static_cast<std::size_t>(Damage::count));
    return names[static_cast<std::size_t>(kind)];
}

std::vector<std::byte> moved(std::vector<std::byte> bytes, int entry, char dimension,
                             std::int32_t bits) {
    Broken b(std::move(bytes));
    std::size_t at = b.entry;
    for (int i = 0; i < entry; ++i) at += 32 + 20 * (b.get(at + 28) & 0xffffffff);
    std::size_t const start = b.dimension(dimension, at) + 4;
    b.put(start, static_cast<std::int32_t>(b.get(start)) ^ bits);
    return b.take();
}

}  // namespace sluice::test
