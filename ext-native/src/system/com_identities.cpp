#include "system/com_pointer.hpp"

namespace dumpext {

template <>
const IID& identity_of<IDebugAdvanced2>() { return IID_IDebugAdvanced2; }

template <>
const IID& identity_of<IDebugClient4>() { return IID_IDebugClient4; }

template <>
const IID& identity_of<IDebugControl4>() { return IID_IDebugControl4; }

template <>
const IID& identity_of<IDebugDataSpaces2>() { return IID_IDebugDataSpaces2; }

template <>
const IID& identity_of<IDebugRegisters>() { return IID_IDebugRegisters; }

template <>
const IID& identity_of<IDebugSymbols3>() { return IID_IDebugSymbols3; }

template <>
const IID& identity_of<IDebugSystemObjects3>() { return IID_IDebugSystemObjects3; }

}
