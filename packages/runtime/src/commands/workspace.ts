// Which folder a conversation may work in.

import { realpathSync, statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import type { Outcome } from '../feature/outcome.ts'
import type { Workspaces } from '../feature/workspaces.ts'
import { isInside } from '../path/inside.ts'
import { makeSample } from './sample-workspace.ts'

/** `home` is Tandem's own folder: nothing works inside it. `userHome` is the person's, where a sample can be found. */
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
        return refused(`the workspace ${path} can't be opened: ${error instanceof Error && 'code' in error ? error.code : String(error)}`)
      }
      if (isInside(real, realOf(home))) return refused(`the workspace ${path} lies in Tandem's own folder`)
      return { ok: true, value: real }
    },
  }
}

function realOf(home: string): string {
  try {
    return realpathSync(home)
  } catch {
    // It is made later, then as it is named.
    return resolve(home)
  }
}

function refused(message: string): Outcome<never> {
  return { ok: false, code: 'invalid_params', message }
}
