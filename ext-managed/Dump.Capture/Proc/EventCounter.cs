using System.Globalization;

namespace Dump.Capture.Proc;

/// <summary>
/// The counter behind a file descriptor of <c>eventfd</c>, as <c>fdinfo</c> tells (proc_pid_fdinfo(5); Linux fs/eventfd.c, eventfd_show_fdinfo).
/// </summary>
/// <param name="Count">Its value: a read waits while it is 0.</param>
/// <param name="Identity">Its number, the same for each descriptor of it; null before Linux 5.2.</param>
internal sealed record EventCounter(ulong Count, uint? Identity)
{
    private const string File = "anon_inode:[eventfd]";

    /// <summary>What it is and who else in the process has it, as a clause; empty for another file.</summary>
    /// <param name="descriptors">What the process has open; asked for such a file only.</param>
    /// <param name="descriptor">The descriptor.</param>
    /// <param name="file">What it leads to.</param>
    public static string Describe(Lazy<OpenDescriptors> descriptors, int descriptor, string file)
    {
        if (file != File || Of(descriptors.Value.Process, descriptor) is not { } counter)
        {
            return "";
        }

        int[] same = counter.Identity is not { } identity ? []
            : [.. descriptors.Value.Files.Where(f => f.Key != descriptor && f.Value == File && Of(descriptors.Value.Process, f.Key)?.Identity == identity)
                .Select(f => f.Key).Order()];
        return string.Create(CultureInfo.InvariantCulture, $"; its count is {counter.Count}; whoever has it may add to it")
            + (same.Length == 0 ? "" : $", and this process has it as {DescriptorWords.Of(same)} too");
    }

    /// <summary>Reads the text of <c>fdinfo</c>; null when it is of no such file.</summary>
    internal static EventCounter? Parse(string? text)
    {
        Dictionary<string, string> fields = [];
        foreach (string[] line in (text ?? "").Split('\n').Select(l => l.Split(':', 2)).Where(l => l.Length == 2))
        {
            fields.TryAdd(line[0], line[1].Trim());
        }

        return ulong.TryParse(fields.GetValueOrDefault("eventfd-count"), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong count)
            ? new EventCounter(
                count, uint.TryParse(fields.GetValueOrDefault("eventfd-id"), NumberStyles.None, CultureInfo.InvariantCulture, out uint id) ? id : null)
            : null;
    }

    private static EventCounter? Of(int process, int descriptor) => Parse(ProcFile.Text($"/proc/{process}/fdinfo/{descriptor}"));
}
