using System.Globalization;
using System.Text.Json;
using Dump.Analysis.Merging;
using Dump.Capture.Watching;
using Dump.Capture.Watching.Looks;
using Dump.Model.Contract;
using Dump.Model.Text;
using Dump.Readers.Files;
using Dump.Reports.Json;
using Dump.Triage.Discovery;
using Dump.Triage.Watching;

namespace Dump.Cli.Watching;

/// <summary>
/// The folder of <c>--out</c>: a folder in it for each capture, made aside and renamed when it is whole. What is there is read anew each time, so that whoever
/// deletes a capture makes room, and its hang counts as new again.
/// </summary>
internal sealed class CaptureFolder
{
    /// <summary>The file with what was said of a capture.</summary>
    public const string Report = "report.json";

    private const string Description = "capture.json";
    private const string Notice = "notice.json";
    private const string LockName = "lock";
    private const long LongestDescription = 1L << 20;
    private const long LongestReport = 256L << 20;
    private const int MostFolders = 100_000;
    private const long FreeDisk = 512L << 20;

    // A hang may show other functions at each look: of a thread that computes, or of a pool that gets more workers.
    private const int MostAlike = 3;
    private readonly string _path;
    private readonly int _captures;
    private readonly long _bytes;

    /// <summary>Makes it where it is not there, and removes what a killed watch has left.</summary>
    /// <param name="path">The folder.</param>
    /// <param name="captures">Captures that are kept at most.</param>
    /// <param name="bytes">Their bytes.</param>
    /// <exception cref="IOException">It cannot be made or written to.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be written to.</exception>
    public CaptureFolder(string path, int captures, long bytes)
    {
        _path = Path.GetFullPath(path);
        (_captures, _bytes) = (captures, bytes);
        Directory.CreateDirectory(_path);
        foreach (string left in Directory.EnumerateDirectories(_path, CaptureNames.PendingStart + "*"))
        {
            PendingCapture.RemoveAbandoned(left, LockName);
        }

        // Whether it can be written to is known before anything happens.
        Begin().Dispose();
    }

    /// <summary>Begins a capture.</summary>
    public PendingCapture Begin() => new(Path.Combine(_path, CaptureNames.PendingStart + Path.GetRandomFileName()), LockName);

    /// <summary>That as many captures are kept as may be, as a clause; null where they are fewer.</summary>
    public string? Full => Kept().Count() is var kept && kept >= _captures ? $"the folder has {CountText.Of(kept, "capture")} (--captures)" : null;

    /// <summary>Why there is no room for a capture, as a clause; null when there is.</summary>
    /// <param name="expected">Bytes of its dumps; null when unknown.</param>
    public string? Refusal(long? expected)
    {
        if (Full is { } full)
        {
            return full;
        }

        long bytes = Kept().Sum(Size);
        return bytes + (expected ?? 0) > _bytes
            ? string.Create(CultureInfo.InvariantCulture,
                $"the folder has {bytes >> 20:N0} MiB, and this one may need {(expected ?? 0) >> 20:N0} more (--disk)")
            : new DriveInfo(_path).AvailableFreeSpace - (expected ?? 0) < FreeDisk ? "the disk has no room for its dumps"
            : null;
    }

    /// <summary>
    /// Why a capture need not be kept, as a clause: one that is kept has the same signature, and on each thread of its verdict the same functions of the
    /// program, or
    /// there are enough of the signature. Without a verdict the signature decides. Null when it is to be kept.
    /// </summary>
    /// <param name="description">What the capture is.</param>
    public string? Known(CaptureDescription description)
    {
        (string Folder, HangSameness? Sameness)[] alike =
        [
            .. Kept().Select(f => (Folder: f, Sameness: SamenessOf(f))).Where(c => c.Sameness?.ClassHash == description.Sameness.ClassHash)
                .OrderBy(c => c.Folder, StringComparer.Ordinal),
        ];
        return Array.Find(alike, c => description.Verdict is null || description.Sameness.IsKnownSame(c.Sameness!)).Folder is { } same
            ? $"the same as in {SafeText.Clean(same)}"
            : alike.Length >= MostAlike
                ? $"the folder has {CountText.Of(alike.Length, "capture")} of its signature, {SafeText.Clean(alike[0].Folder)} the first" : null;
    }

