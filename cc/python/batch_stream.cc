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
    for (const Column& column : stream_->columns()) {
      dtypes_.emplace_back(column.is_bytes() ? "uint8" : DTypeName(column.dtype));
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
  std::vector<Column> columns() const { return stream_->columns(); }

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
    const BatchColumn& views = batch.columns[i];
    const Column& column = stream_->columns()[i];
    if (column.is_variable()) {
      py::array elements(dtypes_[i], {views.offsets[batch.num_rows]}, {}, views.data,
                         base);
      py::array offsets(offsets_dtype_, {batch.num_rows + 1}, {}, views.offsets, base);
      return py::make_tuple(std::move(elements), std::move(offsets));
    }
    std::vector<py::ssize_t> shape = {batch.num_rows};
    if (column.shape == RowShape::kDense) shape.push_back(column.list_size);
    return py::array(dtypes_[i], std::move(shape), {}, views.data, base);
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
      .def("close", &PyBatchStream::Close, Unlocked())
      .def_property_readonly("columns", &PyBatchStream::columns);
}

}  // namespace rowfeed
