using Dump.Model;
using Dump.Model.Process;

namespace Dump.Analysis.Tests;

/// <summary>Functions of libraries that are compiled into a program, by name and by source file, and those of programs that look like them.</summary>
public sealed class LibraryCodeTests
{
    [Theory]
    [InlineData("__gthread_mutex_lock")]
    [InlineData("std::lock_guard<std::mutex>::lock_guard")]
    [InlineData("__gnu_cxx::__exchange_and_add")]
    [InlineData("std::__1::lock_guard<std::__1::mutex>::lock_guard")]
    [InlineData("std::_Mutex_base::lock")]
    [InlineData("std::unique_lock<std::mutex>::lock")]
    [InlineData("std::sync::poison::mutex::Mutex<T>::lock")]
    [InlineData("<std::sys::sync::mutex::futex::Mutex>::lock_contended")]
    [InlineData("core::ops::function::FnOnce::call_once")]
    [InlineData("<alloc::boxed::Box<F> as core::ops::function::FnOnce<A>>::call_once")]
    [InlineData("<T as core::convert::Into<U>>::into")]
    [InlineData("boost::unique_lock<boost::mutex>::lock")]
    [InlineData("absl::lts_20220623::Mutex::Lock")]
    [InlineData("QMutexLocker<QMutex>::QMutexLocker")]
    [InlineData("QtPrivate::FunctorCall<int>::call")]
    [InlineData("pthread_mutex_lock")]
    [InlineData("_pthread_wait_for_single_object")]
    [InlineData("___pthread_mutex_lock")]
    [InlineData("__libc_start_main")]
    [InlineData("_Mtx_lock")]
    public void Function_of_a_library_is_known_by_its_name(string function) => Assert.True(LibraryCode.IsFunction(function), function);

    [Theory]
    [InlineData("shop::transfer")]
    [InlineData("stdlike::take")]
    [InlineData("my::std::take")]
    [InlineData("core::Engine::run")]
    [InlineData("core::run")]
    [InlineData("<shop::Queue as core::ops::drop::Drop>::drop")]
    [InlineData("<shop::T as std::fmt::Debug>::fmt")]
    [InlineData("boosted::run")]
    [InlineData("QuoteServer::run")]
    [InlineData("QRCode::scan")]
    [InlineData("QMutexTable::lock")]
    [InlineData("gthread_start")]
    [InlineData("shop::pthread_mutex_lock")]
    [InlineData("mtx_lock")]
    [InlineData("__shop_lock")]
    public void Function_of_a_program_is_none(string function) => Assert.False(LibraryCode.IsFunction(function), function);

    [Theory]
    [InlineData("/usr/include/c++/12/bits/std_mutex.h")]
    [InlineData("/usr/include/x86_64-linux-gnu/c++/12/bits/gthr-default.h")]
    [InlineData("/usr/include/boost/thread/mutex.hpp")]
    [InlineData("/usr/bin/../lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/mutex")]
    [InlineData("/usr/lib/llvm-14/bin/../include/c++/v1/__mutex_base")]
    [InlineData("/usr/lib/gcc/x86_64-linux-gnu/12/include/emmintrin.h")]
    [InlineData("/nix/store/abc-gcc-13/include/c++/13.2.0/mutex")]
    [InlineData("/usr/x86_64-w64-mingw32/include/pthread.h")]
    [InlineData("/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/sync/mutex.rs")]
    [InlineData("/home/me/.rustup/toolchains/stable/lib/rustlib/src/rust/library/core/src/ops/function.rs")]
    [InlineData("/home/me/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/parking_lot-0.12.1/src/raw_mutex.rs")]
    [InlineData(@"C:\Program Files\Microsoft Visual Studio\2022\Community\VC\Tools\MSVC\14.38.33130\include\mutex")]
    [InlineData(@"D:\Windows Kits\10\Include\10.0.22621.0\um\synchapi.h")]
    public void Source_file_of_a_library_is_known_by_its_place(string path) => Assert.True(LibraryCode.IsFile(path), path);

    /// <summary>A program may have a folder <c>include</c>, and lie below any other.</summary>
    [Theory]
    [InlineData("/home/me/shop/include/shop/lock.h")]
    [InlineData("/home/me/shop/include/c++/wrapper.h")]
    [InlineData("/home/me/shop/usr/include/lock.h")]
    [InlineData("/usr/src/shop/include/lock.h")]
    [InlineData("/usr/shop/include/lock.h")]
    [InlineData("/rustc/shop/src/main.rs")]
    [InlineData("/usr/include/../src/shop/main.cpp")]
    [InlineData("include/lock.h")]
    [InlineData(@"C:\src\shop\include\lock.h")]
    [InlineData("")]
    public void Source_file_of_a_program_is_none(string path) => Assert.False(LibraryCode.IsFile(path), path);

    [Fact]
    public void Program_function_that_is_inlined_makes_a_library_frame_the_programs()
    {
        StackFrame frame = new(1, 2, "shop", 1, "std::thread::_State_impl<T>::_M_run", 1, FrameTrust.UnwindInfo, SymbolSource.SymbolTable);
        Assert.True(LibraryCode.Contains(frame));
        Assert.False(LibraryCode.Contains(frame with { Inlined = [new InlinedCall("shop::transfer", null)] }));
        Assert.True(LibraryCode.Contains(frame with { Function = "helper", IsLibrary = true }));
        Assert.False(LibraryCode.Contains(frame with { Function = "std::Name", Symbol = SymbolSource.Metadata }));
    }
}
