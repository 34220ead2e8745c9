using System.Collections.Frozen;
using System.Collections.Immutable;
using Dump.Model.Process;

namespace Dump.Analysis.Knowledge;

/// <summary>Exported functions that may take long, in words: what the program asked for, where the wait below it only shows an event or a port.</summary>
internal static class BlockingCalls
{
    // Functions as documented on Microsoft Learn under the headers named at the end of each line.
    private static readonly FrozenDictionary<(string, string), string> s_calls = new (string[] Modules, string Phrase, string[] Functions)[]
    {
        (["user32"], "opens or reads the clipboard, whose owner may have to answer",
            ["OpenClipboard", "GetClipboardData", "SetClipboardData", "CloseClipboard"]), // winuser.h
        (["ole32"], "reads the OLE clipboard, whose owner may have to answer", ["OleGetClipboard", "OleSetClipboard", "OleFlushClipboard"]), // ole2.h
        (["shell32"], "calls the shell, which may call extensions, servers and other processes",
            ["ShellExecuteExW", "ShellExecuteW", "SHGetFileInfoW", "SHFileOperationW", "SHParseDisplayName", "SHBrowseForFolderW"]), // shellapi.h
        (["winspool"], "calls the print spooler",
            ["OpenPrinterW", "OpenPrinter2W", "DocumentPropertiesW", "EnumPrintersW", "GetPrinterW", "DeviceCapabilitiesW", "StartDocPrinterW"]), // winspool.h
        (["combase", "ole32"], "creates a COM object", ["CoCreateInstance", "CoCreateInstanceEx", "CoGetClassObject"]), // combaseapi.h
        (["rpcrt4"], "calls another process (RPC)", ["NdrClientCall2", "NdrClientCall3", "NdrAsyncClientCall", "I_RpcSendReceive"]), // rpcndr.h
        (["ws2_32"], "uses a socket or resolves a name",
            ["connect", "recv", "recvfrom", "send", "select", "accept", "WSARecv", "WSASend", "WSAConnect", "getaddrinfo", "GetAddrInfoW", "GetAddrInfoExW",
                "gethostbyname"]), // winsock2.h
        (["winhttp"], "makes an HTTP request", ["WinHttpSendRequest", "WinHttpReceiveResponse", "WinHttpReadData"]), // winhttp.h
        (["wininet"], "makes an HTTP request", ["InternetOpenUrlW", "HttpSendRequestW", "InternetReadFile"]), // wininet.h
        (["kernelbase", "kernel32"], "uses a file, a pipe or a device",
            ["CreateFileW", "ReadFile", "WriteFile", "FlushFileBuffers", "DeleteFileW", "CopyFileExW", "MoveFileExW", "GetFileAttributesW", "FindFirstFileExW",
            "DeviceIoControl", "CallNamedPipeW", "TransactNamedPipe", "ConnectNamedPipe", "WaitNamedPipeW",
            "GetOverlappedResult"]), // fileapi.h, namedpipeapi.h
        (["kernelbase", "kernel32"], "starts a process", ["CreateProcessW", "CreateProcessA"]), // processthreadsapi.h
    }.SelectMany(e => e.Modules.SelectMany(m => e.Functions.Select(f => (Key: (m, f), e.Phrase)))).ToFrozenDictionary(e => e.Key, e => e.Phrase);

    /// <summary>The outermost such call in the handler's own frames, with its words, or null: the program made it itself.</summary>
    /// <param name="frames">The thread's frames.</param>
    /// <param name="end">Index of the pump's frame; only frames inner to it count.</param>
    public static (StackFrame Frame, string Phrase)? Find(ImmutableArray<StackFrame> frames, int end)
    {
        for (int i = Math.Min(end, frames.Length) - 1; i >= 0; i--)
        {
            if (frames[i] is { ModuleStem: { } module, Function: { } function } && s_calls.TryGetValue((module, function), out string? phrase))
            {
                return (frames[i], phrase);
            }
        }

        return null;
    }
}
