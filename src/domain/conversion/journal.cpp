// Lines "HASH of ..." and "HASH block BYTES HASH_OF_BYTES".
// SPDX-License-Identifier: Apache-2.0
#include "domain/conversion/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include "base/file.h"
#include "base/hash.h"

namespace sluice::conversion {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;

std::string line_of(std::string_view text) {
    return fmt::format("{:016x} {}\n", xxh64(std::as_bytes(std::span(text))), text);
}

std::optional<std::string_view> checked(std::string_view line) {
    std::uint64_t hash = 0;
    auto const r = std::from_chars(line.data(), line.data() + line.size(), hash, 16);
    if (r.ec != std::errc() || r.ptr - line.data() != 16 || line.size() < 18) return {};
    std::string_view const text = line.substr(17);
    if (xxh64(std::as_bytes(std::span(text))) != hash) return {};
    return text;
}

// "block 7 4096 123"
void take_in(std::string_view text, JournalText& out) {
    constexpr std::string_view word = "block ";
    if (!text.starts_with(word)) return;
    std::uint64_t numbers[3] = {};
    char const* at = text.data() + word.size();
    char const* const end = text.data() + text.size();
    for (std::uint64_t& n : numbers) {
        auto const r = std::from_chars(at, end, n);
        if (r.ec != std::errc()) return;
        at = r.ptr < end ? r.ptr + 1 : end;
    }
    out.blocks[static_cast<index>(numbers[0])] = {numbers[1], numbers[2]};
}

}  // namespace

Result<Journal> Journal::create(std::string const& path, std::string const& of) {
    SLUICE_CHECK(save_text(path, line_of("of " + of)));
    return append_to(path);
}

Result<Journal> Journal::append_to(std::string const& path) {
    Journal j;
    j.path_ = path;
    j.fd_ = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (j.fd_ < 0)
        return Error{Code::io, fmt::format("cannot be written ({})", std::strerror(errno)), path};
    return j;
}

Journal::Journal(Journal&& other) noexcept
    : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {}

Journal& Journal::operator=(Journal&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(fd_, other.fd_);
    return *this;
}

Journal::~Journal() {
    if (fd_ >= 0) ::close(fd_);
}

// After a newline, because the last line of a program that was killed may be half a line.
Status Journal::add(index block, Stored stored) {
    std::string const all =
        "\n" + line_of(fmt::format("block {} {} {}", block, stored.bytes, stored.hash));
    std::string_view line = all;
    std::lock_guard const lock(mutex_);
    while (!line.empty()) {
        ssize_t const n = ::write(fd_, line.data(), line.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0)
            return Error{Code::io, fmt::format("writing failed ({})", std::strerror(errno)), path_};
        line.remove_prefix(static_cast<std::size_t>(n));
    }
    return {};
}

Result<JournalText> read_journal(std::string const& path) {
    SLUICE_TRY(auto const bytes, read_file(path, most_bytes));
    std::string_view rest(reinterpret_cast<char const*>(bytes.data()), bytes.size());
    JournalText out;
    for (bool first = true; !rest.empty(); first = false) {
        std::size_t const end = std::min(rest.find('\n'), rest.size());
        auto const text = checked(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (first && (!text || !text->starts_with("of "))) break;
        if (first) out.of = text->substr(3);
        if (!first && text) take_in(*text, out);
    }
    if (!out.of.empty()) return out;
    return Error{Code::corrupt, "is not a journal of a conversion; begin again with --force", path};
}

}  // namespace sluice::conversion
