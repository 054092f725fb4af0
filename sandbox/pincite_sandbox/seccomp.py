"""The system calls that a Docker sandbox allows: what programs of science need, and nothing that manages a machine.

An allowlist of our own, narrower than the daemon's: no io_uring, no kernel keys, no tracing of processes, no new
namespaces, and sockets of four families only.
"""

import json
from collections.abc import Sequence
from typing import Any

_EPERM, _ENOSYS = 1, 38
"""Error numbers of Linux: "not permitted", and "no such call", after which libraries try an older one."""

_FILES = """
access chdir chmod chown chown32 close close_range copy_file_range creat dup dup2 dup3 faccessat faccessat2 fadvise64
fadvise64_64 fallocate fchdir fchmod fchmodat fchmodat2 fchown fchown32 fchownat fcntl fcntl64 fdatasync fgetxattr
flistxattr flock fremovexattr fsetxattr fstat fstat64 fstatat64 fstatfs fstatfs64 fsync ftruncate ftruncate64
futimesat getcwd getdents getdents64 getxattr inotify_add_watch inotify_init inotify_init1 inotify_rm_watch ioctl
lchown lchown32 lgetxattr link linkat listxattr llistxattr _llseek lremovexattr lseek lsetxattr lstat lstat64 mkdir
mkdirat mknod mknodat name_to_handle_at newfstatat open openat openat2 pread64 preadv preadv2 pwrite64 pwritev
pwritev2 read readahead readlink readlinkat readv removexattr rename renameat renameat2 rmdir sendfile sendfile64
setxattr splice stat stat64 statfs statfs64 statx symlink symlinkat sync sync_file_range syncfs tee truncate
truncate64 umask unlink unlinkat utime utimensat utimensat_time64 utimes vmsplice write writev
"""
_MEMORY = """
brk cachestat get_mempolicy madvise map_shadow_stack mbind membarrier memfd_create mincore mlock mlock2 mlockall mmap
mmap2 mprotect mremap mseal msync munlock munlockall munmap pkey_alloc pkey_free pkey_mprotect process_mrelease
remap_file_pages set_mempolicy set_mempolicy_home_node
"""
_PROCESSES = """
alarm arch_prctl capget capset execve execveat exit exit_group fork futex futex_requeue futex_time64 futex_wait
futex_waitv futex_wake get_robust_list get_thread_area getcpu getegid getegid32 geteuid geteuid32 getgid getgid32
getgroups getgroups32 getitimer getpgid getpgrp getpid getppid getpriority getresgid getresgid32 getresuid getresuid32
getrlimit getrusage getsid gettid getuid getuid32 ioprio_get ioprio_set kill landlock_add_rule landlock_create_ruleset
landlock_restrict_self pause pidfd_open pidfd_send_signal prctl prlimit64 restart_syscall rseq rt_sigaction
rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_sigtimedwait_time64
rt_tgsigqueueinfo sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getattr sched_getparam
sched_getscheduler sched_rr_get_interval sched_rr_get_interval_time64 sched_setaffinity sched_setattr sched_setparam
sched_setscheduler sched_yield seccomp set_robust_list set_thread_area set_tid_address setfsgid setfsgid32 setfsuid
setfsuid32 setgid setgid32 setgroups setgroups32 setitimer setpgid setpriority setregid setregid32 setresgid
setresgid32 setresuid setresuid32 setreuid setreuid32 setrlimit setsid setuid setuid32 sigaltstack signal signalfd
signalfd4 sigprocmask sigreturn sysinfo tgkill time times tkill ugetrlimit uname vfork wait4 waitid waitpid
"""
_TIME = """
clock_getres clock_getres_time64 clock_gettime clock_gettime64 clock_nanosleep clock_nanosleep_time64 getrandom
gettimeofday nanosleep timer_create timer_delete timer_getoverrun timer_gettime timer_gettime64 timer_settime
timer_settime64 timerfd_create timerfd_gettime timerfd_gettime64 timerfd_settime timerfd_settime64
"""
_WAITING = """
epoll_create epoll_create1 epoll_ctl epoll_ctl_old epoll_pwait epoll_pwait2 epoll_wait epoll_wait_old eventfd eventfd2
io_cancel io_destroy io_getevents io_pgetevents io_pgetevents_time64 io_setup io_submit ipc mq_getsetattr mq_notify
mq_open mq_timedreceive mq_timedreceive_time64 mq_timedsend mq_timedsend_time64 mq_unlink msgctl msgget msgrcv msgsnd
_newselect pipe pipe2 poll ppoll ppoll_time64 pselect6 pselect6_time64 select semctl semget semop semtimedop
semtimedop_time64 shmat shmctl shmdt shmget
"""
_SOCKETS = """
accept accept4 bind connect getpeername getsockname getsockopt listen recv recvfrom recvmmsg recvmmsg_time64 recvmsg
send sendmmsg sendmsg sendto setsockopt shutdown socketpair
"""
_FAMILIES = (1, 2, 10, 16)
"""AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK (which lists interfaces); AF_VSOCK, AF_ALG and AF_PACKET among the rest."""
_NEW_NAMESPACES = 0x7E020000
"""Every CLONE_NEW* flag."""
_PERSONALITIES = (0x0, 0x8, 0x20000, 0x20008, 0xFFFFFFFF)
"""Linux, 32-bit Linux, either reporting version 2.6, and the question which it is."""


def profile() -> str:
    """The profile as JSON, in the form that the daemon takes."""
    names = " ".join((_FILES, _MEMORY, _PROCESSES, _TIME, _WAITING, _SOCKETS)).split()
    rules = [
        _allow(names),
        *(_allow(["socket"], _equals(0, family)) for family in _FAMILIES),
        *(_allow(["personality"], _equals(0, value)) for value in _PERSONALITIES),
        _allow(["clone"], {"index": 0, "value": _NEW_NAMESPACES, "valueTwo": 0, "op": "SCMP_CMP_MASKED_EQ"}),
        # Its flags lie in memory that a filter cannot read: "not there" makes libc take clone instead.
        {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": _ENOSYS},
    ]
    architectures = ["SCMP_ARCH_X86_64", "SCMP_ARCH_X86", "SCMP_ARCH_AARCH64", "SCMP_ARCH_ARM"]
    whole = {
        "defaultAction": "SCMP_ACT_ERRNO",
        "defaultErrnoRet": _EPERM,
        "architectures": architectures,
        "syscalls": rules,
    }
    return json.dumps(whole)


def _allow(names: Sequence[str], *arguments: dict[str, Any]) -> dict[str, Any]:
    return {"names": list(names), "action": "SCMP_ACT_ALLOW", "args": list(arguments)}


def _equals(index: int, value: int) -> dict[str, Any]:
    return {"index": index, "value": value, "valueTwo": 0, "op": "SCMP_CMP_EQ"}
