// Lets a process believe that the machine has CORES processors (LD_PRELOAD): XLA, LLVM and OpenBLAS
// start as many threads as they would there. A process confined to some processors keeps those.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

static long claimed(void) {
  const char *text = getenv("CORES");
  return text ? atol(text) : 0;
}

static long (*next_sysconf(void))(int) {
  static long (*next)(int);
  if (next == NULL) next = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");
  return next;
}

long sysconf(int name) {
  long count = claimed();
  int asks = name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF;
  return asks && count > 0 ? count : next_sysconf()(name);
}

int sched_getaffinity(pid_t process, size_t size, cpu_set_t *mask) {
  static int (*next)(pid_t, size_t, cpu_set_t *);
  if (next == NULL) next = (int (*)(pid_t, size_t, cpu_set_t *))dlsym(RTLD_NEXT, "sched_getaffinity");
  int failed = next(process, size, mask);
  long count = claimed(), real = next_sysconf()(_SC_NPROCESSORS_ONLN);
  if (failed || count <= 0 || CPU_COUNT_S(size, mask) < real) return failed;
  CPU_ZERO_S(size, mask);
  for (long i = 0; i < count; i++) CPU_SET_S(i, size, mask);
  return 0;
}
