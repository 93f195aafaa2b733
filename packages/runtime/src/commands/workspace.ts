// Which folders a conversation can work in.

import { realpathSync, statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { systemErrorText } from '@tandem/contract/system-error'
import { invalidField, type Outcome } from '../feature/outcome.ts'
import type { Workspaces } from '../feature/workspaces.ts'
import { isInside } from '../path/inside.ts'
import { makeSample } from './sample-workspace.ts'

/** `home` is Tandem's own folder: no conversation works in it. `userHome` is the user's, where the sample folder is created. */
export function openWorkspaces(home: string, fallback: string, userHome: string): Workspaces {
  return {
    makeSample: () => makeSample(userHome),
    resolve(path = fallback): Outcome<string> {
      if (!isAbsolute(path)) return refused(path, 'must be an absolute path')
      let real: string
      try {
        real = realpathSync(path)
        if (!statSync(real).isDirectory()) return refused(path, 'is not a folder')
      } catch (error) {
        return refused(path, `cannot be opened: ${systemErrorText(error)}`)
      }
      if (isInside(real, realOf(home))) return refused(path, "is in Tandem's own folder")
      return { ok: true, value: real }
    },
  }
}

/** What is longer is no path on any system. */
const longestPath = 500

function realOf(home: string): string {
  try {
    return realpathSync(home)
  } catch {
    // It does not exist yet, and will be created with this path.
    return resolve(home)
  }
}

function refused(path: string, problem: string): Outcome<never> {
  return invalidField('workspace', problem, `the workspace ${path.slice(0, longestPath)} ${problem}`)
}
