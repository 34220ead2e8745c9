using System.Buffers.Binary;
using Dump.Readers.Elf;

namespace Dump.Readers.Linux.Stacks;

/// <summary>
/// Functions of the C library that end in a jump to a part without a name, so that they leave no frame: the part's beginning tells by which it was entered.
/// Seen in <c>sem_wait</c>, <c>pthread_once</c> and <c>pthread_mutex_lock</c> of glibc 2.36.
/// </summary>
internal static class TailCalls
{
    private const byte Jump = 0xE9;
    private const byte Extended = 0x0F;
    private const int JumpSize = 5;
    private const int LongestFunction = 1_024;
    // Several lead to one part, whose name only debug files have (time/localtime.c, time/gmtime.c, stdlib/setenv.c).
    private static readonly Dictionary<string, string> s_parts = new()
    {
        ["localtime"] = "__tz_convert", ["localtime_r"] = "__tz_convert", ["gmtime"] = "__tz_convert", ["gmtime_r"] = "__tz_convert",
        ["setenv"] = "__add_to_environ", ["putenv"] = "__add_to_environ",
    };

    private static readonly string[] s_names =
    [
        "sem_wait", "sem_timedwait", "sem_clockwait", "pthread_once", "pthread_mutex_lock", "pthread_mutex_timedlock", "pthread_mutex_clocklock", "pthread_join",
        "pthread_timedjoin_np", "pthread_clockjoin_np", .. s_parts.Keys,
    ];

    /// <summary>Where those of an image jump to; a place that several lead to has the first one's name where they wait for the same, else none.</summary>
    public static IReadOnlyDictionary<ulong, string> Of(LoadedImage loaded)
    {
        Dictionary<ulong, string> targets = [];
        foreach (ElfFunction function in loaded.Symbols.Named(s_names).OrderBy(f => Array.IndexOf(s_names, f.Name)))
        {
            byte[] code = new byte[(int)Math.Min(function.Size, LongestFunction)];
            if (!loaded.Image.TryRead(function.Address, code))
            {
                continue;
            }

            for (int at = 0; at + JumpSize <= code.Length; at++)
            {
                // jmp rel32, and the jumps on a condition, 0F 80 to 0F 8F.
                bool isJump = code[at] == Jump || (at > 0 && code[at - 1] == Extended && (code[at] & 0xF0) == 0x80);
                ulong target = unchecked(function.Address + (ulong)(at + JumpSize) + (ulong)(long)BinaryPrimitives.ReadInt32LittleEndian(code.AsSpan(at + 1)));
                if (isJump && (target < function.Address || target >= function.Address + function.Size))
                {
                    targets.TryAdd(target, s_parts.GetValueOrDefault(function.Name, function.Name));
                }
            }
        }

        return targets;
    }
}
