// The state's values here, worked on by an instruction set or the reference.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/host_cells.h"

#include <algorithm>
#include <utility>

#include "device/workers.h"
#include "domain/proton/marching/gather_drift.h"
#include "domain/proton/marching/sum.h"

namespace sluice::proton::marching {
namespace {

template <class Real>
class HostCells : public Cells<Real> {
  public:
    HostCells(Device const& device, index angles, index stride, RangeRows const& rows)
        : kernels_(kernels_of<Real>(device)),
          deposits_(kernels_of<double>(device)),
          threads_(device.threads()),
          angles_(angles),
          stride_(stride),
          energy_(rows.energy),
          water_(rows),
          given_up_(rows.energy.size()),
          rooms_(static_cast<std::size_t>(threads_)) {
        auto const lines = static_cast<std::size_t>(angles * stride);
        for (auto* v : {&deposit_, &stopped_, &nuclear_energy_, &nuclear_weight_}) v->resize(lines);
    }

    Status fill(std::vector<Real> values) override {
        values_ = std::move(values);
        return {};
    }

    Result<std::vector<double>> add_up(Box const& box, std::span<Real> row_sums,
                                       std::span<Real> angle_sums) override {
        for (index i = box.row.low; i < box.row.high; ++i)
            for (index j = box.angle.low; j < box.angle.high; ++j) {
                Real const* const line = at(i, j);
                for (index k = box.x.low; k < box.x.high; ++k) {
                    row_sums[static_cast<std::size_t>(i * stride_ + k)] += line[k];
                    angle_sums[static_cast<std::size_t>(j * stride_ + k)] += line[k];
                }
            }
        return told();
    }

    Status give_up(Box const& box) override {
        for (index i = box.row.low; i < box.row.high; ++i) {
            double sum = 0;
            for (index j = box.angle.low; j < box.angle.high; ++j) {
                Real const* const line = at(i, j);
                // The weight that is given up is so little that its sum needs no more digits.
                Real part[lanes] = {};
                for (index k = box.x.low; k < box.x.high; k += lanes)
                    for (index n = 0; n < lanes; ++n) part[n] += line[k + n];
                for (Real const p : part) sum += static_cast<double>(p);
            }
            given_up_[static_cast<std::size_t>(i)] += sum;
        }
        return clear(box);
    }

    Status clear(Box const& box) override {
        for (index i = box.row.low; i < box.row.high; ++i)
            for (index j = box.angle.low; j < box.angle.high; ++j)
                std::fill(at(i, j) + box.x.low, at(i, j) + box.x.high, Real(0));
        return {};
    }

    Status set_rows(RangeRows const& rows) override {
        energy_ = rows.energy;
        water_ = Water<Real>(rows);
        return {};
    }

    Result<Scattered> scatter(Box const& box, Diffusion const& how,
                              std::span<Real> row_sums) override;
    Result<Flown> fly(Box const& box, Crossing<Real> const& how,
                      std::span<Real> angle_sums) override;

  private:
    // What leaves through the sides.
    struct Beside {
        Share left, right;
    };

    Kernels<Real> const& kernels_;
    Kernels<double> const& deposits_;  ///< moves what angles leave, which is kept in double
    int threads_;
    index angles_, stride_;
    std::vector<double> energy_;  ///< [row]
    Water<Real> water_;
    std::vector<Real> values_;
    std::vector<double> given_up_;  ///< [row]
    // [angle][x]
    std::vector<double> deposit_, stopped_, nuclear_energy_, nuclear_weight_;
    std::vector<std::vector<Real>> rooms_;  ///< of each thread

