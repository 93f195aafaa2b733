// Files that other programs read or run on their own: writing one changes what these programs do, so it always has a warning. The table is
// used by the rule below and by the sandbox, which prevents commands from changing most of these files. Also finds which of them a call would
// write, with links resolved.
import { dirname, resolve } from 'node:path'
import { type CallPaths, pathInWord, type ResolvedPaths, resolvedPath } from './resolved-paths.ts'
import { isHarmless, rowFor } from './shell/program-table.ts'
import type { ParsedCommand, SimpleCommand } from './shell/understanding.ts'

interface Power {
  /** A name at any depth, or the end of a path; everything below it is included. */
  readonly path: string
  /** `frozen`: commands may read it, not change it. `free`: checking out a branch changes it every day, so git must be able to write it. */
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

/** Below any folder: what commands cannot change. */
export const protectedPathNames: readonly string[] = powers.filter(({ commands }) => commands === 'frozen').map(({ path }) => path)

const names: ReadonlySet<string> = new Set(powers.map(({ path }) => path.toLowerCase()))
const longestName = Math.max(...[...names].map((name) => name.split('/').length))

/** Parent folders of such files: moving one into place moves these files into place. */
const parents: ReadonlySet<string> = new Set([...names].flatMap(above))

/**
 * Where members of a team work, and the copies of skills that agents read and run. They are in Tandem's own folder, which is protected, but
 * what is in them is a copy of a user's folder.
 */
const copyFolder = /\/\.tandem\/(?:copies\/[0-9a-f]{8}-[0-9a-f-]{27}\/files|skill-copies\/[0-9a-f]{16})\//

/** Case is ignored, as on many file systems. */
export function isExecutedByOthers(path: string): boolean {
  const whole = `/${path
    .toLowerCase()
    .split(/[/\\]+/)
    .filter(Boolean)
    .join('/')}/`.replace(copyFolder, '/')
  const parts = whole.slice(1, -1).split('/')
  for (let from = 0; from < parts.length; from += 1) {
    let name = ''
    for (let length = 1; length <= longestName && from + length <= parts.length; length += 1) {
      name += length === 1 ? parts[from] : `/${parts[from + length - 1]}`
      if (names.has(name) || (from + length === parts.length && parents.has(name))) return true
    }
  }
  return false
}

/** `etc` and `Library` are common names; names that begin with a dot are not. */
function above(path: string): string[] {
  const parts = path.split('/')
  return parts[0]?.startsWith('.') ? parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/')) : []
}

function each(commands: Power['commands'], ...lists: readonly string[]): Power[] {
  return lists.flatMap((list) => list.split(' ')).map((path) => ({ path, commands }))
}

export interface ExecutedFile {
  /** As given in the call. */
  readonly path: string
  readonly real: string
}

type WritingCall = CallPaths & { readonly places?: ResolvedPaths }

/** `executed`: if it was computed before. */
export function executedFilesOf(call: WritingCall & { readonly executed?: readonly ExecutedFile[] }): readonly ExecutedFile[] {
  return call.executed ?? findExecutedFiles(call)
}

export function findExecutedFiles(call: WritingCall): readonly ExecutedFile[] {
  const { effects, workspace, command, places } = call
  const written = effects.flatMap((effect) => (effect.does === 'write' || effect.does === 'delete' ? [effect.path] : []))
  const found = [...written, ...(command?.understood ? commandWrites(command, call) : [])].map((path) => {
    const absolute = resolve(workspace, path)
    const { real, entry } = resolvedPath(places, absolute)
    return { path, real, gives: [...new Set([absolute, real, entry])].some(isExecutedByOthers) }
  })
  return found.filter(({ gives }) => gives).map(({ path, real }) => ({ path, real }))
}

function commandWrites(command: Extract<ParsedCommand, { understood: true }>, call: WritingCall): readonly string[] {
  const named = command.commands.flatMap((one) => writtenBy(one, command.folder ?? call.workspace, call))
  return [...new Set([...command.writes, ...named])]
}

/** The operands of these programs are known, so other words are not counted as written. */
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

/** Any word of a program that is not known to only read may be a path that it writes. */
function writtenBy({ words, text }: SimpleCommand, folder: string, { targets, places }: WritingCall): readonly string[] {
  const known = rowFor(words)
  if (known && !known.row.creates && isHarmless(words.slice(known.length), known.row)) return []
  const declared = writers.includes(words[0] ?? '') ? targets?.get(text) : undefined
  return (
    declared?.filter((path) => !isBelowFile(path, declared, places)) ?? words.slice(1).flatMap((word) => pathInWord(word, folder) ?? [])
  )
}

/** `cp a b` writes `b/a` only if `b` is a folder, or a link that may lead to one. */
function isBelowFile(path: string, all: readonly string[], places: ResolvedPaths | undefined): boolean {
  const above = dirname(path)
  const place = resolvedPath(places, above)
  return all.includes(above) && !place.folder && place.real === place.entry
}
