// Planar: complex numbers in rows, the real parts of a row before its imaginary ones.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "sluice/view.h"

namespace sluice::ptycho {

/// Zeros at first. Rows begin at multiples of 64 bytes, so that they are read by whole registers.
template <class Real>
class Planar {
  public:
    Planar() = default;
    Planar(index rows, index cols) : rows_(rows), cols_(cols), half_((cols + 15) / 16 * 16) {
        std::size_t const bytes = static_cast<std::size_t>(size()) * sizeof(Real);
        data_.reset(static_cast<Real*>(std::aligned_alloc(64, bytes ? bytes : 64)));
        if (!data_) throw std::bad_alloc();
        std::memset(static_cast<void*>(data_.get()), 0, bytes);
    }
    Planar(Planar const& other) : Planar(other.rows_, other.cols_) {
        std::memcpy(static_cast<void*>(data_.get()), other.data_.get(),
                    static_cast<std::size_t>(size()) * sizeof(Real));
    }
    Planar(Planar&&) noexcept = default;
    Planar& operator=(Planar other) noexcept {
        std::swap(rows_, other.rows_);
        std::swap(cols_, other.cols_);
        std::swap(half_, other.half_);
        data_.swap(other.data_);
        return *this;
    }
    ~Planar() = default;

    index rows() const { return rows_; }
    index cols() const { return cols_; }
    /// From the real parts of a row to its imaginary ones, and on to the next row.
    index half() const { return half_; }
    /// All numbers, with those that fill rows up.
    index size() const { return rows_ * 2 * half_; }

    Real* re(index row) { return data_.get() + row * 2 * half_; }
    Real const* re(index row) const { return data_.get() + row * 2 * half_; }
    Real* im(index row) { return re(row) + half_; }
    Real const* im(index row) const { return re(row) + half_; }

    std::complex<Real> at(index row, index col) const { return {re(row)[col], im(row)[col]}; }
    void set(index row, index col, std::complex<Real> value) {
        re(row)[col] = value.real();
        im(row)[col] = value.imag();
    }

  private:
    struct Free {
        void operator()(Real* p) const { std::free(p); }
    };
    index rows_ = 0, cols_ = 0, half_ = 0;
    std::unique_ptr<Real, Free> data_;
};

}  // namespace sluice::ptycho
