using System.Collections.Frozen;
using Dump.Model.Process;
using Dump.Model.Reported;

namespace Dump.Model;

/// <summary>
/// Which functions in a program's own module are a library's: templates, inline functions of headers, generic functions, and libraries that are linked into it.
/// The one place that tells them from the program's functions, by the name of the function and by the source file that it is in.
/// </summary>
public static class LibraryCode
{
    // libstdc++ and libc++ (std::__1), MSVC's STL, Rust's std; GCC's extensions and its run-time support; Boost; Abseil; Qt's internal and concurrent parts.
    private static readonly string[] s_namespaces =
        ["std::", "__gnu_cxx::", "__gnu_debug::", "__cxxabiv1::", "boost::", "absl::", "QtPrivate::", "QtConcurrent::", "QtSharedPointer::", "QtMetaContainerPrivate::"];

    // libstdc++ calls POSIX threads by functions of its own (gthr-posix.h): __gthread_mutex_lock. Threads of POSIX and of the C library, where these are
    // linked into
    // the program: POSIX reserves the beginning pthread_ (2.2.2, The Name Space), C two underscores. What MSVC's STL calls in its static library (xthreads.h).
    private static readonly string[] s_beginnings =
    [
        "__gthread_", "__gthrw_", "pthread_", "_pthread_", "__pthread_", "___pthread_", "__lll_lock_", "__libc_", "_Mtx_", "_Cnd_", "_Thrd_",
    ];

    // Programs in C++ have namespaces of these names too: they are Rust's only with one of its modules behind.
    private static readonly string[] s_crates = ["core::", "alloc::"];
    private static readonly FrozenSet<string> s_modules = FrozenSet.Create(
        StringComparer.Ordinal, "alloc", "any", "arch", "array", "ascii", "borrow", "boxed", "cell", "char", "clone", "cmp", "collections", "convert", "default",
        "error", "ffi", "fmt", "future", "hash", "hint", "intrinsics", "iter", "marker", "mem", "net", "num", "ops", "option", "panic", "panicking", "pin",
        "ptr", "raw_vec", "rc", "result", "slice", "str", "string", "sync", "task", "time", "unicode", "vec");

    // Classes of QtCore whose members are in its headers. A program may have classes of its own that begin with Q.
    private static readonly FrozenSet<string> s_qtClasses = FrozenSet.Create(
        StringComparer.Ordinal, "QMutex", "QBasicMutex", "QRecursiveMutex", "QMutexLocker", "QReadLocker", "QWriteLocker", "QReadWriteLock", "QSemaphore",
        "QSemaphoreReleaser", "QWaitCondition", "QFuture", "QFutureInterface", "QFutureInterfaceBase", "QFutureWatcher", "QPromise", "QThread", "QThreadPool",
        "QRunnable", "QObject", "QMetaObject", "QPointer", "QScopedPointer", "QSharedPointer", "QWeakPointer", "QSharedDataPointer", "QList", "QVector", "QMap",
        "QHash", "QSet", "QString", "QByteArray", "QVariant", "QArrayDataPointer", "QTypedArrayData", "QAtomicInt", "QAtomicInteger", "QAtomicPointer",
        "QBasicAtomicInteger", "QBasicAtomicPointer", "QDeadlineTimer");

    // Where compilers and systems keep their headers and the sources of their libraries; with slashes, in lower case, without the drive.
    private static readonly string[] s_folders =
    [
        "/usr/include/", "/usr/local/include/", "/usr/lib/gcc/", "/usr/lib/gcc-cross/", "/usr/local/lib/gcc/", "/usr/lib/clang/", "/usr/local/lib/clang/",
    ];

    // The same below whatever folder they were installed in: MSVC and the Windows SDK, Rust's toolchains, what cargo fetches, vcpkg's and Conan's packages.
    private static readonly string[] s_parts =
    [
        "/vc/tools/msvc/", "/windows kits/", "/lib/rustlib/src/rust/library/", "/.cargo/registry/src/", "/.cargo/git/checkouts/", "/vcpkg_installed/",
    ];

    private const string PackageFolder = "/.nuget/packages/";
    private const string CppHeaders = "/include/c++/";
    private const string RustSources = "/rustc/";
    private const string DebianRustSources = "/usr/src/rustc-";
    private const int RustHashDigits = 40;

    /// <summary>True for a frame of nothing but such functions: of one, without a function of the program's that is inlined into it.</summary>
    public static bool Contains(StackFrame frame) => frame.Inlined.IsEmpty && IsFunctionOf(frame);

    /// <summary>The same of a frame in a report. In reports of earlier versions the name alone tells.</summary>
    public static bool Contains(ReportedFrame frame) => frame.Inlined.IsEmpty && IsFunctionOf(frame);

    /// <summary>True for a frame whose own function is such a one, whatever is inlined into it.</summary>
    public static bool IsFunctionOf(ReportedFrame frame) => IsFunctionOf(frame.IsLibrary, frame.Symbol, frame.Function);

