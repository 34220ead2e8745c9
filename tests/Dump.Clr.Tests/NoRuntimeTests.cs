using Dump.Fuzz.Inputs;
using Dump.Model.Facts;
using Dump.Model.Process;

namespace Dump.Clr.Tests;

/// <summary>The library that reads the managed half gets no core of a native program: it would search each image for a runtime, by tables that may be damaged.</summary>
public sealed class NoRuntimeTests
{
    [Theory]
    [InlineData("app", false, false, false)]
    [InlineData("app", null, true, false)]
    [InlineData("app", true, false, true)]
    [InlineData("app", null, false, true)]
    [InlineData("libcoreclr.so", null, false, true)]
    public void Core_is_opened_where_it_may_have_a_runtime(string module, bool? holdsRuntime, bool lacksProgram, bool isOpened)
    {
        ProcessSnapshot native = ManagedHalves.Native() with
        {
            System = new SystemDescription(ProcessorArchitecture.X64, 0, 0, 0, 1, false, "Linux x64") { Family = OperatingSystemFamily.Linux },
            Modules = [new ModuleSnapshot(module, $"/opt/{module}", 0x10000, 0x1000, 0, null, false) { HoldsDotNetRuntime = holdsRuntime }],
            Missing = lacksProgram ? [MissingData.Of(MissingKind.RuntimeInProgram)] : [],
        };
        using Unread dump = new();
        ClrSnapshotReader.Read(native, dump);
        Assert.Equal(isOpened, dump.WasRead);
    }

    private sealed class Unread : Stream
    {
        public bool WasRead { get; private set; }

        public override bool CanRead => true;

        public override bool CanSeek => true;

        public override bool CanWrite => false;

        public override long Length => 64;

        public override long Position { get; set; }

        public override int Read(byte[] buffer, int offset, int count)
        {
            WasRead = true;
            throw new IOException("read");
        }

        public override long Seek(long offset, SeekOrigin origin) => Position = offset;

        public override void Flush() => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }
}
