#pragma once

#include <utility>

#include "system/debugger_headers.hpp"

namespace dumpext {

/// The identity of an interface.
template <typename Interface>
const IID& identity_of();

/// Owns a reference to an interface of the debugger.
template <typename Interface>
class ComPointer {
public:
    ComPointer() = default;
    ~ComPointer() {
        if (pointer_ != nullptr) {
            pointer_->Release();
        }
    }

    ComPointer(const ComPointer& other) : pointer_(other.pointer_) {
        if (pointer_ != nullptr) {
            pointer_->AddRef();
        }
    }

    ComPointer& operator=(const ComPointer&) = delete;
    ComPointer(ComPointer&& other) noexcept : pointer_(std::exchange(other.pointer_, nullptr)) {}
    ComPointer& operator=(ComPointer&& other) noexcept {
        std::swap(pointer_, other.pointer_);
        return *this;
    }

    /// Asks an object for an interface; empty when it has none of that kind.
    static ComPointer query(IUnknown* object) {
        ComPointer result;
        void* found = nullptr;
        if (object != nullptr && SUCCEEDED(object->QueryInterface(identity_of<Interface>(), &found))) {
            result.pointer_ = static_cast<Interface*>(found);
        }

        return result;
    }

    /// Takes over a reference that somebody else added.
    static ComPointer adopt(Interface* referenced) {
        ComPointer result;
        result.pointer_ = referenced;
        return result;
    }

    /// Where a function stores a reference; only while this is empty.
    Interface** receive() { return &pointer_; }

    /// Gives the reference away.
    Interface* release() { return std::exchange(pointer_, nullptr); }

    Interface* get() const { return pointer_; }
    Interface* operator->() const { return pointer_; }
    explicit operator bool() const { return pointer_ != nullptr; }

private:
    Interface* pointer_ = nullptr;
};

}
