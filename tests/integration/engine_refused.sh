#!/bin/bash
# SPDX-License-Identifier: MIT
# io_uring that the kernel or a container refuses: the choice falls on libaio and the result says why; where
# io_uring was asked for, the run is refused. Limits are seen before anything starts.
TMPDIR=${TMPDIR:-/var/tmp}
export TMPDIR
. "$(dirname "$0")/lib_run.sh"
need_uring

setup=425 # io_uring_setup, on every architecture
profile deep "$FILL" "$READ"
profile depth1 "${FILL/4\}/1\}}"
deny_syscall $setup 1 true || skip "needs seccomp"

# Run with io_uring_setup failing: by choice it is not used, for REASON.
falls_back() { # ERRNO REASON [PREFIX...]
	rm -rf auto uring
	expect_status 0 "${@:3}" "$PYTHON" "$_deny" $setup "$1" \
		"$SSDBENCH" run --quiet --output auto ./deep.json scratch:16MiB
	validate_result auto/result.json
	for step in 0 1; do
		engine="doc['steps'][$step]['engine']"
		expect_equal auto "$(json auto/result.json "${engine}['asked']")"
		expect_equal libaio "$(json auto/result.json "${engine}['used']")"
		expect_equal "io_uring cannot be used: $2" "$(json auto/result.json "${engine}['reason']")"
		expect_json auto/result.json "'fallback_engine' in
			[f['flag'] for f in doc['steps'][$step]['drives'][0]['flags']]"
	done
	expect_line stdout "fallback_engine: io_uring cannot be used: "

	expect_status 4 "${@:3}" "$PYTHON" "$_deny" $setup "$1" "$SSDBENCH" run --output uring \
		./deep.json scratch:16MiB --engine io_uring
	expect_empty stdout
	expect_line stderr "^ssdbench: io_uring cannot be used: ${2//[()]/.}$"
	[[ ! -e uring ]] || fail "a refused run left $(find uring)"
}
falls_back 1 'blocked (seccomp or container): Operation not permitted'
falls_back 13 'blocked (seccomp or container): Permission denied'
falls_back 38 'blocked (seccomp or container): Function not implemented'

# The sysctl holds for the whole machine: show this process another one.
sysctl=/proc/sys/kernel/io_uring_disabled
if [[ -e $sysctl && $(id -u) = 0 ]]; then
	echo 2 >disabled
	# shellcheck disable=SC2016
	falls_back 1 'kernel.io_uring_disabled is 2 (sysctl -w kernel.io_uring_disabled=0 allows it)' \
		unshare --mount --propagation private bash -c \
		'mount --bind disabled "$0" && exec "$@"' $sysctl
fi

# At depth 1 nothing is missing, and what was asked for is never replaced.
expect_status 0 deny_syscall $setup 1 \
	"$SSDBENCH" run --quiet --output one ./depth1.json scratch:16MiB
expect_equal sync "$(json one/result.json 'doc["steps"][0]["engine"]["used"]')"
expect_equal null "$(json one/result.json 'doc["steps"][0]["engine"]["reason"]')"
for engine in io_uring libaio sync; do
	expect_run 0 $engine ./deep.json scratch:16MiB --engine $engine
	expect_json $engine/result.json "all(s['engine']['asked'] == s['engine']['used'] == '$engine' and
		s['engine']['reason'] is None for s in doc['steps'])"
done

# --- fs.aio-max-nr ---
max=$(cat /proc/sys/fs/aio-max-nr)
jobs=$((max / 1024 + 64))
if ((jobs <= 192)); then
	profile aio "${READ/4,/1024, \"numjobs\": $jobs,}"
	expect_refused 4 "libaio needs room for $((jobs * 1024)) requests, .* are left \(fs.aio-max-nr $max, in use [0-9]+\): sysctl -w fs.aio-max-nr=" \
		./aio.json scratch:16MiB --engine libaio
fi

# --- open files, CPUs ---
# shellcheck disable=SC2016
expect_status 4 bash -c 'ulimit -n 64; exec "$@"' bash \
	"$SSDBENCH" run --output refused ./deep.json scratch:16MiB --engine io_uring
expect_line stderr 'open files are needed, the limit is 64: ulimit -n '
expect_empty stdout
expect_refused 2 'CPU.* 1030' ./deep.json scratch:16MiB --cpus 0,1030
