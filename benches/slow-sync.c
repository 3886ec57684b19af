/* Simulates a slow disk: loaded by LD_PRELOAD, this library makes each sync SYNC_MICROS slower. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static int later(const char *name, int file) {
  int (*sync)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  const char *micros = getenv("SYNC_MICROS");
  usleep(micros ? atoi(micros) : 0);
  return sync(file);
}

int fsync(int file) { return later("fsync", file); }
int fdatasync(int file) { return later("fdatasync", file); }
