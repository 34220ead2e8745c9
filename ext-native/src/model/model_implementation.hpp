#pragma once

#include <atomic>

#include "model/model_headers.hpp"
#include "system/com_pointer.hpp"

namespace dumpext {

/// How many objects of this library the data model holds: as long as there are any, the library must stay loaded.
std::atomic<long>& model_object_count() noexcept;

/// What every object has that this library gives to the data model: a count of references, and its interfaces.
template <typename... Interfaces>
class ModelImplementation : public Interfaces... {
public:
    ModelImplementation(const ModelImplementation&) = delete;
    ModelImplementation& operator=(const ModelImplementation&) = delete;

    STDMETHODIMP QueryInterface(REFIID wanted, void** found) noexcept override {
        *found = nullptr;
        ((*found == nullptr && IsEqualIID(wanted, identity_of<Interfaces>()) ? void(*found = static_cast<Interfaces*>(this)) : void()), ...);
        if (*found == nullptr && IsEqualIID(wanted, identity_of<IUnknown>())) {
            *found = this->identity();
        }

        if (*found == nullptr) {
            return E_NOINTERFACE;
        }

        AddRef();
        return S_OK;
    }

    STDMETHODIMP_(ULONG) AddRef() noexcept override { return static_cast<ULONG>(++references_); }

    STDMETHODIMP_(ULONG) Release() noexcept override {
        const long left = --references_;
        if (left == 0) {
            delete this;
        }

        return static_cast<ULONG>(left);
    }

protected:
    ModelImplementation() { ++model_object_count(); }
    virtual ~ModelImplementation() { --model_object_count(); }

private:
    /// The same pointer for every caller, as the rules of COM demand.
    template <typename First, typename...>
    struct FirstOf {
        using Type = First;
    };

    IUnknown* identity() { return static_cast<typename FirstOf<Interfaces...>::Type*>(this); }

    std::atomic<long> references_{1};
};

}
