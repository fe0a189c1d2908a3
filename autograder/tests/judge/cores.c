/* The tests' own shim: a process is told that it may use CORES processors, whatever there are. One
   that has confined itself to fewer of the real ones is told the truth, as on a large machine. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int (*get_affinity)(pid_t, size_t, cpu_set_t *);
typedef long (*get_conf)(int);

static long ask_conf(int name) { return ((get_conf)dlsym(RTLD_NEXT, "sysconf"))(name); }

static long pretended(void) {
  const char *cores = getenv("CORES");
  return cores ? atol(cores) : 0;
}

long sysconf(int name) {
  int is_count = name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF;
  return is_count && pretended() > 0 ? pretended() : ask_conf(name);
}

int sched_getaffinity(pid_t process, size_t bytes, cpu_set_t *mask) {
  int failed = ((get_affinity)dlsym(RTLD_NEXT, "sched_getaffinity"))(process, bytes, mask);
  long real = ask_conf(_SC_NPROCESSORS_ONLN);
  if (failed || pretended() <= 0 || CPU_COUNT_S(bytes, mask) < real) return failed;
  memset(mask, 0, bytes);
  for (long core = 0; core < pretended() && core < 8 * (long)bytes; core++) CPU_SET_S(core, bytes, mask);
  return 0;
}
