using System.Collections.Concurrent;
using System.Globalization;
using System.Runtime.InteropServices;
using Dump.Model.Text;
using Dump.Readers.Files;

namespace Dump.Clr.Runtimes;

/// <summary>
/// The one gate through which code comes into this program on Linux: data-access libraries, debugging libraries and DbgShim, whoever names them. A file passes
/// when it and every directory above it belong to root, to the user who runs this program, or to the owner of this program's own file, and nobody else may write
/// there. It is then loaded by its descriptor, so that what was checked is what runs.
/// </summary>
/// <remarks>
/// <para>A directory that others may write to passes only with the sticky bit, as <c>/tmp</c>, and only above one of the caller's own: never as the one that
/// holds the file.</para>
/// <para>A group that may write counts as somebody else, unless it is the caller's private group, as Debian, Fedora and others make one for each user (its number is
/// the user's, it lists no other member, and no other user has it for his first) and no access-control list adds to it. So a home directory under umask 002 passes.</para>
/// <para>Links are followed one by one: a link passes where its owner does, and where it leads is checked from the root on. Directories of <c>/proc</c> pass, since
/// nobody can make anything there.</para>
/// <para>On Windows the rule is another one (<see cref="ClrTarget"/>, SECURITY.md): Microsoft's signature, or a directory that the user names.</para>
/// </remarks>
public sealed partial class CodeFile
{
    private const int MostSteps = 256;
    private const int LongestLink = 4096;
    private const string Groups = "/etc/group";
    private const string Users = "/etc/passwd";
    private static readonly ConcurrentDictionary<FileIdentity, CodeFile> s_open = new();

    // He could have written this program, so he has its rights already: the program of an archive that was unpacked by one user and is run by root.
    private static readonly Lazy<uint> s_programOwner = new(() =>
        Environment.ProcessPath is { } program && FileStatus.Of(program) is { } status ? status.User : 0);

    private readonly FileIdentity _identity;
    private readonly bool _isLayered;

    private CodeFile(string path, string loadPath, FileIdentity identity, bool isLayered) =>
        (Path, LoadPath, _identity, _isLayered) = (path, loadPath, identity, isLayered);

    /// <summary>Its path, as it was asked for.</summary>
    public string Path { get; }

    /// <summary>
    /// The path to read it and to load it by, which leads to the file that was checked whatever becomes of its name: its descriptor below <c>/proc/self</c>. On
    /// Windows <see cref="Path"/>.
    /// </summary>
    public string LoadPath { get; }

    /// <summary>Opens a file whose code may run here. It stays open as long as this process lives, as libraries stay loaded.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="refusal">Why its code may not run here, as a clause; null when it may, or when there is no such file.</param>
    /// <returns>The file, or null.</returns>
    public static CodeFile? Open(string path, out string? refusal)
    {
        refusal = null;
        if (!OperatingSystem.IsLinux())
        {
            return File.Exists(path) ? new CodeFile(path, path, default, false) : null;
        }

        int file = new Walk(FileStatus.EffectiveUser, EffectiveGroup(), s_programOwner.Value).Open(System.IO.Path.GetFullPath(path), out FileStatus status, out refusal);
        if (file < 0)
        {
            return null;
        }

        string own = string.Create(CultureInfo.InvariantCulture, $"/proc/self/fd/{file}");
        CodeFile opened = new(path, File.Exists(own) ? own : path, status.Identity, FileSystem(file) is OverlayFileSystem or BtrfsFileSystem);
        CodeFile kept = s_open.GetOrAdd(status.Identity, opened);
        if (!ReferenceEquals(kept, opened))
        {
            _ = Close(file);
        }

        return kept;
    }

    /// <summary>
    /// True when a process has this very file mapped. Layered file systems give their files a device of their own, while the list of mappings names that of the
    /// layer: there the number decides.
    /// </summary>
    /// <param name="mapped">Device and number as <c>/proc/PID/maps</c> lists them.</param>
    public bool Is(FileIdentity mapped) => mapped == _identity || (_isLayered && mapped.Number == _identity.Number);

