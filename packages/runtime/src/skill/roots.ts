// The folders that are searched for skills.
import { delimiter, isAbsolute, join } from 'node:path'
import type { SkillRoot } from '@tandem/contract/skill'

export interface SkillFolder {
  readonly root: SkillRoot
  readonly path: string
}

interface Places {
  /** The user's home folder. */
  readonly user_home: string
  /** Tandem's folder. */
  readonly home: string
  readonly workspace: string | null
  readonly bundled: string | null
  readonly configured: readonly string[]
}

const shared = ['.agents/skills', '.claude/skills'] as const

/** In order of precedence of names: the user's skills, those included with Tandem, those of a workspace. */
export function skillFolders({ user_home, home, workspace, bundled, configured }: Places): readonly SkillFolder[] {
  const own = [join(home, 'skills'), ...configured, ...shared.map((place) => join(user_home, place))]
  const brought = workspace === null ? [] : ['.tandem/skills', ...shared].map((place) => join(workspace, place))
  return [
    ...own.map((path) => ({ root: 'user' as const, path })),
    ...(bundled === null ? [] : [{ root: 'bundled' as const, path: bundled }]),
    ...brought.map((path) => ({ root: 'workspace' as const, path })),
  ]
}

/** The folders in TANDEM_SKILLS, in the format of PATH; a relative one would be a different folder in each workspace. */
export function configuredFolders({ TANDEM_SKILLS = '' }: Readonly<Record<string, string | undefined>>): string[] {
  return TANDEM_SKILLS.split(delimiter).filter(isAbsolute)
}
