// Checkpoints as torch.save writes them, byte by byte, whole or damaged on purpose.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sluice/source.h"

namespace sluice::weights {

/// Little-endian, of `size` bytes.
std::string le(std::uint64_t n, int size);

/// A pickle in pieces; texts and numbers as PyTorch has them.
struct PickleText {
    std::string out = "\x80\x02";

    PickleText& raw(std::string const& bytes) {
        out += bytes;
        return *this;
    }
    PickleText& text(std::string const& s) { return raw("X" + le(s.size(), 4) + s); }
    PickleText& number(std::int64_t n) {
        return raw("\x8a\x08" + le(static_cast<std::uint64_t>(n), 8));
    }
    PickleText& name(std::string const& module, std::string const& word) {
        return raw("c" + module + "\n" + word + "\n");
    }
    PickleText& tuple(std::vector<std::int64_t> const& numbers);
    /// A view of storage `key` with `held` numbers.
    PickleText& tensor(std::string const& key, std::int64_t held, std::int64_t offset,
                       std::vector<std::int64_t> const& shape,
                       std::vector<std::int64_t> const& strides,
                       std::string const& storage = "FloatStorage");
    std::string end() const { return out + "."; }
};

/// A member of a zip file: its name and bytes.
using TestMember = std::pair<std::string, std::string>;

/// A zip file with stored members on multiples of 64 bytes; `zip64` writes the sizes of 64 bits.
std::string zip_of(std::vector<TestMember> const& members, bool zip64 = false);

/// A checkpoint of one pickle and the storages "0", "1" ...
std::string checkpoint_of(std::string const& pickle, std::vector<std::string> const& storages,
                          bool zip64 = false);

/// A safetensors file of a header and data.
std::string safetensors_of(std::string const& header, std::string const& data);

std::shared_ptr<Source const> source_of(std::string const& bytes);

}  // namespace sluice::weights
