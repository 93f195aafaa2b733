// Programs known by name: what belongs to the shell itself, and what a person is warned of.

/** Words that change the shell itself, or what later words mean: never understood. */
export const shellsOwn: ReadonlyMap<string, string> = new Map([
  ...reason('it runs text as a command', 'eval source . exec trap coproc'),
  ...reason('it changes what commands mean', 'alias unalias function builtin command enable hash set shopt bind complete compopt compgen'),
  ...reason('it sets a variable', 'export declare typeset local readonly unset let read mapfile readarray getopts wait'),
  ...reason('it is part of a larger construct', 'if then else elif fi for while until do done case esac select in time ! { } [[ ]] ['),
  ...reason('it handles jobs in the background', 'bg fg jobs disown suspend'),
])

/** Rules about what follows would be about another folder. */
export const changesFolder: readonly string[] = ['cd', 'pushd', 'popd']

export const outputOptions: readonly string[] = ['--output', '--out', '--file', '--write', '-o']

/** Programs that run what they are given, or run it elsewhere. */
export const runsCode = listed(
  'bash sh zsh dash fish ksh python python2 python3 node deno bun ruby perl php lua osascript pwsh awk gawk mawk xargs ' +
    'parallel env nohup timeout nice setsid stdbuf watch script expect npx bunx uvx pipx make ssh docker podman kubectl',
)

export const actsAsAnother = listed('sudo su doas pkexec runuser chroot unshare nsenter')
export const removes = listed('rm rmdir shred unlink truncate dd mkfs')
export const sends = listed('curl wget scp rsync sftp ftp nc ncat socat telnet')

function listed(names: string): readonly string[] {
  return names.split(' ')
}

function reason(why: string, names: string): [string, string][] {
  return listed(names).map((name) => [name, why])
}
