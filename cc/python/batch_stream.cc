// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/batch_stream.h"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/batch/batch.h"
#include "python/registration.h"
#include "python/status_caster.h"

namespace py = pybind11;

namespace rowfeed {
namespace {

using Unlocked = py::call_guard<py::gil_scoped_release>;

// A waiting next() looks for signals this often.
constexpr std::chrono::milliseconds kPoll(100);

// The bits of bfloat16, which NumPy has not: the faces give them their type.
const char* NumPyName(DType dtype) {
  switch (dtype) {
    case DType::kString:
    case DType::kBinary:
      return "uint8";
    case DType::kBFloat16:
      return "uint16";
    default:
      return DTypeName(dtype);
  }
}

// An object that keeps a batch's memory: the base of all arrays that look into it.
py::capsule Keep(std::shared_ptr<void> owner) {
  return {new std::shared_ptr<void>(std::move(owner)),
          [](void* kept) { delete static_cast<std::shared_ptr<void>*>(kept); }};
}

// A BatchStream whose batches are NumPy arrays. Calls that can wait do so without the
// GIL.
class PyBatchStream {
 public:
  PyBatchStream(std::shared_ptr<Cursor> cursor, const StreamOptions& options)
      : stream_(BatchStream::Make(std::move(cursor), options)),
        offsets_dtype_(py::dtype::of<int64_t>()),
        valid_dtype_(py::dtype::of<bool>()) {
    for (const Output& output : stream_->outputs()) {
      dtypes_.emplace_back(NumPyName(output.column.dtype));
    }
  }

  ~PyBatchStream() {
    py::gil_scoped_release unlocked;
    stream_.reset();
  }

  // (arrays, valid or None), or None at the end.
  py::object Next() {
    Batch batch;
    while (true) {
      const Result<BatchStream::Pull> pull = Pull(&batch);
      if (!pull.ok()) RaiseStatus(pull.status());
      if (*pull == BatchStream::Pull::kEnd) return py::none();
      if (*pull == BatchStream::Pull::kBatch) return Arrays(std::move(batch));
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
  }

  Result<int64_t> Skip(int64_t num_batches) { return stream_->Skip(num_batches); }
  Status Restore(const Progress& progress) { return stream_->Restore(progress); }
  Progress GetProgress() const { return stream_->progress(); }
  void Close() { stream_->Close(); }

 private:
  Result<BatchStream::Pull> Pull(Batch* batch) {
    py::gil_scoped_release unlocked;
    return stream_->Next(kPoll, batch);
  }

  py::tuple Arrays(Batch batch) const {
    const py::capsule base = Keep(std::move(batch.owner));
    py::list arrays(dtypes_.size());
    for (size_t i = 0; i < dtypes_.size(); ++i) {
      arrays[i] = Array(batch, i, base);
    }
    py::object valid = py::none();
    if (batch.valid != nullptr) {
      valid = py::array(valid_dtype_, {batch.num_rows}, {}, batch.valid, base);
    }
    return py::make_tuple(std::move(arrays), std::move(valid));
  }

  py::object Array(const Batch& batch, size_t i, const py::capsule& base) const {
    const Output& output = stream_->outputs()[i];
    const Column& column = output.column;
    uint8_t* data = batch.parts[output.values].data;
    if (output.num_columns > 0) return Columns(batch, output, i, base);
    if (!column.is_variable()) {
      return Values(column, batch.num_rows, i, data, base);
    }
    const std::vector<Splits> splits = SplitsOf(output, batch);
    py::tuple arrays(splits.size() + 1);
    const Splits& last = splits.back();
    arrays[0] = Values(column, last.data[last.size - 1], i, data, base);
    for (size_t level = 0; level < splits.size(); ++level) {
      arrays[level + 1] =
          py::array(offsets_dtype_, {splits[level].size}, {}, splits[level].data, base);
    }
    return arrays;
  }

  // [rows, columns], a column side by side.
  py::array Columns(const Batch& batch, const Output& output, size_t i,
                    const py::capsule& base) const {
    uint8_t* data = batch.parts[output.values].data;
    const auto num_columns = static_cast<py::ssize_t>(output.num_columns);
    const py::ssize_t stride =
        num_columns > 1 ? batch.parts[output.values + 1].data - data : 0;
    const std::vector<py::ssize_t> shape = {batch.num_rows, num_columns};
    const std::vector<py::ssize_t> strides = {dtypes_[i].itemsize(), stride};
    return {dtypes_[i], shape, strides, data, base};
  }

  // An array of `size` units.
  py::array Values(const Column& column, int64_t size, size_t i, uint8_t* data,
                   const py::capsule& base) const {
    std::vector<py::ssize_t> shape = {size};
    shape.insert(shape.end(), column.dense_shape.begin(), column.dense_shape.end());
    return {dtypes_[i], std::move(shape), {}, data, base};
  }

  std::unique_ptr<BatchStream> stream_;
  std::vector<py::dtype> dtypes_;  // of elements; made once, not once per batch
  py::dtype offsets_dtype_;
  py::dtype valid_dtype_;
};

}  // namespace

void RegisterBatchStream(py::module_& module) {
  py::class_<PyBatchStream>(module, "BatchStream")
      .def(py::init<std::shared_ptr<Cursor>, const StreamOptions&>(), py::arg("cursor"),
           py::arg("options"))
      .def("next", &PyBatchStream::Next)
      .def("skip", &PyBatchStream::Skip, Unlocked(), py::arg("num_batches"))
      .def_property_readonly("progress",
                             py::cpp_function(&PyBatchStream::GetProgress, Unlocked()))
      .def("restore", &PyBatchStream::Restore, Unlocked(), py::arg("progress"))
      .def("close", &PyBatchStream::Close, Unlocked());
}

}  // namespace rowfeed
