"""What Windows and macOS lack of Python's standard library on Linux, as patterns of names.

Taken from typeshed's conditions on `sys.platform` and from Python's documentation.
"""

MODULES = {
    "windows": "fcntl resource pwd grp termios tty pty posix syslog readline crypt nis spwd curses "
    "_posixsubprocess ossaudiodev",
    "macos": "spwd ossaudiodev",
}

_LINUX_ONLY = """
    EFD_* GRND_* MFD_* O_DIRECT O_LARGEFILE O_NOATIME O_PATH O_RSYNC O_TMPFILE POSIX_FADV_*
    P_PIDFD RTLD_DEEPBIND RWF_* SPLICE_* XATTR_* copy_file_range eventfd* fdatasync getrandom
    getres* getxattr listxattr removexattr setxattr memfd_create pidfd_open pipe2 posix_fadvise
    posix_fallocate sched_[gs]et* sched_rr_get_interval setres* splice waitid* unshare setns
    CLONE_* timerfd_* TFD_* PIDFD_*
"""
NAMES = {
    "windows": {
        "os": _LINUX_ONLY
        + """
        CLD_* EX_* F_LOCK F_TEST F_TLOCK F_ULOCK NGROUPS_MAX O_ACCMODE O_ASYNC O_CLOEXEC
        O_DIRECTORY O_DSYNC O_FSYNC O_NDELAY O_NOCTTY O_NOFOLLOW O_NONBLOCK O_SYNC POSIX_SPAWN_*
        PRIO_* P_ALL P_PGID P_PID RTLD_* SCHED_* SEEK_DATA SEEK_HOLE ST_* WCONTINUED WCOREDUMP
        WEXITED WEXITSTATUS WIF* WNOHANG WNOWAIT WSTOP* WTERMSIG WUNTRACED chown chroot confstr*
        ctermid environb fchdir fchmod fchown fork forkpty fpathconf fstatvfs fwalk get_blocking
        set_blocking getegid getenvb geteuid getgid getgroup* getloadavg getpg* getpriority
        getsid getuid initgroups killpg lchown lockf login_tty major makedev minor mkfifo mknod
        nice openpty pathconf* posix_spawn* pread* pwrite* readv register_at_fork sched_*
        sendfile setegid seteuid setgid setgroups setpgid setpgrp setpriority setre* setsid
        setuid spawn*p spawn*pe statvfs sync sysconf* tcgetpgrp tcsetpgrp ttyname uname wait
        wait3 wait4 writev
        """,
        "signal": """
        ITIMER_* ItimerError SIGALRM SIGBUS SIGCHLD SIGCLD SIGCONT SIGHUP SIGIO SIGIOT SIGKILL
        SIGPIPE SIGPOLL SIGPROF SIGPWR SIGQUIT SIGRT* SIGSTKFLT SIGSTOP SIGSYS SIGTRAP SIGTSTP
        SIGTT* SIGURG SIGUSR* SIGVTALRM SIGWINCH SIGX* SIG_BLOCK SIG_SETMASK SIG_UNBLOCK
        Sigmasks alarm getitimer pause pidfd_* pthread_* setitimer siginterrupt sigpending
        sigtimedwait sigwait* struct_siginfo
        """,
        "socket": "AF_UNIX AF_NETLINK AF_PACKET SCM_* CMSG_* SOCK_CLOEXEC SOCK_NONBLOCK recv_fds "
        "send_fds sethostname SO_REUSEPORT SO_PEERCRED",
        "select": "EPOLL* POLL* PIPE_BUF epoll poll",
        "selectors": "EpollSelector PollSelector",
        "time": "CLOCK_* clock_* pthread_getcpuclockid tzset",
    },
    "macos": {
        "os": _LINUX_ONLY + "SCHED_BATCH SCHED_IDLE SCHED_RESET_ON_FORK",
        "signal": "SIGCLD SIGPOLL SIGPWR SIGRT* SIGSTKFLT pidfd_* sigtimedwait sigwaitinfo",
        "socket": "AF_NETLINK AF_PACKET SOCK_CLOEXEC SOCK_NONBLOCK SO_PEERCRED SCM_CREDENTIALS",
        "select": "EPOLL* epoll POLLMSG POLLRDHUP",
        "selectors": "EpollSelector",
        "time": "CLOCK_BOOTTIME CLOCK_TAI pthread_getcpuclockid",
    },
}
LINUX_CALLS = {"prctl", "unshare", "mount", "capset", "seccomp", "syscall"}
"""Functions of Linux's C library that the kit calls by name."""
