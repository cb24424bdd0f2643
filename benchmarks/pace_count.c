/* A plugin for qemu-user (7.2): counts the guest's instructions; syscall 4242 writes them into the file COUNT_FILE. */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
typedef uint64_t Id;
struct qemu_plugin_tb;
typedef struct qemu_info_t qemu_info_t;
extern void qemu_plugin_register_vcpu_tb_trans_cb(Id, void (*)(Id, struct qemu_plugin_tb *));
extern void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *, int, void *, uint64_t);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
extern void qemu_plugin_register_vcpu_syscall_cb(
    Id, void (*)(Id, unsigned, int64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t));
__attribute__((visibility("default"))) int qemu_plugin_version = 1;
static uint64_t total;
static volatile uint64_t *shared;
static void translated(Id id, struct qemu_plugin_tb *block) {
  qemu_plugin_register_vcpu_tb_exec_inline(block, 0, &total, qemu_plugin_tb_n_insns(block));
}
static void called(Id id, unsigned cpu, int64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
                   uint64_t f, uint64_t g, uint64_t h) {
  if (number == 4242) shared[0] = total;
}
__attribute__((visibility("default"))) int qemu_plugin_install(Id id, const qemu_info_t *info, int argc, char **argv) {
  int file = open(getenv("COUNT_FILE"), O_RDWR | O_CREAT, 0644);
  if (ftruncate(file, 4096)) return 1;
  shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_vcpu_syscall_cb(id, called);
  return 0;
}