    /// <summary>Why a file is refused to a user; null when it is not.</summary>
    internal static string? RefusalFor(string path, uint user, uint group)
    {
        int file = new Walk(user, group, user).Open(path, out _, out string? refusal);
        _ = file >= 0 ? Close(file) : 0;
        return refusal;
    }

    /// <summary>True for a directory, not a link to one, that belongs to this user and that nobody else may write to.</summary>
    internal static bool IsThisUsersAlone(string directory) =>
        FileStatus.Of(directory, ofLink: true) is { IsDirectory: true } status && (status.Mode & WritableByOthers) == 0
            && status.User == FileStatus.EffectiveUser;

    /// <summary>A walk from the root to a file, each step by the descriptor of the one before.</summary>
    private sealed class Walk(uint user, uint group, uint programOwner)
    {
        private readonly Stack<string> _ahead = new();
        private int _here = -1;

        /// <summary>Opens the file for reading.</summary>
        /// <returns>Its descriptor; negative when there is none, or when its code may not run here.</returns>
        public int Open(string path, out FileStatus status, out string? refusal)
        {
            (status, refusal) = (default, null);
            Push(path);
            string place = "/";
            try
            {
                _here = OpenAt(OpenLayout.CurrentDirectory, "/", OpenLayout.NameOnly | OpenLayout.DirectoryOnly);
                refusal = FileStatus.Of(_here, "", OpenLayout.OfTheDescriptor) is { } root ? Refusal(place, root) : null;
                for (int steps = 0; refusal is null && _here >= 0 && _ahead.TryPop(out string? name); steps++)
                {
                    if (steps == MostSteps)
                    {
                        refusal = "its path has too many links";
                        return -1;
                    }

                    int next = OpenAt(_here, name, OpenLayout.NameOnly | OpenLayout.NotThroughLink);
                    if (next < 0 || FileStatus.Of(next, "", OpenLayout.OfTheDescriptor) is not { } found)
                    {
                        CloseIf(next);
                        return -1;
                    }

                    string named = name == ".." ? System.IO.Path.GetDirectoryName(place) ?? "/" : System.IO.Path.Combine(place, name);
                    bool isOfKernel = FileSystem(next) == ProcFileSystem;
                    refusal = isOfKernel ? null : Refusal(named, found);
                    if (refusal is not null)
                    {
                        CloseIf(next);
                    }
                    else if (found.IsLink && isOfKernel)
                    {
                        // Leads to an object of the kernel and not to a name: the root of another process, or an open file.
                        CloseIf(next);
                        Go(OpenAt(_here, name, OpenLayout.NameOnly | OpenLayout.DirectoryOnly));
                        place = named;
                        refusal = FileStatus.Of(_here, "", OpenLayout.OfTheDescriptor) is { } there ? Refusal(named, there) : null;
                    }
                    else if (found.IsLink)
                    {
                        CloseIf(next);
                        place = Follow(place, Target(name));
                    }
                    else if (found.IsDirectory)
                    {
                        Go(next);
                        place = named;
                    }
                    else
                    {
                        CloseIf(next);
                        status = found;
                        return found.IsFile && _ahead.Count == 0 ? OpenFile(name, named, found, out refusal) : -1;
                    }
                }

                return -1;
            }
            finally
            {
                CloseIf(_here);
            }
        }

        private int OpenFile(string name, string named, in FileStatus found, out string? refusal)
        {
            refusal = null;
            int file = OpenAt(_here, name, OpenLayout.NotThroughLink | OpenLayout.ReadWithoutWaiting);
            if (file >= 0 && (FileStatus.Of(file, "", OpenLayout.OfTheDescriptor) is not { } opened || opened.Identity != found.Identity))
            {
                refusal = $"{SafeText.Clean(named)} was replaced while it was opened";
                CloseIf(file);
                return -1;
            }

            return file;
        }

