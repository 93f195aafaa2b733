// Files that other programs read or run on their own: writing one decides what these programs do. It always carries a warning. One table for
// the rule below and for the sandbox, which keeps commands from changing most of them; and what of it a call would write, wherever its links
// lead.
import { dirname, resolve } from 'node:path'
import { type PlacedCall, type Places, pathOfWord, placeIn } from './places.ts'
import { isHarmless, rowFor } from './shell/program-table.ts'
import type { SimpleCommand, Understanding } from './shell/understanding.ts'

interface Power {
  /** A name wherever it stands, or the end of a way; everything below it means the same. */
  readonly path: string
  /** `frozen`: commands may read it, not change it. `free`: checking out a branch changes it every day, so it can't be withheld from git. */
  readonly commands: 'frozen' | 'free'
}

const powers: readonly Power[] = [
  ...each(
    'frozen',
    '.bashrc .bash_profile .bash_login .bash_logout .profile .zshrc .zshenv .zprofile .zlogin .envrc .config/fish',
    '.gitconfig .gitmodules .config/git .git/config .git/config.worktree .git/hooks .git/info .husky .githooks',
    '.npmrc .yarnrc .yarnrc.yml .pypirc .netrc sitecustomize.py usercustomize.py',
    '.mcp.json mcp.json .cursorrules .cursor .claude .codex .gemini .tandem .vscode .idea',
    '.ssh .gnupg authorized_keys crontab .config/autostart .config/systemd etc/cron.d etc/profile.d etc/systemd Library/LaunchAgents',
  ),
  ...each(
    'free',
    '.git .github/workflows .gitlab-ci.yml .circleci .pre-commit-config.yaml .pre-commit-hooks.yaml lefthook.yml .lefthook.yml',
    '.devcontainer .devcontainer.json conftest.py',
    // Instructions of agents.
    'AGENTS.md AGENT.md CLAUDE.md CLAUDE.local.md GEMINI.md SKILL.md .github/copilot-instructions.md .github/instructions .github/prompts',
    '.clinerules .roo .roorules .roomodes .windsurf .windsurfrules .aider.conf.yml .continue .continuerules .goosehints .junie .kiro',
    '.opencode opencode.json .amp .augment .augment-guidelines .trae .zed',
  ),
]

/** Below any folder: what no command changes. */
export const frozenForCommands: readonly string[] = powers.filter(({ commands }) => commands === 'frozen').map(({ path }) => path)

/** Folders that hold nothing but what they are given: putting one in place puts what is in it in place. */
const parents: readonly string[] = [...new Set(powers.flatMap(({ path }) => above(path.toLowerCase())))]

/** Case does not count: on many disks it does not either. */
export function givesPower(path: string): boolean {
  const whole = `/${path
    .toLowerCase()
    .split(/[/\\]+/)
    .filter(Boolean)
    .join('/')}/`
  return powers.some((power) => whole.includes(`/${power.path.toLowerCase()}/`)) || parents.some((parent) => whole.endsWith(`/${parent}/`))
}

/** `etc` and `Library` are everyone's words; what begins with a dot is not. */
function above(path: string): string[] {
  const parts = path.split('/')
  return parts[0]?.startsWith('.') ? parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/')) : []
}

function each(commands: Power['commands'], ...lists: readonly string[]): Power[] {
  return lists.flatMap((list) => list.split(' ')).map((path) => ({ path, commands }))
}

export interface GivenPower {
  /** As the call names it. */
  readonly path: string
  readonly real: string
}

type WritingCall = PlacedCall & { readonly places?: Places }

export function powersOf(call: WritingCall): readonly GivenPower[] {
  const { effects, workspace, command, places } = call
  const written = effects.flatMap((effect) => (effect.does === 'write' || effect.does === 'delete' ? [effect.path] : []))
  const found = [...written, ...(command?.understood ? commandWrites(command, call) : [])].map((path) => {
    const absolute = resolve(workspace, path)
    const { real, entry } = placeIn(places, absolute)
    return { path, real, gives: [absolute, real, entry].some(givesPower) }
  })
  return found.filter(({ gives }) => gives).map(({ path, real }) => ({ path, real }))
}

function commandWrites(command: Extract<Understanding, { understood: true }>, call: WritingCall): readonly string[] {
  const named = command.commands.flatMap((one) => writtenBy(one, command.folder ?? call.workspace, call))
  return [...new Set([...command.writes, ...named])]
}

/** Their operands are known to be read in a certain way: what they do not write is not counted. */
const writers: readonly string[] = [
  'cp',
  'mv',
  'ln',
  'install',
  'rsync',
  'rm',
  'rmdir',
  'unlink',
  'tee',
  'mkdir',
  'touch',
  'truncate',
  'shred',
  'chmod',
  'chown',
  'chgrp',
]

/** Any word of a program that is not known to only look may name what it writes. */
function writtenBy({ words, text }: SimpleCommand, folder: string, { targets, places }: WritingCall): readonly string[] {
  const known = rowFor(words)
  if (known && !known.row.creates && isHarmless(words.slice(known.length), known.row)) return []
  const said = writers.includes(words[0] ?? '') ? targets?.get(text) : undefined
  return said?.filter((path) => !isBelowFile(path, said, places)) ?? words.slice(1).flatMap((word) => pathOfWord(word, folder) ?? [])
}

/** `cp a b` writes `b/a` only where `b` is a folder, or a link that may lead to one. */
function isBelowFile(path: string, all: readonly string[], places: Places | undefined): boolean {
  const above = dirname(path)
  const place = placeIn(places, above)
  return all.includes(above) && !place.folder && place.real === place.entry
}
