// The SKILL.md files of recommendations: drafts in a folder that no scan reads, live ones in the user's folder of skills.
import { mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { skillLimits } from '../../skill/limits.ts'

export interface SkillFiles {
  draftPath(recommendation_id: string): string
  livePath(skill_name: string): string
  /** Null if there is none, or if it is too large. */
  read(path: string): string | null
  /** Complete or not at all. */
  write(path: string, content: string): void
  /** With its folder, if nothing else is in it. */
  remove(path: string): void
}

export function openSkillFiles(home: string): SkillFiles {
  return {
    draftPath: (recommendation_id) => join(home, 'skill-drafts', recommendation_id, 'SKILL.md'),
    livePath: (skill_name) => join(home, 'skills', skill_name, 'SKILL.md'),
    read(path) {
      try {
        const bytes = readFileSync(path)
        return bytes.length > skillLimits.file_bytes ? null : bytes.toString('utf8')
      } catch {
        // Missing or not readable: there is no text.
        return null
      }
    },
    write(path, content) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      const temporary = `${path}.new`
      writeFileSync(temporary, content, { mode: 0o600 })
      renameSync(temporary, path)
    },
    remove(path) {
      rmSync(path, { force: true })
      try {
        rmdirSync(dirname(path))
      } catch {
        // The user has other files there.
      }
    },
  }
}
