// Walks through the tags of a file: names and places, not values.
// Source: the format as its users describe it (Potapov, "Tags of DM3", and DM4's 64-bit numbers).
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.h"
#include "format/dm/tags.h"

namespace sluice::dm {

namespace {

constexpr int deepest = 64;
constexpr std::uint64_t most_tags = 1 << 20, most_info = 4096;
constexpr std::size_t longest_path = 512;
constexpr std::uint8_t is_group = 20, is_data = 21;

}  // namespace

/// Reads forward in blocks, and jumps over what is not wanted.
class TagCursor {
  public:
    explicit TagCursor(Source const& file) : file_(file) {}
    std::uint64_t at() const { return at_; }
    std::uint64_t left() const { return file_.size() - at_; }

    template <class T>
    Result<T> number() {
        SLUICE_TRY(Bytes const bytes, take(sizeof(T)));
        return load_be<T>(bytes.data());
    }
    Result<Bytes> take(std::size_t n) {
        if (n > left()) return ends();
        if (at_ < begin_ || at_ + n > begin_ + block_.size()) {
            block_.resize(std::min<std::uint64_t>(std::max(n, block_bytes), left()));
            begin_ = at_;
            SLUICE_CHECK(file_.read(begin_, block_));
        }
        Bytes const out = Bytes(block_).subspan(at_ - begin_, n);
        at_ += n;
        return out;
    }
    Status skip(std::uint64_t n) {
        if (n > left()) return ends();
        at_ += n;
        return {};
    }
    Error ends() const {
        return {Code::truncated, "the file ends within its tags or values; copy it again",
                file_.name(), file_.size()};
    }
    Error wrong(std::string what) const {
        return {Code::corrupt, std::move(what) + "; the file is damaged", file_.name(), at_};
    }

  private:
    static constexpr std::size_t block_bytes = 8192;
    Source const& file_;
    std::vector<std::byte> block_;
    std::uint64_t begin_ = 0, at_ = 0;
};

class TreeReader {
  public:
    explicit TreeReader(std::shared_ptr<Source const> const& file) : cursor_(*file) {
        tree_.file_ = file;
    }

    Result<Tree> read() {
        SLUICE_TRY(std::uint32_t const version, cursor_.number<std::uint32_t>());
        if (version != 3 && version != 4)
            return cursor_.wrong(
                fmt::format("version {} of DigitalMicrograph's files (3 and 4 are "
                            "read)",
                            version));
        tree_.version_ = static_cast<int>(version);
        SLUICE_CHECK(count());  // the size, which is not needed
        SLUICE_TRY(std::uint32_t const little, cursor_.number<std::uint32_t>());
        if (little > 1) return cursor_.wrong(fmt::format("byte order {} (0 or 1)", little));
        tree_.big_endian_ = little == 0;
        SLUICE_CHECK(group("", 0));
        return std::move(tree_);
    }

  private:
    // Counts and sizes have 32 bits in DM3, 64 in DM4.
    Result<std::uint64_t> count() {
        if (tree_.version_ == 4) return cursor_.number<std::uint64_t>();
        SLUICE_TRY(std::uint32_t const n, cursor_.number<std::uint32_t>());
        return std::uint64_t{n};
    }

    Status group(std::string const& path, int depth) {
        if (depth > deepest) return cursor_.wrong("tags in more than 64 groups");
        SLUICE_CHECK(cursor_.skip(2));  // whether it is sorted, and open
        SLUICE_TRY(std::uint64_t const entries, count());
        // The least entry takes 4 bytes.
        if (entries > cursor_.left() / 3 + 1)
            return cursor_.wrong(fmt::format("a group of {} tags, more than fit", entries));
        for (std::uint64_t i = 0; i < entries; ++i) SLUICE_CHECK(entry(path, i, depth));
        return {};
    }

    Status entry(std::string const& path, std::uint64_t number, int depth) {
        if (++seen_ > most_tags) return cursor_.wrong("more than a million tags");
        SLUICE_TRY(std::uint8_t const kind, cursor_.number<std::uint8_t>());
        SLUICE_TRY(std::uint16_t const length, cursor_.number<std::uint16_t>());
        SLUICE_TRY(Bytes const label, cursor_.take(length));
        std::string own(reinterpret_cast<char const*>(label.data()), label.size());
        if (own.empty()) own = fmt::format("{}", number);
        own = path.empty() ? own : path + "." + own;
        if (own.size() > longest_path) own.resize(longest_path);
        if (tree_.version_ == 4) SLUICE_CHECK(cursor_.skip(8));  // its size
        if (kind == is_group) return group(own, depth + 1);
        if (kind != is_data) return cursor_.wrong(fmt::format("a tag of kind {}", kind));
        return data(own);
    }

    Status data(std::string const& path) {
        SLUICE_TRY(std::uint32_t const mark, cursor_.number<std::uint32_t>());
        if (mark != 0x25252525) return cursor_.wrong("a tag's value without its mark, %%%%");
        SLUICE_TRY(std::uint64_t const n, count());
        if (n < 1 || n > most_info) return cursor_.wrong(fmt::format("{} words about a value", n));
        info_.clear();
        for (std::uint64_t i = 0; i < n; ++i) {
            SLUICE_TRY(std::uint64_t const word, count());
            info_.push_back(word);
        }
        Tag tag{.at = cursor_.at()};
        std::size_t at = 0;
        SLUICE_TRY(std::uint64_t const bytes, measure(at, tag));
        SLUICE_CHECK(cursor_.skip(bytes));
        tree_.tags_.try_emplace(path, tag);
        return {};
    }

    // The bytes of the type that the words from `at` on describe.
    Result<std::uint64_t> measure(std::size_t& at, Tag& tag, int depth = 0) {
        if (at >= info_.size() || depth > 8) return cursor_.wrong("a value of no known type");
        auto const code = info_[at++];
        tag.type = static_cast<Type>(code > 255 ? 0 : code);
        if (int const bytes = bytes_of(tag.type)) return static_cast<std::uint64_t>(bytes);
        if (tag.type == Type::structure) return structure(at, tag, depth);
        if (tag.type != Type::array && tag.type != Type::string)
            return cursor_.wrong(fmt::format("a value of type {}", code));
        std::uint64_t element = 2;
        bool const text = tag.type == Type::string;
        if (text) tag.type = Type::u16;
        if (!text) {
            SLUICE_TRY(element, measure(at, tag, depth + 1));
        }
        if (at >= info_.size()) return cursor_.wrong("an array without a length");
        std::uint64_t const n = info_[at++];
        tag.array = true, tag.count = n;
        if (element != 0 && n > cursor_.left() / element) return cursor_.ends();
        return n * element;
    }

    Result<std::uint64_t> structure(std::size_t& at, Tag& tag, int depth) {
        if (at + 2 > info_.size()) return cursor_.wrong("a structure without fields");
        std::uint64_t const fields = info_[at + 1];
        at += 2;
        std::uint64_t bytes = 0;
        for (std::uint64_t i = 0; i < fields; ++i) {
            ++at;  // the length of its name, which is empty
            Tag field;
            SLUICE_TRY(std::uint64_t const its, measure(at, field, depth + 1));
            if ((bytes += its) > cursor_.left()) return cursor_.ends();
        }
        tag.type = Type::structure;
        return bytes;
    }

    TagCursor cursor_;
    Tree tree_;
    std::vector<std::uint64_t> info_;
    std::uint64_t seen_ = 0;
};

Result<Tree> Tree::read(std::shared_ptr<Source const> const& file) {
    return TreeReader(file).read();
}

}  // namespace sluice::dm
