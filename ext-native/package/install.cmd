@echo off
rem install.cmd [/remove]: puts the extension into the gallery of WinDbg, cdb and ntsd of this user, so that its commands load it; /remove takes it away.
rem Debuggers that run must be started anew. Exit code 0 when done, 1 when a file could not be copied or removed.
setlocal
set "gallery=%LOCALAPPDATA%\Dbg\UserExtensions\Dump"
set "library=%gallery%\@VERSION@.0"
if /i "%~dp0"=="%library%\" if /i not "%~1"=="/remove" (
    echo This is the installed folder already.
    exit /b 0
)
if exist "%gallery%" rmdir /s /q "%gallery%"
if exist "%gallery%" exit /b 1
if /i "%~1"=="/remove" (
    echo Removed %gallery%
    exit /b 0
)
mkdir "%library%"
if not exist "%library%" exit /b 1
copy /y "%~dp0gallery\GalleryManifest.xml" "%gallery%" > nul
if not exist "%gallery%\GalleryManifest.xml" exit /b 1
xcopy /e /i /y /q "%~dp0." "%library%" > nul
if not exist "%library%\engine\dumpanalyze.exe" exit /b 1
echo Installed %library%
