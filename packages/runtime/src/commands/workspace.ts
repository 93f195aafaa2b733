// Which folders a conversation can work in.

import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { systemErrorText } from '@tandem/contract/system-error'
import { invalidField, type Outcome } from '../feature/outcome.ts'
import type { Workspaces } from '../feature/workspaces.ts'
import { isInside } from '../path/inside.ts'
import { programFolder } from '../path/program-folder.ts'
import { makeSample } from './sample-workspace.ts'

/**
 * `home` is Tandem's own folder: no conversation works in it. `userHome` is the user's, where the sample folder is created. `lastUsed`: the
 * folders of conversations, last used first.
 */
export function openWorkspaces(home: string, fallback: string, userHome: string, lastUsed: () => readonly string[] = () => []): Workspaces {
  function check(given: string, field = 'workspace'): Outcome<string> {
    const path = expandHome(given, userHome)
    const refused = (problem: string) => invalidField(field, problem, `the folder ${given.slice(0, longestPath)} ${problem}`)
    if (!isAbsolute(path)) return refused('must be an absolute path, such as ~/project')
    let real: string
    try {
      real = realpathSync(path)
      if (!statSync(real).isDirectory()) {
        const problem = 'is a file; choose a folder'
        return invalidField(field, problem, `${given.slice(0, longestPath)} ${problem}`)
      }
      accessSync(real, constants.R_OK | constants.X_OK)
    } catch (error) {
      return refused(problemOf(error))
    }
    if (isInside(real, realOf(home))) return refused("is in Tandem's own folder; choose another one")
    return { ok: true, value: real }
  }

  const started = () => (isInside(realOf(fallback), realOf(programFolder())) ? null : fallback)

  function fresh(): Outcome<string> {
    if (started() !== null) return check(fallback)
    return (
      lastUsed()
        .map((path) => check(path))
        .find(({ ok }) => ok) ?? notChosen
    )
  }

  return {
    makeSample: () => makeSample(userHome),
    resolve: (path) => (path === undefined ? fresh() : check(path)),
    fresh,
    check,
    expand: (path) => expandHome(path, userHome),
    started,
  }
}

/** Without a choice, an agent would work on Tandem itself. */
const notChosen = invalidField('workspace', 'must be chosen', "choose a folder to work in: the current one is that of Tandem's own program")

/** What is longer is no path on any system. */
const longestPath = 500

/** `~` and `~/x` are in the home folder, as in a shell. Folders of other users (`~name`) are not looked up. */
export function expandHome(path: string, userHome: string): string {
  if (path === '~') return userHome
  return path.startsWith('~/') ? join(userHome, path.slice(2)) : path
}

function problemOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist'
  if (code === 'EACCES' || code === 'EPERM') return 'cannot be read: permission denied'
  return `cannot be opened: ${systemErrorText(error)}`
}

function realOf(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    // It does not exist yet, and will be created with this path.
    return resolve(folder)
  }
}
