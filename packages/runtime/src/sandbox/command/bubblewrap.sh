#!/usr/bin/env bash
# Starts bubblewrap with two restrictions that the sandbox library has no option for:
# - an IPC namespace of its own;
# - for root, read-only kernel files. /proc/sys asks only whether the caller is root of the machine, and a user namespace does not change
#   that: without this, a command could change settings of the whole machine. Other users may not write these files anyway.
# The mounts come last, just before `--`: they go over the /proc that bubblewrap mounts.
for ((end = 1; end <= $#; end++)); do [[ ${!end} == -- ]] && break; done
closed=()
if ((EUID == 0 && end <= $#)); then
  for name in sys sysrq-trigger irq bus fs acpi scsi asound mtrr dynamic_debug; do
    [[ -e /proc/$name ]] && closed+=(--ro-bind "/proc/$name" "/proc/$name")
  done
fi
exec bwrap --unshare-ipc "${@:1:end-1}" "${closed[@]}" "${@:end}"