    Real* at(index i, index j) { return values_.data() + (i * angles_ + j) * stride_; }
    std::vector<double> told() {
        return std::exchange(given_up_, std::vector<double>(given_up_.size()));
    }
    Real* room(int worker, index places) {
        auto& room = rooms_[static_cast<std::size_t>(worker)];
        room.resize(std::max(room.size(), static_cast<std::size_t>(places)));
        return room.data();
    }
    void one_angle(index j, Box const& box, Crossing<Real> const& how, Real* room, Real* angle_sums,
                   Beside& out);
    Leak draw_back(double* line, Box const& box, Crossing<Real> const& how, double shift,
                   std::vector<double>& room) const;
    Flown collect(Box const& box, Crossing<Real> const& how, std::vector<Beside> const& beside);
};

template <class Real>
Result<Scattered> HostCells<Real>::scatter(Box const& box, Diffusion const& how,
                                           std::span<Real> row_sums) {
    Window const rows = box.row, x = box.x;
    Scattered out{std::vector<Leak>(static_cast<std::size_t>(rows.size())), told()};
    Sheet<Real> const sheet{at(0, box.angle.low) + x.low, box.angle.size(), x.size(), stride_,
                            angles_ * stride_};
    parallel_for(rows.size(), threads_, 1, [&](index n, int worker) {
        index const i = rows.low + n;
        auto const k = static_cast<std::size_t>(i);
        Real* const p = room(worker, stride_);
        for (index m = 0; m < x.size(); ++m) {
            auto const at = static_cast<std::size_t>(x.low + m);
            p[m] = static_cast<Real>(how.part[k] * (how.relative[at] + how.young[k] * how.gas[at]));
        }
        kernels_.scatter(sheet, i, p, how.passes[k], row_sums.data() + i * stride_ + x.low,
                         out.leaks[static_cast<std::size_t>(n)]);
    });
    return out;
}

template <class Real>
Result<Flown> HostCells<Real>::fly(Box const& box, Crossing<Real> const& how,
                                   std::span<Real> angle_sums) {
    std::vector<Beside> beside(static_cast<std::size_t>(box.angle.size()));
    parallel_for(box.angle.size(), threads_, 1, [&](index n, int worker) {
        one_angle(box.angle.low + n, box, how, room(worker, (box.row.size() + 3) * box.x.size()),
                  angle_sums.data(), beside[static_cast<std::size_t>(n)]);
    });
    return collect(box, how, beside);
}

// Drift and slowing down of one direction.
template <class Real>
void HostCells<Real>::one_angle(index j, Box const& box, Crossing<Real> const& how, Real* room,
                                Real* angle_sums, Beside& out) {
    index const low = box.row.low, n = box.row.size(), left = box.x.low, width = box.x.size();
    Way const& way = how.ways[static_cast<std::size_t>(j - box.angle.low)];
    Real* const lines = room;
    Real* const scratch = lines + n * width;
    std::vector<Leak> leaks(static_cast<std::size_t>(n));
    kernels_.drift(at(low, j) + left, angles_ * stride_, lines, n, width, how.columns, way.shift,
                   leaks.data(), scratch);
    for (index i = 0; i < n; ++i) {
        Leak const& leak = leaks[static_cast<std::size_t>(i)];
        double const e = energy_[static_cast<std::size_t>(low + i)];
        out.left += Share{leak.low, leak.low * e};
        out.right += Share{leak.high, leak.high * e};
    }
    auto const begin = static_cast<std::size_t>(j * stride_ + left);
    Tallies const tallies{deposit_.data() + begin, stopped_.data() + begin,
                          nuclear_energy_.data() + begin, nuclear_weight_.data() + begin};
    for (double* const t :
         {tallies.deposit, tallies.stopped, tallies.nuclear_energy, tallies.nuclear_weight})
        std::fill_n(t, width, 0.0);
    Rows<Real> const water{
        water_.energy.data() + low, how.after.data() + low,   how.drop.data() + low,
        water_.bend.data() + low,   water_.up.data() + low,   water_.down.data() + low,
        water_.far.data() + low,    water_.loss.data() + low, water_.fall};
    Columns<Real> const& all = how.materials;
    kernels_.slow(lines, n, width, static_cast<Real>(way.path), way.cut,
                  {all.shift + left, all.bend + left, all.straggling + left, all.nuclear + left},
                  water, tallies);
    kernels_.store(lines, n, width, at(low, j) + left, angles_ * stride_, angle_sums + begin);
}

// Places `line` half way between where its step began and where it ended: what leaves the phantom.
template <class Real>
Leak HostCells<Real>::draw_back(double* line, Box const& box, Crossing<Real> const& how,
                                double shift, std::vector<double>& room) const {
    Leak lost;
    index const width = box.x.size(), columns = how.columns;
    Real const* const taken = how.materials.shift + box.x.low;
    if (std::all_of(taken, taken + columns, [&](Real t) { return t == *taken; })) {
        deposits_.drift(line, width, line, 1, width, columns, shift, &lost, room.data());
        return lost;
    }
    DrawBack<Real> const back{move_of<double>(shift, columns), taken};
    (back.move.right ? lost.high : lost.low) = back.out(line, columns);
    std::copy_n(line, columns, room.begin());
    for (index x = 0; x < columns; ++x) line[x] = back.at(room.data(), columns, x);
    return lost;
}

// In the order of the angles, whatever thread had them.
template <class Real>
Flown HostCells<Real>::collect(Box const& box, Crossing<Real> const& how,
                               std::vector<Beside> const& beside) {
    index const columns = how.columns, width = box.x.size();
    Flown out;
    for (auto* v : {&out.deposit, &out.nuclear_energy})
        v->resize(static_cast<std::size_t>(columns));
    std::vector<double> room(static_cast<std::size_t>(2 * width + 6));
    for (std::size_t n = 0; n < beside.size(); ++n) {
        index const begin = (box.angle.low + static_cast<index>(n)) * stride_ + box.x.low;
        out.left += beside[n].left;
        out.right += beside[n].right;
        out.stopped.weight += sum_of(stopped_, begin, columns);
        out.nuclear.energy += sum_of(nuclear_energy_, begin, columns);
        out.nuclear.weight += sum_of(nuclear_weight_, begin, columns);
        double* const line = deposit_.data() + begin;
        Leak const lost = draw_back(line, box, how, -how.back * how.ways[n].shift, room);
        out.left.energy += lost.low;
        out.right.energy += lost.high;
        out.stopped.energy += sum_of(deposit_, begin, columns);
        for (std::size_t k = 0; k < out.deposit.size(); ++k) {
            out.deposit[k] += line[k];
            auto const at = static_cast<std::size_t>(begin) + k;
            out.nuclear_energy[k] += nuclear_energy_[at];
        }
    }
    return out;
}

}  // namespace

template <class Real>
std::unique_ptr<Cells<Real>> make_host_cells(Device const& device, index angles, index stride,
                                             RangeRows const& rows) {
    return std::make_unique<HostCells<Real>>(device, angles, stride, rows);
}

template std::unique_ptr<Cells<float>> make_host_cells(Device const&, index, index,
                                                       RangeRows const&);
template std::unique_ptr<Cells<double>> make_host_cells(Device const&, index, index,
                                                        RangeRows const&);

}  // namespace sluice::proton::marching
