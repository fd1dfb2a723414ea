// Vectors out of our NPY files: every part has the one header that it can have.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/bytes.h"
#include "base/file.h"
#include "domain/crystal/vectors/files.h"
#include "save/npy_header.h"

namespace sluice::crystal {
namespace {

constexpr std::size_t preamble = 10;

class NpyVectors {
  public:
    explicit NpyVectors(File file) : file_(std::move(file)) {}

    Result<BraggVectors> read() {
        SLUICE_TRY(index const disks, record_count());
        std::uint64_t const records_at = at_;
        at_ += static_cast<std::uint64_t>(disks) * record_bytes;
        SLUICE_CHECK(shapes());
        SLUICE_CHECK(reasons());
        std::array<std::uint64_t, 1> digest{};
        SLUICE_CHECK(part("'<u8'", {}, std::as_writable_bytes(std::span(digest))));
        if (at_ != file_.size()) return damaged("has bytes behind its end");
        SLUICE_CHECK(records(records_at, disks));
        if (digest_of(v_) != digest[0]) return damaged("does not have the digest of its numbers");
        SLUICE_CHECK(check_read(v_, file_.path()));
        return std::move(v_);
    }

  private:
    Error damaged(std::string_view what) const {
        return {Code::corrupt,
                fmt::format("the file of Bragg vectors {} (it was changed, or cut off); copy it "
                            "again, or save the vectors again",
                            what),
                file_.path(), at_};
    }

    /// The header that begins here; moves behind it.
    Result<std::string> header() {
        std::string head(preamble, '\0');
        if (!has(preamble)) return damaged("ends too early");
        SLUICE_CHECK(file_.read(at_, std::as_writable_bytes(std::span(head))));
        std::size_t const rest =
            load_le<std::uint16_t>(std::as_bytes(std::span(head)).data() + preamble - 2);
        if (!has(preamble + rest)) return damaged("ends too early");
        head.resize(preamble + rest);
        SLUICE_CHECK(file_.read(at_, std::as_writable_bytes(std::span(head))));
        at_ += head.size();
        return head;
    }
    bool has(std::uint64_t bytes) const {
        return at_ <= file_.size() && bytes <= file_.size() - at_;
    }

    Result<index> record_count() {
        SLUICE_TRY(std::string const head, header());
        constexpr std::string_view mark = "'shape': (";
        auto const found = head.find(mark);
        index n = -1;
        if (found != head.npos) {
            char const* const text = head.data() + found + mark.size();
            std::from_chars(text, head.data() + head.size(), n);
        }
        if (n < 0 || head != save::npy_header(record_descr(), {n}))
            return damaged("begins with other records than those of this version");
        if (static_cast<std::uint64_t>(n) > (file_.size() - at_) / record_bytes)
            return damaged("ends within its records");
        return n;
    }

    Status part(char const* type, std::vector<index> const& shape, std::span<std::byte> out) {
        SLUICE_TRY(std::string const head, header());
        if (head != save::npy_header(type, shape) || !has(out.size()))
            return damaged("lacks an array behind its records");
        SLUICE_CHECK(file_.read(at_, out));
        at_ += out.size();
        return {};
    }

    Status shapes() {
        std::array<std::int64_t, 4> sides{};
        SLUICE_CHECK(part("'<i8'", {4}, std::as_writable_bytes(std::span(sides))));
        v_.scan_shape = {sides[0], sides[1]};
        v_.detector_shape = {sides[2], sides[3]};
        auto good = check_sides(v_.scan_shape, v_.detector_shape);
        if (!good) good.error().file = file_.path();
        return good;
    }

    Status reasons() {
        if (!has(static_cast<std::uint64_t>(v_.patterns()))) return damaged("ends too early");
        v_.reason.resize(static_cast<std::size_t>(v_.patterns()));
        SLUICE_CHECK(part("'|u1'", {v_.scan_shape[0], v_.scan_shape[1]},
                          std::as_writable_bytes(std::span(v_.reason))));
        if (std::ranges::any_of(v_.reason, [](DiskReason r) { return r > last_reason; }))
            return damaged("has a reason of no known number");
        return {};
    }

    Status records(std::uint64_t from, index disks) {
        for (Column const& c : columns) (v_.*c.values).resize(static_cast<std::size_t>(disks));
        v_.first.reserve(v_.reason.size() + 1);
        constexpr index piece = 1 << 16;
        std::vector<std::byte> bytes;
        for (index done = 0; done < disks; done += piece) {
            index const n = std::min(piece, disks - done);
            bytes.resize(static_cast<std::size_t>(n) * record_bytes);
            SLUICE_CHECK(file_.read(from + static_cast<std::uint64_t>(done) * record_bytes, bytes));
            for (index i = 0; i < n; ++i)
                SLUICE_CHECK(record(done + i, bytes.data() + i * index{record_bytes}));
        }
        v_.first.resize(v_.reason.size() + 1, disks);
        return {};
    }

    /// Patterns come in order: those up to this one begin here, unless they have begun.
    Status record(index disk, std::byte const* p) {
        index const row = load_le<std::int32_t>(p), col = load_le<std::int32_t>(p + 4);
        index const pattern = row * v_.scan_shape[1] + col;
        if (row < 0 || col < 0 || row >= v_.scan_shape[0] || col >= v_.scan_shape[1] ||
            pattern + 1 < std::ssize(v_.first))
            return damaged("has patterns out of order");
        v_.first.resize(static_cast<std::size_t>(pattern) + 1, disk);
        p += 2 * sizeof(std::int32_t);
        for (Column const& c : columns) {
            std::memcpy(&(v_.*c.values)[static_cast<std::size_t>(disk)], p, sizeof(float));
            p += sizeof(float);
        }
        return {};
    }

    File file_;
    std::uint64_t at_ = 0;
    BraggVectors v_;
};

}  // namespace

Result<BraggVectors> load_npy(std::string const& path) {
    SLUICE_TRY(File file, File::open(path));
    return NpyVectors(std::move(file)).read();
}

}  // namespace sluice::crystal
