// The state's values on a device out of the host's reach.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/remote_cells.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "device/place.h"
#include "domain/proton/marching/gather_slow.h"
#include "launch/map.h"

namespace sluice::proton::marching {
namespace {

std::size_t size(index n) {
    return static_cast<std::size_t>(n);
}

template <class Real>
class RemoteCells : public Cells<Real> {
  public:
    RemoteCells(Queue queue, index angles, index stride, index rows)
        : queue_(std::move(queue)), rows_(rows), angles_(angles), stride_(stride) {}

    Status begin(RangeRows const& rows) {
        index const lines = rows_ * stride_, chunks = (rows_ + chunk - 1) / chunk;
        for (auto* b : {&f_, &other_, &another_}) SLUICE_CHECK(make(*b, angles_ * lines));
        for (auto* b : {&row_sums_.there, &low_, &high_}) SLUICE_CHECK(make(*b, lines));
        SLUICE_CHECK(make(angle_sums_.there, angles_ * stride_));
        SLUICE_CHECK(make(leaks_, rows_));
        SLUICE_CHECK(put(given_up_, std::vector<double>(size(rows_))));
        SLUICE_CHECK(make(out_, rows_ * angles_));
        SLUICE_CHECK(make(sides_, angles_));
        SLUICE_CHECK(make(heaps_, stride_));
        SLUICE_CHECK(make(protons_, chunks * angles_ * stride_));
        for (auto* b : {&deposit_, &stopped_, &nuclear_energy_, &nuclear_weight_})
            SLUICE_CHECK(make(*b, chunks * angles_ * stride_));
        return set_rows(rows);
    }

    Status set_rows(RangeRows const& rows) override {
        Water<Real> w(rows);
        SLUICE_CHECK(put(mean_energy_, rows.energy));
        SLUICE_CHECK(put(energy_, std::move(w.energy)));
        SLUICE_CHECK(put(bend_, std::move(w.bend)));
        SLUICE_CHECK(put(up_, std::move(w.up)));
        SLUICE_CHECK(put(down_, std::move(w.down)));
        SLUICE_CHECK(put(far_, std::move(w.far)));
        fall_ = w.fall;
        return put(loss_, std::move(w.loss));
    }

    Status fill(std::vector<Real> values) override {
        SLUICE_CHECK(put(f_, std::move(values)));
        return queue_.wait();  // and so gives the values' memory back
    }

    Result<std::vector<double>> add_up(Box const& box, std::span<Real> row_sums,
                                       std::span<Real> angle_sums) override {
        Block const b = block(box);
        SLUICE_CHECK(
            run(b.rows * b.width, AddUp<Real>{b, false, f_.data(), row_sums_.there.data()}));
        SLUICE_CHECK(
            run(b.angles * b.width, AddUp<Real>{b, true, f_.data(), angle_sums_.there.data()}));
        SLUICE_CHECK(fetch_lines(row_sums_, box.row));
        SLUICE_CHECK(fetch_lines(angle_sums_, box.angle));
        SLUICE_TRY(auto given_up, told());
        copy_lines(row_sums_, box.row, box.x, row_sums);
        copy_lines(angle_sums_, box.angle, box.x, angle_sums);
        return given_up;
    }

    Status give_up(Box const& box) override {
        SLUICE_CHECK(run(box.row.size(), GiveUp<Real>{block(box), f_.data(), given_up_.data()}));
        return clear(box);
    }
    Status clear(Box const& box) override {
        Block const b = block(box);
        return run(b.cells(), Clear<Real>{b, f_.data()});
    }

    Result<Scattered> scatter(Box const& box, Diffusion const& how,
                              std::span<Real> row_sums) override {
        Block const b = block(box);
        SLUICE_CHECK(put(passes_, {how.passes.begin(), how.passes.end()}));
        SLUICE_CHECK(put(part_, how.part));
        SLUICE_CHECK(put(relative_, how.relative));
        SLUICE_CHECK(put(gas_, how.gas));
        SLUICE_CHECK(put(young_, how.young));
        SLUICE_CHECK(run(
            b.rows * b.width,
            Scatter<Real>{b, f_.data(), passes_.data(), part_.data(), relative_.data(), gas_.data(),
                          young_.data(), row_sums_.there.data(), low_.data(), high_.data()}));
        SLUICE_CHECK(run(b.rows, AddLeaks<Real>{b, low_.data(), high_.data(), leaks_.data()}));
        SLUICE_CHECK(fetch_lines(row_sums_, box.row));
        Scattered out;
        out.leaks.resize(size(b.rows));
        SLUICE_CHECK(fetch(leaks_, out.leaks));
        SLUICE_TRY(out.given_up, told());
        copy_lines(row_sums_, box.row, box.x, row_sums);
        return out;
    }