    /// <summary>The same of a frame that was read.</summary>
    public static bool IsFunctionOf(StackFrame frame) => IsFunctionOf(frame.IsLibrary, frame.Symbol, frame.Function);

    private static bool IsFunctionOf(bool isLibrary, SymbolSource symbol, string? function) =>
        isLibrary || (symbol != SymbolSource.Metadata && function is not null && IsFunction(function));

    /// <summary>True for the readable name of a function of such a library.</summary>
    /// <param name="function">The qualified name, for example <c>std::lock_guard&lt;std::mutex&gt;::lock_guard</c>.</param>
    public static bool IsFunction(string function)
    {
        string name = Implementation(function);
        return IsIn(name, s_namespaces) || IsIn(name, s_beginnings) || IsOfRust(name)
            || (name.StartsWith('Q') && s_qtClasses.Contains(name[..Scope(name)]));
    }

    /// <summary>True for a source file of such a library. A folder <c>include</c> of a program's own is not one.</summary>
    /// <param name="path">The path as the compiler wrote it down, with either separator.</param>
    public static bool IsFile(string path)
    {
        string file = Whole(path);
        return Array.Exists(s_folders, f => file.StartsWith(f, StringComparison.Ordinal)) || Array.Exists(s_parts, p => file.Contains(p, StringComparison.Ordinal))
            || file.StartsWith(DebianRustSources, StringComparison.Ordinal) || IsOfRustc(file) || IsCppHeader(file) || IsOfTarget(file);
    }

    /// <summary>True for a module that lies where packages are kept when a program is not published: NuGet's folder.</summary>
    /// <param name="path">The path of the module in its process, with either separator.</param>
    public static bool IsOfPackages(string path) => Whole(path).Contains(PackageFolder, StringComparison.Ordinal);

    private static bool IsIn(string name, string[] beginnings) => Array.Exists(beginnings, b => name.StartsWith(b, StringComparison.Ordinal));

    private static bool IsOfRust(string name) => Array.Exists(s_crates, c => name.StartsWith(c, StringComparison.Ordinal)
        && name.IndexOf("::", c.Length, StringComparison.Ordinal) is > 0 and var end && s_modules.Contains(name[c.Length..end]));

    /// <summary>
    /// What a name in Rust's form <c>&lt;Type as Trait&gt;::function</c> belongs to: the type, or the trait where the type is but a parameter (<c>T</c>).
    /// </summary>
    private static string Implementation(string function)
    {
        string name = function.TrimStart('<', '&');
        int trait = name.IndexOf(" as ", StringComparison.Ordinal);
        return trait == 1 && char.IsAsciiLetterUpper(name[0]) && name.Length != function.Length ? name[(trait + 4)..].TrimStart('<') : name;
    }

    private static int Scope(string name) => name.AsSpan().IndexOfAny('<', ':') is >= 0 and var end ? end : name.Length;

    /// <summary>With slashes, in lower case, without a drive and without steps up: <c>/usr/lib/gcc/x/12/../../../include</c> is <c>/usr/include</c>.</summary>
    private static string Whole(string path)
    {
        string file = path.Replace('\\', '/').ToLowerInvariant();
        file = file.Length > 1 && file[1] == ':' ? file[2..] : file;
        if (!file.Contains("/../", StringComparison.Ordinal))
        {
            return file;
        }

        List<string> way = [];
        foreach (string part in file.Split('/'))
        {
            if (part == ".." && way.Count > 1)
            {
                way.RemoveAt(way.Count - 1);
            }
            else if (part != ".")
            {
                way.Add(part);
            }
        }

        return string.Join('/', way);
    }

    /// <summary>The headers of libstdc++ and libc++, wherever the compiler is: behind <c>include/c++</c> comes a version.</summary>
    private static bool IsCppHeader(string file) => file.IndexOf(CppHeaders, StringComparison.Ordinal) is >= 0 and var at
        && file.AsSpan(at + CppHeaders.Length) is var behind && behind.IndexOf('/') is > 0 and var end
        && (behind[..end] is "v1" || behind[..end].IndexOfAnyExcept("0123456789.") < 0);

    /// <summary>The sources of Rust's library as rustc writes them down: by the hash of its commit.</summary>
    private static bool IsOfRustc(string file) => file.StartsWith(RustSources, StringComparison.Ordinal) && file.Length > RustSources.Length + RustHashDigits
        && file[RustSources.Length + RustHashDigits] == '/'
        && file.AsSpan(RustSources.Length, RustHashDigits).IndexOfAnyExcept("0123456789abcdef") < 0;

    /// <summary>The headers of a compiler for another system: <c>/usr/x86_64-w64-mingw32/include</c>, <c>/usr/lib/llvm-14/include</c>.</summary>
    private static bool IsOfTarget(string file) => file.Split('/') is ["", "usr", var target, "include", ..] ? target.Contains("-mingw32", StringComparison.Ordinal)
            || target.Contains("-linux-", StringComparison.Ordinal)
        : file.StartsWith("/usr/lib/llvm-", StringComparison.Ordinal);
}
