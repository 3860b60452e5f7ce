/* pbrain-tengen64.exe: the brain as one Windows process, with a Python of its own.

   It looks for everything in its own folder, also when it is started from another folder or has another name:
   python3XX.dll beside it, and in the folder `tengen` the archive lib.zip and the compiled engine. It uses no other
   Python of the machine, no environment variable and no setting of the user.

   With mingw-w64, where PYTHON holds the headers and the import library of the Python that is packed with it:
       x86_64-w64-mingw32-windres launcher.rc resources.o
       x86_64-w64-mingw32-gcc -O2 -s -static -municode -I PYTHON/include launcher.c resources.o PYTHON/libs/python3XX.lib
           -Wl,--stack,8388608 -o pbrain-tengen64.exe
   With Visual C++:
       rc launcher.rc
       cl /O2 /MT /I PYTHON\include launcher.c launcher.res /link /LIBPATH:PYTHON\libs /STACK:8388608
           /OUT:pbrain-tengen64.exe */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <windows.h>

#include <wchar.h>

#define LONGEST_PATH 32768  /* characters; no path of Windows is longer */

static wchar_t program[LONGEST_PATH], folder[LONGEST_PATH], archive[LONGEST_PATH];

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
    return 1;
}

static PyStatus configure(PyConfig *config, int argc, wchar_t **argv) {
    /* Python would look for these in the registry and beside the program. */
    wchar_t **places[] = {&config->program_name, &config->executable, &config->base_executable, &config->home,
                          &config->prefix, &config->base_prefix, &config->exec_prefix, &config->base_exec_prefix};
    PyStatus status;
    size_t i;
    config->site_import = 0;
    config->write_bytecode = 0;
    config->module_search_paths_set = 1;
    for (i = 0; i < sizeof places / sizeof *places; i++) {
        status = PyConfig_SetString(config, places[i], i < 3 ? program : folder);
        if (PyStatus_Exception(status)) return status;
    }
    status = PyWideStringList_Append(&config->module_search_paths, archive);
    if (PyStatus_Exception(status)) return status;
    status = PyWideStringList_Append(&config->module_search_paths, folder);
    if (PyStatus_Exception(status)) return status;
    status = PyConfig_SetString(config, &config->run_module, L"pbrain");
    if (PyStatus_Exception(status)) return status;
    return PyConfig_SetArgv(config, argc, argv);
}

int wmain(int argc, wchar_t **argv) {
    PyPreConfig before;
    PyConfig config;
    PyStatus status;

    /* Under a manager there may not be a user who closes a window about a crash. */
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
    if (!find_paths()) {
        fputs("pbrain-tengen: the folder of this program cannot be told\n", stderr);
        return 2;
    }
    if (GetFileAttributesW(archive) == INVALID_FILE_ATTRIBUTES) {
        fputs("pbrain-tengen: the folder 'tengen' is not beside this program: unpack the whole archive\n", stderr);
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
