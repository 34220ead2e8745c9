using System.Text;
using Dump.Readers.Minidump;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.Minidump;

/// <summary>Files that are no Windows minidump are declined in one line that says what they are.</summary>
public sealed class ForeignFileTests
{
    [Theory]
    [InlineData(new byte[] { 0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0 }, "an ELF file")]
    [InlineData(new byte[] { 0xCF, 0xFA, 0xED, 0xFE, 7, 0, 0, 1 }, "a Mach-O file")]
    [InlineData(new byte[] { 0xCE, 0xFA, 0xED, 0xFE, 7, 0, 0, 0 }, "a Mach-O file")]
    [InlineData(new byte[] { 0xFE, 0xED, 0xFA, 0xCF, 1, 0, 0, 7 }, "a Mach-O file")]
    [InlineData(new byte[] { 0xFF, 0xFE, 0x41, 0x00 }, "a text file")]
    [InlineData(new byte[] { 0x00, 0x01, 0x02, 0x03 }, "not a Windows minidump")]
    [InlineData(new byte[] { }, "an empty file")]
    public void Formats_are_known_by_their_first_bytes(byte[] bytes, string expected) => AssertDeclined(bytes, expected);

    [Theory]
    [InlineData("PAGEDU64", "kernel dump")]
    [InlineData("line\r\n\tline \u001b[0m", "a text file")]
    [InlineData("MDMX", "a text file")]
    public void Formats_are_known_by_their_text(string text, string expected) => AssertDeclined(Encoding.ASCII.GetBytes(text), expected);

    [Theory]
    [InlineData(0x8101, "a macOS process")]
    [InlineData(0x8201, "a Linux process")]
    [InlineData(0x8203, "an Android process")]
    [InlineData(0x9999, "a process of another system")]
    public void Minidumps_of_other_systems_are_named(int platform, string expected)
    {
        byte[] system = new ByteWriter().UInt16(9).PadTo(0x14).UInt32(platform).PadTo(56).ToArray();
        AssertDeclined(new RawMinidump().Stream(7, system).Thread().ToArray(), expected);
    }

    [Theory]
    [InlineData(0x8201, 11u, "a Linux process, written for SIGSEGV (access violation) of thread 7 (0x7) at 0x45; this program")]
    [InlineData(0x8203, 6u, "an Android process, written for SIGABRT (abort) of thread 7 (0x7); this program")]
    [InlineData(0x8201, 77u, "a Linux process, written for signal 77 of thread 7 (0x7); this program")]
    [InlineData(0x8201, uint.MaxValue, "a Linux process, written on request of thread 7 (0x7); this program")]
    [InlineData(0x8101, 1u, "a macOS process, written for EXC_BAD_ACCESS of thread 7 (0x7) at 0x45; this program")]
    [InlineData(0x8102, 0u, "an iOS process, written for exception 0x0 of thread 7 (0x7) at 0x45; this program")]
    [InlineData(0x8206, 11u, "a Fuchsia process, written for exception 0xb of thread 7 (0x7) at 0x45; this program")]
    public void What_they_were_written_for_is_named(int platform, uint code, string expected)
    {
        byte[] system = new ByteWriter().UInt16(9).PadTo(0x14).UInt32(platform).PadTo(56).ToArray();
        byte[] exception = new ByteWriter().UInt32(7).UInt32(0).UInt32(code).PadTo(0x18).UInt64(0x45).PadTo(168).ToArray();
        AssertDeclined(new RawMinidump().Stream(7, system).Stream(6, exception).Thread().ToArray(), expected);
    }

    [Fact]
    public void Names_of_files_are_cleaned()
    {
        string path = Path.Combine(Path.GetTempPath(), $"no-\u202e-{Guid.NewGuid():N}.dmp");
        string message = Assert.Throws<InvalidDumpException>(() => MinidumpFile.Open(path)).Message;
        Assert.DoesNotContain('\u202e', message);
        Assert.DoesNotContain('\n', message);
    }

    [Fact]
    public void A_closed_file_says_so_and_closes_twice()
    {
        string path = Path.GetTempFileName();
        try
        {
            File.WriteAllBytes(path, new RawMinidump().System().Thread().Stream(5, 1, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0).ToArray());
            MinidumpFile dump = MinidumpFile.Open(path);
            Assert.Equal(4, dump.Read(0x1000, new byte[4]));
            dump.Dispose();
            dump.Dispose();
            Assert.Throws<ObjectDisposedException>(() => dump.Read(0x1000, new byte[4]));
        }
        finally
        {
            File.Delete(path);
        }
    }

    private static void AssertDeclined(byte[] bytes, string expected)
    {
        string message = Assert.Throws<InvalidDumpException>(() => MinidumpFile.FromBytes(bytes)).Message;
        Assert.Contains(expected, message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', message);
    }
}
