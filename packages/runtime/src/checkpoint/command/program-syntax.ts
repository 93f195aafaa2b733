// How common programs parse their arguments: which options take a value, and which operands they write.

export interface ProgramSyntax {
  /** Options with a value that is not a written path. */
  readonly values?: readonly string[]
  /** Options whose value is a file that the program writes, in addition to those of every program. */
  readonly outputs?: readonly string[]
  /** Options that name no file for this program, although they do for others (`grep -o`, `kubectl --output`). */
  readonly notOutputs?: readonly string[]
  /** Options whose value must follow without a space, as in `-i.bak`. */
  readonly attached?: readonly string[]
  /** Options whose value is the destination folder of the operands. */
  readonly into?: readonly string[]
  /** Operands that are written. `moved`: the last one is written, and the others are removed. */
  readonly writes?: 'all' | 'last' | 'moved'
  /** The first operand is a mode or an owner, unless one of these options is present. */
  readonly firstIsValue?: { readonly unless: readonly string[] }
}

/** Output options of any program. */
export const outputOptions = ['--output', '--out', '--file', '--write', '-o']

const copying = { into: ['-t', '--target-directory'], values: ['-S', '--suffix'] } as const
const noShortOutput = { notOutputs: ['-o'] } as const
const outputIsFormat = { notOutputs: ['-o', '--output'] } as const
const owner = { writes: 'all', firstIsValue: { unless: ['--reference'] }, values: ['--reference', '--from'] } as const
const pattern = { notOutputs: ['-o', '--file'] } as const

/** By name; a subcommand has its own entry if it differs. */
export const programs: Readonly<Record<string, ProgramSyntax>> = {
  rm: { writes: 'all' },
  rmdir: { writes: 'all' },
  unlink: { writes: 'all' },
  tee: { writes: 'all' },
  mkdir: { writes: 'all', values: ['-m', '--mode'] },
  touch: { writes: 'all', values: ['-d', '--date', '-t', '-r', '--reference', '--time'] },
  truncate: { writes: 'all', values: ['-s', '--size', '-r', '--reference'], ...noShortOutput },
  shred: { writes: 'all', values: ['-n', '--iterations', '-s', '--size', '--random-source'] },
  chmod: { writes: 'all', firstIsValue: { unless: ['--reference'] }, values: ['--reference'] },
  chown: owner,
  chgrp: owner,
  mv: { writes: 'moved', ...copying },
  cp: { writes: 'last', ...copying },
  ln: { writes: 'last', ...copying },
  install: {
    writes: 'last',
    into: copying.into,
    values: ['-m', '--mode', '-o', '--owner', '-g', '--group', '-S', '--suffix', '--strip-program'],
    ...noShortOutput,
  },
  rsync: {
    writes: 'last',
    outputs: ['--log-file', '--write-batch'],
    values: [
      ...['-e', '--rsh', '--exclude', '--include', '--exclude-from', '--include-from', '--files-from', '-f', '--filter', '--bwlimit'],
      ...['-T', '--temp-dir', '--partial-dir', '--backup-dir', '--suffix', '-B', '--block-size', '--chmod', '--chown', '--max-size'],
      ...['--min-size', '--compare-dest', '--copy-dest', '--link-dest', '--password-file', '--port', '--timeout', '--contimeout'],
      ...['-M', '--remote-option', '--rsync-path', '--info', '--debug', '--out-format', '--max-delete', '--modify-window'],
    ],
    ...noShortOutput,
  },
  sed: { values: ['-e', '--expression', '-f', '--file', '-l', '--line-length'], attached: ['-i'], notOutputs: ['--file'] },
  perl: { values: ['-e', '-E', '-I'], attached: ['-i', '-M', '-F', '-0', '-l'] },
  tar: { values: ['-C', '--directory', '-T', '--files-from', '-X', '--exclude-from', '--exclude'], ...noShortOutput },
  wget: { outputs: ['-O', '--output-document', '-a', '--append-output', '--output-file'] },
  openssl: { outputs: ['-out'] },
  terraform: { outputs: ['-out'] },
  git: noShortOutput,
  'git archive': {},
  'git format-patch': {},
  grep: pattern,
  egrep: pattern,
  fgrep: pattern,
  rg: pattern,
  ag: noShortOutput,
  awk: { notOutputs: ['--file', '-o'] },
  gawk: { notOutputs: ['--file', '-o'] },
  make: { notOutputs: ['-o', '--file'] },
  psql: { notOutputs: ['--file'] },
  df: { notOutputs: ['--output'] },
  column: noShortOutput,
  cpio: noShortOutput,
  find: noShortOutput,
  flock: noShortOutput,
  ls: noShortOutput,
  nm: noShortOutput,
  od: noShortOutput,
  strings: noShortOutput,
  test: noShortOutput,
  '[': noShortOutput,
  '[[': noShortOutput,
  set: noShortOutput,
  shopt: noShortOutput,
  bash: noShortOutput,
  sh: noShortOutput,
  zsh: noShortOutput,
  dash: noShortOutput,
  ksh: noShortOutput,
  ssh: noShortOutput,
  scp: noShortOutput,
  sftp: noShortOutput,
  sshfs: noShortOutput,
  mount: noShortOutput,
  unzip: noShortOutput,
  zip: noShortOutput,
  useradd: noShortOutput,
  groupadd: noShortOutput,
  yq: noShortOutput,
  ps: outputIsFormat,
  lsblk: outputIsFormat,
  lscpu: outputIsFormat,
  findmnt: outputIsFormat,
  journalctl: outputIsFormat,
  systemctl: outputIsFormat,
  kubectl: outputIsFormat,
  oc: outputIsFormat,
  helm: outputIsFormat,
  az: outputIsFormat,
  aws: outputIsFormat,
  docker: outputIsFormat,
  podman: outputIsFormat,
}

/** Programs that run another command: their options with a value, and the number of operands before that command. */
export const wrappers: Readonly<Record<string, { readonly values?: readonly string[]; readonly operands?: number }>> = {
  sudo: { values: ['-u', '--user', '-g', '--group', '-h', '--host', '-p', '--prompt', '-C', '-T', '-U', '-D', '-R', '-r', '-t'] },
  doas: { values: ['-u', '-C'] },
  env: { values: ['-u', '--unset', '-C', '--chdir', '-S', '--split-string'] },
  xargs: {
    values: ['-n', '-I', '-P', '-L', '-d', '-a', '-s', '-E', '--max-args', '--max-procs', '--delimiter', '--arg-file', '--replace'],
  },
  nice: { values: ['-n', '--adjustment'] },
  ionice: { values: ['-c', '--class', '-n', '--classdata'] },
  timeout: { values: ['-s', '--signal', '-k', '--kill-after'], operands: 1 },
  stdbuf: { values: ['-i', '--input', '-o', '--output', '-e', '--error'] },
  time: { values: ['-f', '--format'] },
  exec: { values: ['-a'] },
  command: {},
  nohup: {},
  setsid: {},
}

/** Shell keywords before a command. */
export const keywords: ReadonlySet<string> = new Set(['then', 'do', 'else', 'if', 'elif', 'while', 'until', '!', '{'])
