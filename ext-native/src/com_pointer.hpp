#pragma once

#include <utility>

#include "debugger_headers.hpp"

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

    ComPointer(const ComPointer&) = delete;
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

    Interface* operator->() const { return pointer_; }
    explicit operator bool() const { return pointer_ != nullptr; }

private:
    Interface* pointer_ = nullptr;
};

}