    /// <summary>Keeps a capture.</summary>
    /// <param name="capture">The capture.</param>
    /// <param name="description">What it is.</param>
    /// <param name="notice">Makes what is to be told of it, of its place; null when nothing is.</param>
    /// <returns>Its folder.</returns>
    /// <exception cref="IOException">It cannot be written.</exception>
    public string Keep(PendingCapture capture, CaptureDescription description, Func<string, byte[]>? notice)
    {
        string program = string.Concat(description.Process.Name.Select(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_' or '.' ? c : '_')).TrimStart('.');
        string name = string.Create(CultureInfo.InvariantCulture,
            $"{(program.Length == 0 ? "process" : program)}-{description.Process.Id}-{description.Moment:yyyyMMdd'T'HHmmss'Z'}");
        string path = Path.Combine(_path, name);
        for (int i = 2; Path.Exists(path); i++)
        {
            path = Path.Combine(_path, string.Create(CultureInfo.InvariantCulture, $"{name}-{i}"));
        }

        capture.Write(Description, description.ToJson(capture.Dumps));
        if (notice is not null)
        {
            capture.Write(Notice, notice(path));
        }

        capture.MoveTo(path);
        return path;
    }

    /// <summary>Sends what of the captures has not been told yet, by earlier watches either.</summary>
    /// <param name="send">Sends a notice.</param>
    /// <returns>False when some have to be sent again.</returns>
    public bool Tell(Func<byte[], NoticeOutcome> send)
    {
        bool isAll = true;
        foreach (string notice in Kept().Select(f => Path.Combine(f, Notice)).Where(File.Exists))
        {
            try
            {
                NoticeOutcome outcome = Content(notice) is { } content ? send(content) : NoticeOutcome.Taken;
                if (outcome == NoticeOutcome.Taken)
                {
                    File.Delete(notice);
                    continue;
                }

                isAll = false;
                if (outcome == NoticeOutcome.Unreachable)
                {
                    break;
                }
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                // Whoever deletes the capture wants to be told no more.
            }
        }

        return isAll;
    }

    private IEnumerable<string> Kept() =>
        Directory.EnumerateDirectories(_path).Where(f => !Path.GetFileName(f).StartsWith('.') && File.Exists(Path.Combine(f, Description))).Take(MostFolders);

    private static long Size(string capture)
    {
        try
        {
            return new DirectoryInfo(capture).EnumerateFiles().Sum(f => f.Length);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return 0;
        }
    }

    private static byte[]? Content(string path, long longest = LongestDescription)
    {
        using FileStream file = RegularFile.OpenRead(path);
        if (file.Length > longest)
        {
            return null;
        }

        byte[] content = new byte[file.Length];
        file.ReadExactly(content);
        return content;
    }

    /// <summary>What it has in common with others; of one that other rules have described, by today's from its report.</summary>
    private static HangSameness? SamenessOf(string capture)
    {
        try
        {
            if (Content(Path.Combine(capture, Description)) is not { } content)
            {
                return null;
            }

            using var document = JsonDocument.Parse(content);
            return document.RootElement is not { ValueKind: JsonValueKind.Object } root || Text(root, "schema") != SchemaNames.Capture ? null
                : Text(root, "signature") is { } signature && !HangSignatures.IsOfOtherRules(signature)
                    ? new HangSameness(signature, Text(root, "programChain"))
                : Content(Path.Combine(capture, Report), LongestReport) is { } report ? HangSameness.Of(JsonReportReader.Read(report))
                : null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or JsonException or InvalidReportException)
        {
            return null;
        }
    }

    private static string? Text(JsonElement element, string name) =>
        element.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.String ? SafeText.Clean(value.GetString(), 512) : null;
}
