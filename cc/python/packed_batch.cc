// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "python/packed_batch.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "core/catalog/schema/column.h"
#include "core/stopwatch.h"
#include "python/dlpack.h"
#include "python/gil.h"
#include "python/registration.h"
#include "python/tensor_maker.h"

namespace py = pybind11;

namespace rowfeed {
namespace {

// The alignment of each tensor in the arena. A sector of a GPU's cache line begins
// there as well.
constexpr int64_t kAlignment = 64;
constexpr int64_t kLongCopy = int64_t{256} << 10;

// Returns the bytes from the begin of the first element to the end of the last one.
int64_t SizeOf(DType dtype, std::span<const int64_t> shape,
               std::span<const int64_t> strides) {
  if (std::ranges::find(shape, 0) != shape.end()) return 0;
  int64_t last = 0;
  for (size_t i = 0; i < shape.size(); ++i) last += (shape[i] - 1) * strides[i];
  return (last + 1) * ElementSize(dtype);
}

}  // namespace

// Notes where the tensors lie, and makes none.
class PackedBatch::ExtentMaker : public TensorMaker {
 public:
  explicit ExtentMaker(PackedBatch* batch) : batch_(batch) {}

  py::object Make(DType dtype, std::span<const int64_t> shape,
                  std::span<const int64_t> strides, void* data) override {
    const int64_t size = SizeOf(dtype, shape, strides);
    batch_->extents_.push_back({data, size, batch_->num_bytes_});
    batch_->num_bytes_ += (size + kAlignment - 1) / kAlignment * kAlignment;
    return py::none();
  }

 private:
  PackedBatch* const batch_;
};

// Makes the same tensors, in the same order, in the arena.
class PackedBatch::ArenaMaker : public TensorMaker {
 public:
  ArenaMaker(const std::vector<Extent>& extents, uint8_t* arena, ExchangeMaker* maker)
      : next_(extents.begin()), arena_(arena), maker_(maker) {}

  py::object Make(DType dtype, std::span<const int64_t> shape,
                  std::span<const int64_t> strides, void* /*data*/) override {
    return maker_->Make(dtype, shape, strides, arena_ + (next_++)->offset);
  }

 private:
  std::vector<Extent>::const_iterator next_;
  uint8_t* const arena_;
  ExchangeMaker* const maker_;
};

PackedBatch::PackedBatch(Batch batch, std::shared_ptr<const BatchTensors> tensors,
                         std::shared_ptr<Cursor> cursor)
    : batch_(std::move(batch)),
      tensors_(std::move(tensors)),
      cursor_(std::move(cursor)) {
  ExtentMaker extents(this);
  tensors_->MakeAll(batch_, &extents);
}

void PackedBatch::CopyTo(uintptr_t target) const {
  // Getting the GIL back may take longer than a short copy does.
  std::optional<GilReleased> unlocked;
  if (num_bytes_ > kLongCopy) unlocked.emplace();
  const Stopwatch watch;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): Python has addresses as numbers
  auto* const arena = reinterpret_cast<uint8_t*>(target);
  for (const auto& [data, size, offset] : extents_) {
    if (size > 0) std::memcpy(arena + offset, data, size);
  }
  cursor_->Add(Count::kConvert, watch.ns());
}

py::tuple PackedBatch::In(py::handle arena) const {
  const Stopwatch watch;
  const dlpack::Exchange* const exchange = tensors_->exchange();
  dlpack::ManagedTensor* managed = nullptr;
  if (exchange->managed_tensor_from_py_object(arena.ptr(), &managed) != 0) {
    throw py::error_already_set();
  }
  std::shared_ptr<dlpack::ManagedTensor> owner(
      managed, [](dlpack::ManagedTensor* kept) { kept->deleter(kept); });
  auto* const data = static_cast<uint8_t*>(managed->tensor.data);
  ExchangeMaker maker(exchange, std::move(owner), managed->tensor.device);
  ArenaMaker placed(extents_, data + managed->tensor.byte_offset, &maker);
  py::tuple tensors = tensors_->MakeAll(batch_, &placed);
  cursor_->Add(Count::kConvert, watch.ns());
  return tensors;
}

void RegisterPackedBatch(py::module_& module) {
  py::class_<PackedBatch>(module, "PackedBatch",
                          py::release_gil_before_calling_cpp_dtor())
      .def_property_readonly("num_bytes", &PackedBatch::num_bytes)
      .def("copy_to", &PackedBatch::CopyTo, py::arg("address"))
      .def("tensors_in", &PackedBatch::In, py::arg("arena"));
}

}  // namespace rowfeed