    Result<Flown> fly(Box const& box, Crossing<Real> const& how,
                      std::span<Real> angle_sums) override {
        Block const b = block(box);
        SLUICE_CHECK(put_routes(how));
        SLUICE_CHECK(put_materials(how.materials));
        SLUICE_CHECK(put(after_, how.after));
        SLUICE_CHECK(put(drop_, how.drop));
        Slowing<Real> const s = slowing(b);
        SLUICE_CHECK(
            run(b.cells(), Drift<Real>{b, how.columns, routes_.data(), f_.data(), other_.data()}));
        SLUICE_CHECK(run(b.rows * b.angles,
                         DriftOut<Real>{b, how.columns, routes_.data(), f_.data(), out_.data()}));
        SLUICE_CHECK(run(b.angles, AddSides<Real>{b, routes_.data(), out_.data(),
                                                  mean_energy_.data(), sides_.data()}));
        SLUICE_CHECK(slow_down(s, how));
        SLUICE_CHECK(
            run(b.angles * b.width, AddChunks<Real>{b, s.parts, angle_sums_.there.data()}));
        SLUICE_CHECK(run(how.columns, Collect<Real>{b, how.columns, routes_.data(),
                                                    s.materials.shift, s.parts, heaps_.data()}));
        SLUICE_CHECK(run(b.angles, MoveBackOut<Real>{b, how.columns, routes_.data(),
                                                     s.materials.shift, s.parts, sides_.data()}));
        std::vector<Side> sides(size(b.angles));
        std::vector<Heap> heaps(size(how.columns));
        SLUICE_CHECK(fetch(sides_, sides));
        SLUICE_CHECK(fetch(heaps_, heaps));
        SLUICE_CHECK(fetch_lines(angle_sums_, box.angle));
        SLUICE_CHECK(queue_.wait());
        copy_lines(angle_sums_, box.angle, box.x, angle_sums);
        return flown(sides, heaps);
    }

  private:
    // Sums by line, and what was last copied of them.
    struct Lines {
        Place<Real> there;
        std::vector<Real> here;
    };

    Queue queue_;
    index rows_, angles_, stride_;
    Place<Real> f_, other_, another_;  ///< the state, and two where it is while it flies
    Lines row_sums_, angle_sums_;
    Place<Real> low_, high_, protons_;
    Place<Leak> leaks_;
    Place<double> given_up_, out_, deposit_, stopped_, nuclear_energy_, nuclear_weight_;
    Place<Side> sides_;
    Place<Heap> heaps_;
    Place<double> part_, relative_, gas_, young_;
    Place<std::int32_t> passes_;
    Place<Route<Real>> routes_;
    Place<Real> shift_, bend_of_x_, straggling_, nuclear_;
    Place<double> mean_energy_;
    Place<Real> energy_, after_, drop_, bend_, up_, down_, far_, loss_;  ///< of rows
    index fall_ = 0;

    template <class T>
    Status make(Place<T>& place, index count) {
        SLUICE_TRY(place, Place<T>::make(queue_, count));
        return {};
    }
    template <class T>
    Status put(Place<T>& place, std::vector<T> values) {
        return place.put(queue_, std::move(values));
    }
    template <class T>
    Status fetch(Place<T> const& place, std::vector<T>& to) {
        return place.download(queue_, to);
    }
    template <class Kernel>
    Status run(index n, Kernel const& kernel) {
        return launch::map(queue_, n, kernel);
    }

    Block block(Box const& b) const {
        return {b.row.low, b.row.size(), b.angle.low, b.angle.size(),
                b.x.low,   b.x.size(),   angles_,     stride_};
    }

    // Lines of the grid, from one row or angle to another, and then what of them is in a box.
    Status fetch_lines(Lines& sums, Window lines) {
        sums.here.resize(size(lines.size() * stride_));
        return sums.there.download(queue_, sums.here, lines.low * stride_);
    }
    void copy_lines(Lines const& sums, Window lines, Window x, std::span<Real> to) const {
        for (index i = 0; i < lines.size(); ++i)
            std::copy_n(sums.here.begin() + i * stride_ + x.low, x.size(),
                        to.begin() + (lines.low + i) * stride_ + x.low);
    }

