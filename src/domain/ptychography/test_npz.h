// NPZ files as numpy.savez writes them, of arrays that tests have.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "sluice/view.h"

namespace sluice::ptycho {

class TestNpz {
  public:
    /// `type` as NumPy has it: "<u2", "<f8", "<c8".
    template <class T>
    void add(std::string const& name, std::string const& type, std::vector<index> const& shape,
             std::vector<T> const& values) {
        std::string text = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (";
        for (index n : shape) text += std::to_string(n) + ", ";
        text += "), }";
        while ((text.size() + 11) % 64 != 0) text += ' ';
        std::string data =
            std::string("\x93NUMPY\x01\x00", 8) + le(text.size() + 1, 2) + text + '\n';
        data.append(reinterpret_cast<char const*>(values.data()), values.size() * sizeof(T));
        std::string const file = name + ".npy";
        std::string const facts = le(20, 2) + le(0, 8) + le(checksum(data), 4) +
                                  le(data.size(), 4) + le(data.size(), 4) + le(file.size(), 2) +
                                  le(0, 2);
        directory_ +=
            le(0x02014b50, 4) + le(20, 2) + facts + le(0, 10) + le(members_.size(), 4) + file;
        members_ += le(0x04034b50, 4) + facts + file + data;
        ++count_;
    }
    void save(std::string const& path) const {
        std::ofstream(path, std::ios::binary)
            << members_ << directory_ << le(0x06054b50, 4) << le(0, 4) << le(count_, 2)
            << le(count_, 2) << le(directory_.size(), 4) << le(members_.size(), 4) << le(0, 2);
    }

  private:
    static std::string le(std::uint64_t value, int bytes) {
        std::string text;
        for (int i = 0; i < bytes; ++i)
            text += static_cast<char>(i < 8 ? value >> (8 * i) & 0xffU : 0);
        return text;
    }
    static std::uint32_t checksum(std::string const& data) {
        std::uint32_t crc = ~0U;
        for (char const c : data) {
            crc ^= static_cast<unsigned char>(c);
            for (int k = 0; k < 8; ++k) crc = (crc & 1U) != 0 ? crc >> 1U ^ 0xedb88320U : crc >> 1U;
        }
        return ~crc;
    }

    std::string members_ = {}, directory_ = {};
    std::uint64_t count_ = 0;
};

}  // namespace sluice::ptycho
