// Programs known by name: shell builtins, and why a program needs a closer look. Harmless programs are in the tables of harmless.ts and
// project-programs.ts; a program that is in no table gets a general warning.

/** Words that change the shell itself, or the meaning of later words: never understood. */
export const shellBuiltins: ReadonlyMap<string, string> = new Map([
  ...reason('it runs text as a command', 'eval source . exec trap coproc'),
  ...reason('it changes what commands mean', 'alias unalias function builtin command enable hash set shopt bind complete compopt compgen'),
  ...reason('it sets a variable', 'export declare typeset local readonly unset let read mapfile readarray getopts wait'),
  ...reason('it is part of a larger construct', 'if then else elif fi for while until do done case esac select in time ! { } [[ ]] ['),
  ...reason('it controls background jobs', 'bg fg jobs disown suspend'),
])

/** Rules about the commands that follow would apply to another folder. */
export const changesFolder: readonly string[] = ['cd', 'pushd', 'popd']

/** Programs that read code from their arguments, from a file or from a pipe. */
export const interpreters = listed(
  'bash sh zsh dash fish ksh csh tcsh python python2 python3 pypy pypy3 node nodejs deno bun ruby perl php lua luajit Rscript julia ' +
    'osascript pwsh powershell tclsh wish guile racket groovy scala ghci irb awk gawk mawk nawk sqlite3 mysql psql bc dc ed ex vi vim nvim ' +
    'emacs gdb lldb',
)

/** Why a program needs a closer look: the rest of a sentence that begins with its name. The first list with its name applies. */
const reasons: readonly (readonly [readonly string[], string])[] = [
  [listed('sudo su doas pkexec runuser chroot unshare nsenter setpriv capsh'), 'runs with different privileges.'],
  [
    listed(
      'xargs parallel env nohup timeout nice ionice setsid stdbuf watch script expect busybox toybox flock taskset chrt strace ltrace ' +
        'entr at batch crontab systemd-run docker podman kubectl ssh npx bunx uvx pipx uv mvn gradle ant cmake ninja bazel rake tox nox ' +
        'pytest gcc g++ cc clang ld less more man tclsh',
    ),
    'runs other programs or code that is not shown here in full.',
  ],
  [listed('rm rmdir shred unlink truncate dd mkfs wipefs srm'), 'removes or overwrites files.'],
  [listed('mv cp install tee ln rsync split csplit patch zip unzip tar gzip gunzip bzip2 xz zstd 7z cpio'), 'can replace or remove files.'],
  [listed('curl wget scp sftp ftp nc ncat socat telnet gh aws gcloud az mail sendmail'), 'connects to other machines.'],
  [listed('chmod chown chgrp setfacl chattr'), 'changes who can read, change or run files.'],
  [listed('kill pkill killall'), 'ends other processes.'],
  [listed('pip pip3 gem apt apt-get yum dnf brew apk pacman snap'), 'installs software, which can run its own code.'],
]

/** Subcommands, where the program name is not specific enough. */
const subcommands: readonly (readonly [RegExp, string])[] = [
  [/^git (?:push|fetch|pull|clone|ls-remote|submodule|remote)$/, 'connects to other machines or changes remotes.'],
  [
    /^git (?:reset|clean|checkout|restore|rebase|rm|mv|stash|switch|merge|am|apply|cherry-pick|revert|gc|prune|filter-branch|reflog|update-ref|worktree)$/,
    'can change or remove files or history.',
  ],
  [/^git (?:config|grep|difftool|mergetool|bisect|daemon|hook|for-each-repo)$/, 'can run other programs.'],
  [
    /^(?:npm|pnpm|yarn|bun) (?:i|install|ci|add|update|up|upgrade|rebuild|link|exec|x|dlx|create|init|publish|pack|start)$/,
    'runs scripts of the project or of packages that it downloads.',
  ],
]

/** The rest of a sentence that begins with the name of the program; null if there is no specific reason. */
export function reasonFor(program: string, subcommand: string | undefined): string | null {
  const both = `${program} ${subcommand ?? ''}`
  const special = subcommands.find(([pattern]) => pattern.test(both))
  if (special) return special[1]
  if (interpreters.includes(program) || /^python[\d.]+$/.test(program)) return 'runs code that is not shown here in full.'
  return reasons.find(([names]) => names.includes(program))?.[1] ?? null
}

function listed(names: string): readonly string[] {
  return names.split(' ')
}

function reason(why: string, names: string): [string, string][] {
  return listed(names).map((name) => [name, why])
}