        /// <summary>Why nothing may be loaded through a file, directory or link; null when it may.</summary>
        private string? Refusal(string named, in FileStatus status)
        {
            string name = SafeText.Clean(named);
            if (status.User != 0 && status.User != user && status.User != programOwner)
            {
                return string.Create(CultureInfo.InvariantCulture, $"{name} belongs to user {status.User}");
            }

            if (status.IsLink)
            {
                return null;
            }

            if ((status.Mode & WritableByOthers) == 0 || (status.IsDirectory && _ahead.Count > 1 && (status.Mode & Sticky) != 0))
            {
                // Under the sticky bit, with more than the file's own name ahead, what is checked next is somebody's, who alone may replace it there.
                return null;
            }

            return (status.Mode & WritableByAll) != 0 ? $"everybody may write to {name}"
                : status.Group == group && IsPrivateGroup(named) ? null : string.Create(CultureInfo.InvariantCulture, $"group {status.Group} may write to {name}");
        }

        /// <summary>True when the caller's group has his number, no other member, and the file no further writers.</summary>
        private bool IsPrivateGroup(string path)
        {
            if (group != user || GetAttribute(path, "system.posix_acl_access", 0, 0) >= 0)
            {
                return false;
            }

            try
            {
                string[]? line = Fields(Groups).FirstOrDefault(l => l.Length == 4 && IsGroup(l[2]));
                return line is not null && line[3].Split(',', StringSplitOptions.RemoveEmptyEntries).All(m => m == line[0])
                    && Fields(Users).Count(l => l.Length > 3 && IsGroup(l[3])) <= 1;
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                return false;
            }
        }

        private static IEnumerable<string[]> Fields(string file) => File.ReadLines(file).Select(l => l.Split(':'));

        private bool IsGroup(string number) => uint.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out uint id) && id == group;

        private void Push(string path)
        {
            foreach (string part in path.Split('/', StringSplitOptions.RemoveEmptyEntries).Where(p => p != ".").Reverse())
            {
                _ahead.Push(part);
            }
        }

        private unsafe string Target(string name)
        {
            byte* target = stackalloc byte[LongestLink];
            nint length = ReadLinkAt(_here, name, target, LongestLink);
            return length > 0 ? System.Text.Encoding.UTF8.GetString(target, (int)length) : "";
        }

        /// <summary>Goes on with where a link leads.</summary>
        /// <returns>The directory from which on the rest of the way is meant.</returns>
        private string Follow(string place, string target)
        {
            Push(target);
            if (!target.StartsWith('/'))
            {
                return place;
            }

            Go(OpenAt(OpenLayout.CurrentDirectory, "/", OpenLayout.NameOnly | OpenLayout.DirectoryOnly));
            return "/";
        }

        private void Go(int next)
        {
            CloseIf(_here);
            _here = next;
        }

        private static void CloseIf(int file)
        {
            if (file >= 0)
            {
                _ = Close(file);
            }
        }
    }

    /// <summary>Which kind of file system an open file lies on; 0 when unknown.</summary>
    private static unsafe long FileSystem(int file)
    {
        long* system = stackalloc long[FileSystemWords];
        return FileSystemOf(file, system) == 0 ? system[0] : 0;
    }

    // sys/stat.h, linux/magic.h.
    private const int Sticky = 0x200;
    private const int WritableByAll = 0x2;
    private const int WritableByGroup = 0x10;
    private const int WritableByOthers = WritableByAll | WritableByGroup;
    private const int FileSystemWords = 32;
    private const long ProcFileSystem = 0x9FA0;
    private const long OverlayFileSystem = 0x794C_7630;
    private const long BtrfsFileSystem = 0x9123_683E;

    [LibraryImport("libc", EntryPoint = "openat", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int OpenAt(int directory, string path, int flags);

    [LibraryImport("libc", EntryPoint = "close")]
    private static partial int Close(int file);

    [LibraryImport("libc", EntryPoint = "readlinkat", StringMarshalling = StringMarshalling.Utf8)]
    private static unsafe partial nint ReadLinkAt(int directory, string path, byte* target, nint size);

    [LibraryImport("libc", EntryPoint = "fstatfs")]
    private static unsafe partial int FileSystemOf(int file, long* status);

    [LibraryImport("libc", EntryPoint = "getxattr", StringMarshalling = StringMarshalling.Utf8)]
    private static partial nint GetAttribute(string path, string name, nint value, nint size);

    [LibraryImport("libc", EntryPoint = "getegid")]
    private static partial uint EffectiveGroup();
}