    // After this wait all earlier copies are complete, too.
    Result<std::vector<double>> told() {
        std::vector<double> out(size(rows_));
        SLUICE_CHECK(fetch(given_up_, out));
        SLUICE_CHECK(queue_.wait());
        SLUICE_CHECK(put(given_up_, std::vector<double>(size(rows_))));
        return out;
    }

    Status put_routes(Crossing<Real> const& how) {
        std::vector<Route<Real>> routes;
        for (Way const& way : how.ways)
            routes.push_back({move_of<Real>(way.shift, how.columns),
                              move_of<double>(-how.back * way.shift, how.columns),
                              static_cast<Real>(way.path), way.cut.whole, way.cut.slowing,
                              way.cut.carried, way.cut.dropped});
        return put(routes_, std::move(routes));
    }
    Status put_materials(Columns<Real> const& m) {
        auto const all = [&](Real const* from) { return std::vector<Real>(from, from + stride_); };
        SLUICE_CHECK(put(shift_, all(m.shift)));
        SLUICE_CHECK(put(bend_of_x_, all(m.bend)));
        SLUICE_CHECK(put(straggling_, all(m.straggling)));
        return put(nuclear_, all(m.nuclear));
    }

    Slowing<Real> slowing(Block const& b) const {
        index const row = b.first_row, x = b.first_x;
        return {
            b,
            {energy_.data() + row, after_.data() + row, drop_.data() + row, bend_.data() + row,
             up_.data() + row, down_.data() + row, far_.data() + row, loss_.data() + row, fall_},
            {shift_.data() + x, bend_of_x_.data() + x, straggling_.data() + x, nuclear_.data() + x},
            routes_.data(),
            {deposit_.data(), stopped_.data(), nuclear_energy_.data(), nuclear_weight_.data(),
             protons_.data()}};
    }

    // Of what has drifted, and back to where the state is.
    Status slow_down(Slowing<Real> const& s, Crossing<Real> const& how) {
        index const n = (s.block.rows + chunk - 1) / chunk * s.block.angles * s.block.width;
        Real *from = other_.data(), *to = another_.data();
        int const straggling = how.ways.front().cut.straggling;
        for (int pass = 0; pass < std::max(1, straggling); ++pass) {
            SLUICE_CHECK(run(n, Settle<Real>{s, from, to, pass == 0, straggling > 0}));
            std::swap(from, to);
        }
        int passes = 1;
        for (Way const& way : how.ways) passes = std::max(passes, way.cut.slowing);
        for (int pass = 0; pass < passes; ++pass) {
            Real* const there = pass + 1 < passes ? to : f_.data();
            SLUICE_CHECK(run(n, SlowDown<Real>{s, from, there, pass}));
            std::swap(from, to);
        }
        return {};
    }

    static Flown flown(std::vector<Side> const& sides, std::vector<Heap> const& heaps) {
        Flown out;
        for (Side const& s : sides) {
            (s.right ? out.right : out.left) += Share{s.weight, s.energy};
            (s.right_back ? out.right : out.left).energy += s.energy_back;
        }
        for (Heap const& h : heaps) {
            out.deposit.push_back(h.deposit);
            out.nuclear_energy.push_back(h.nuclear_energy);
            out.stopped += Share{h.stopped_weight, h.deposit};
            out.nuclear += Share{h.nuclear_weight, h.nuclear_energy};
        }
        return out;
    }
};

}  // namespace

template <class Real>
Result<std::unique_ptr<Cells<Real>>> make_remote_cells(Device const& device, index angles,
                                                       index stride, RangeRows const& rows) {
    SLUICE_TRY(Queue queue, Queue::of(device));
    auto cells = std::make_unique<RemoteCells<Real>>(std::move(queue), angles, stride, rows.size());
    SLUICE_CHECK(cells->begin(rows));
    return std::unique_ptr<Cells<Real>>(std::move(cells));
}

template Result<std::unique_ptr<Cells<float>>> make_remote_cells(Device const&, index, index,
                                                                 RangeRows const&);
template Result<std::unique_ptr<Cells<double>>> make_remote_cells(Device const&, index, index,
                                                                  RangeRows const&);

}  // namespace sluice::proton::marching
