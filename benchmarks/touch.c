// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#define PY_SSIZE_T_CLEAN
#include "touch.h"

#include <Python.h>

static uint64_t touched;  // Keeps the reads alive, whatever the compiler knows.
static PyObject* data_ptr;  // The names of torch's attributes.
static PyObject* nbytes;

// Touches [rows, columns] where the numbers of each column lie side by side. What lies
// between two columns belongs to other batches.
static int TouchColumns(const Py_buffer* view) {
  if (view->ndim != 2 || view->strides[0] != view->itemsize) {
    PyErr_SetString(PyExc_ValueError, "touch() takes rows or columns side by side");
    return -1;
  }
  const size_t bytes = (size_t)(view->shape[0] * view->itemsize);
  const char* data = (const char*)view->buf;
  for (Py_ssize_t i = 0; i < view->shape[1]; ++i) {
    touched += TouchBytes(data + i * view->strides[1], bytes);
  }
  return 0;
}

// Each returns the tensor's bytes, or -1 with an exception set.
static Py_ssize_t TouchBuffer(PyObject* tensor) {
  Py_buffer view;
  if (PyObject_GetBuffer(tensor, &view, PyBUF_STRIDES) != 0) return -1;
  Py_ssize_t bytes = view.len;
  if (PyBuffer_IsContiguous(&view, 'C')) {
    touched += TouchBytes(view.buf, (size_t)bytes);
  } else if (TouchColumns(&view) != 0) {
    bytes = -1;
  }
  PyBuffer_Release(&view);
  return bytes;
}

// torch's tensors have no buffer protocol, and .numpy() costs more than the reads.
static Py_ssize_t TouchTorch(PyObject* tensor) {
  PyObject* address = PyObject_CallMethodNoArgs(tensor, data_ptr);
  PyObject* size = PyObject_GetAttr(tensor, nbytes);
  Py_ssize_t bytes = -1;
  if (address != NULL && size != NULL) {
    const void* data = PyLong_AsVoidPtr(address);
    bytes = PyLong_AsSsize_t(size);
    if (!PyErr_Occurred()) touched += TouchBytes(data, (size_t)bytes);
  }
  Py_XDECREF(address);
  Py_XDECREF(size);
  return PyErr_Occurred() ? -1 : bytes;
}

static PyObject* Touch(PyObject* module, PyObject* tensors) {
  (void)module;
  PyObject* sequence = PySequence_Fast(tensors, "touch() takes a sequence of tensors");
  if (sequence == NULL) return NULL;
  Py_ssize_t total = 0;
  const Py_ssize_t size = PySequence_Fast_GET_SIZE(sequence);
  for (Py_ssize_t i = 0; i < size; ++i) {
    PyObject* tensor = PySequence_Fast_GET_ITEM(sequence, i);
    const Py_ssize_t bytes =
        PyObject_CheckBuffer(tensor) ? TouchBuffer(tensor) : TouchTorch(tensor);
    if (bytes < 0) {
      Py_DECREF(sequence);
      return NULL;
    }
    total += bytes;
  }
  Py_DECREF(sequence);
  return PyLong_FromSsize_t(total);
}

static PyMethodDef methods[] = {
    {"touch", Touch, METH_O, "Reads a byte of every 64 of each tensor; returns bytes."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    .m_base = PyModuleDef_HEAD_INIT, .m_name = "_touch", .m_methods = methods};

PyMODINIT_FUNC PyInit__touch(void) {
  data_ptr = PyUnicode_InternFromString("data_ptr");
  nbytes = PyUnicode_InternFromString("nbytes");
  if (data_ptr == NULL || nbytes == NULL) return NULL;
  return PyModule_Create(&module);
}
