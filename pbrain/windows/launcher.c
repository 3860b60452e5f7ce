/* The two programs for Windows, each with the Python beside it: pbrain-tengen64.exe, the brain as one process; and, with
   BOARD defined, Tengen.exe, the board, which has no console.

   They look for everything in their own folder, also when they are started from another folder or have another name:
   python3XX.dll beside them, and in the folder `tengen` the archive lib.zip and the compiled engine; the board has
   more in `tengen\board`. They use no other Python of the machine, no environment variable and no setting of the user.

   The board starts Tengen.exe for its helping processes, with -m, -c or -I as Python takes them.

   With mingw-w64, where PYTHON holds the headers and the import library of the Python that is packed with it:
       x86_64-w64-mingw32-windres launcher.rc resources.o
       x86_64-w64-mingw32-gcc -O2 -s -static -municode -I PYTHON/include launcher.c resources.o PYTHON/libs/python3XX.lib
           -Wl,--stack,8388608 -o pbrain-tengen64.exe
   and for Tengen.exe -DBOARD for both, and -mwindows for the second. With Visual C++:
       rc launcher.rc
       cl /O2 /MT /I PYTHON\include launcher.c launcher.res /link /LIBPATH:PYTHON\libs /STACK:8388608
           /OUT:pbrain-tengen64.exe
   and for Tengen.exe /DBOARD for both, and after /link also /SUBSYSTEM:WINDOWS user32.lib delayimp.lib
   /DELAYLOAD:python3XX.dll, so that it can tell what is missing when it is started from within the zip. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <windows.h>

#include <wchar.h>

#define LONGEST_PATH 32768  /* characters; no path of Windows is longer */

static wchar_t program[LONGEST_PATH], folder[LONGEST_PATH], archive[LONGEST_PATH];

#ifdef BOARD
static wchar_t board[LONGEST_PATH], board_archive[LONGEST_PATH];
#define MODULE L"tournaments.cli.desktop.windows"
#define NEEDED board_archive
#define NO_FOLDER L"The folder 'tengen' is not beside this program. Unpack the whole zip into a folder, and start it there."

static void complain(const wchar_t *text) {
    MessageBoxW(NULL, text, L"Tengen", MB_ICONERROR);
}

static int is_for_python(int argc, wchar_t **argv) {
    return argc > 1 && (!wcscmp(argv[1], L"-m") || !wcscmp(argv[1], L"-c") || !wcscmp(argv[1], L"-I"));
}
#else
#define MODULE L"pbrain"
#define NEEDED archive
#define NO_FOLDER L"the folder 'tengen' is not beside this program: unpack the whole archive"

static void complain(const wchar_t *text) {
    fprintf(stderr, "pbrain-tengen: %ls\n", text);
}

static int is_for_python(int argc, wchar_t **argv) {
    (void)argc;
    (void)argv;
    return 0;
}
#endif

/* Sets the paths; 0 if the system does not tell them. */
static int find_paths(void) {
    DWORD length = GetModuleFileNameW(NULL, program, LONGEST_PATH);
    wchar_t *end;
    if (length == 0 || length > LONGEST_PATH - 32) return 0;
    wcscpy(folder, program);
    end = wcsrchr(folder, L'\\');
    if (end == NULL) return 0;
    wcscpy(end, L"\\tengen");
    wcscpy(archive, folder);
    wcscat(archive, L"\\lib.zip");
#ifdef BOARD
    wcscpy(board, folder);
    wcscat(board, L"\\board");
    wcscpy(board_archive, board);
    wcscat(board_archive, L"\\lib.zip");
#endif
    return 1;
}

static PyStatus configure(PyConfig *config, int argc, wchar_t **argv) {
    /* Python would look for these in the registry and beside the program. */
    wchar_t **places[] = {&config->program_name, &config->executable, &config->base_executable, &config->home,
                          &config->prefix, &config->base_prefix, &config->exec_prefix, &config->base_exec_prefix};
    const wchar_t *searched[] = {
#ifdef BOARD
        board_archive, board,  /* first: the other archive has only parts of some packages of the standard library */
#endif
        archive, folder,
    };
    PyStatus status;
    size_t i;
    config->site_import = 0;
    config->write_bytecode = 0;
    config->module_search_paths_set = 1;
    for (i = 0; i < sizeof places / sizeof *places; i++) {
        status = PyConfig_SetString(config, places[i], i < 3 ? program : folder);
        if (PyStatus_Exception(status)) return status;
    }
    for (i = 0; i < sizeof searched / sizeof *searched; i++) {
        status = PyWideStringList_Append(&config->module_search_paths, searched[i]);
        if (PyStatus_Exception(status)) return status;
    }
    if (is_for_python(argc, argv)) {
        config->parse_argv = 1;
    } else {
        status = PyConfig_SetString(config, &config->run_module, MODULE);
        if (PyStatus_Exception(status)) return status;
    }
    return PyConfig_SetArgv(config, argc, argv);
}

static int run(int argc, wchar_t **argv) {
    PyPreConfig before;
    PyConfig config;
    PyStatus status;

    /* Under a manager there may not be a user who closes a window about a crash. */
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
    if (!find_paths()) {
        complain(L"the folder of this program cannot be told");
        return 2;
    }
    if (GetFileAttributesW(NEEDED) == INVALID_FILE_ATTRIBUTES) {
        complain(NO_FOLDER);
        return 2;
    }
    PyPreConfig_InitIsolatedConfig(&before);
    before.utf8_mode = 1;  /* the codecs of the many code pages are not in the archive */
    status = Py_PreInitialize(&before);
    if (PyStatus_Exception(status)) Py_ExitStatusException(status);
    PyConfig_InitIsolatedConfig(&config);
    status = configure(&config, argc, argv);
    if (!PyStatus_Exception(status)) status = Py_InitializeFromConfig(&config);
    PyConfig_Clear(&config);
    if (PyStatus_Exception(status)) Py_ExitStatusException(status);
    return Py_RunMain();
}

#ifdef BOARD
int WINAPI wWinMain(HINSTANCE instance, HINSTANCE before, wchar_t *line, int show) {
    (void)instance;
    (void)before;
    (void)line;
    (void)show;
    return run(__argc, __wargv);
}
#else
int wmain(int argc, wchar_t **argv) {
    return run(argc, argv);
}
#endif
