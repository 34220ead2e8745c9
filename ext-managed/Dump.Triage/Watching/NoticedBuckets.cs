using System.Text;
using Dump.Model.Text;
using Dump.Readers.Files;
using Dump.Triage.Records;

namespace Dump.Triage.Watching;

/// <summary>The buckets that have been told of, one to a line of a file, so that each is told of once, whatever ends in between.</summary>
internal sealed class NoticedBuckets
{
    private const string Run = "watch";
    private const int LongestFile = 64 << 20;
    private readonly string? _path;
    private readonly HashSet<string> _buckets = new(StringComparer.Ordinal);
    private bool _isThere;

    /// <summary>Reads them.</summary>
    /// <param name="path">The file, which need not be there; null to keep none.</param>
    /// <exception cref="UnwritableRecordException">It cannot be read, or is none of ours.</exception>
    public NoticedBuckets(string? path)
    {
        _path = path;
        if (path is null || !File.Exists(path))
        {
            return;
        }

        IsContinued = _isThere = true;
        try
        {
            using FileStream file = RegularFile.OpenRead(path);
            using StreamReader text = new(file, Encoding.ASCII);
            while (file.Length <= LongestFile && text.ReadLine() is { } line)
            {
                _buckets.Add(line);
            }
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or Dump.Readers.InvalidDumpException)
        {
            throw new UnwritableRecordException(SafeText.Clean(error.Message.TrimEnd('.')), error);
        }
    }

    /// <summary>True when the file was there: an earlier watch has told of what it found.</summary>
    public bool IsContinued { get; }

    /// <summary>True for a bucket that was told of.</summary>
    public bool Contains(string bucket) => _buckets.Contains(bucket);

    /// <summary>Notes a bucket; once the file is begun, it is on the disk when this returns.</summary>
    /// <exception cref="UnwritableRecordException">It cannot be written.</exception>
    public void Add(string bucket)
    {
        if (!_buckets.Add(bucket) || _path is null || !_isThere)
        {
            return;
        }

        try
        {
            using FileStream file = new(_path, FileMode.Append, FileAccess.Write, FileShare.Read);
            file.Write(Encoding.ASCII.GetBytes(bucket + "\n"));
            file.Flush(flushToDisk: true);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new UnwritableRecordException(SafeText.Clean(error.Message.TrimEnd('.')), error);
        }
    }

    /// <summary>
    /// Makes the file when it is not there, with all that was noted, wholly or not at all: the next watch goes on from here, and one that was ended before begins
    /// anew.
    /// </summary>
    /// <exception cref="UnwritableRecordException">It cannot be made.</exception>
    public void Begin()
    {
        if (_path is null || _isThere)
        {
            return;
        }

        AtomicFile.Write(_path, Run, file => file.Write(Encoding.ASCII.GetBytes(string.Concat(_buckets.Select(b => b + "\n")))));
        _isThere = true;
    }
}
