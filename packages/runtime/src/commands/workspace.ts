// Which folders a conversation can work in.

import { realpathSync, statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import type { Outcome } from '../feature/outcome.ts'
import type { Workspaces } from '../feature/workspaces.ts'
import { isInside } from '../path/inside.ts'
import { makeSample } from './sample-workspace.ts'

/** `home` is Tandem's own folder: no conversation works in it. `userHome` is the user's, where the sample folder is created. */
export function openWorkspaces(home: string, fallback: string, userHome: string): Workspaces {
  return {
    makeSample: () => makeSample(userHome),
    resolve(path = fallback): Outcome<string> {
      if (!isAbsolute(path)) return refused(`the workspace ${path} must be an absolute path`)
      let real: string
      try {
        real = realpathSync(path)
        if (!statSync(real).isDirectory()) return refused(`the workspace ${path} is not a folder`)
      } catch (error) {
        return refused(`the workspace ${path} cannot be opened: ${error instanceof Error && 'code' in error ? error.code : String(error)}`)
      }
      if (isInside(real, realOf(home))) return refused(`the workspace ${path} is inside Tandem's own folder`)
      return { ok: true, value: real }
    },
  }
}

function realOf(home: string): string {
  try {
    return realpathSync(home)
  } catch {
    // It does not exist yet, and will be created with this path.
    return resolve(home)
  }
}

function refused(message: string): Outcome<never> {
  return { ok: false, code: 'invalid_params', message }
}
