import type { Random } from './random.ts'
import type { Language } from './run.ts'

/** What differs from one run to the next; steps and requests are filled in from it. */
export interface Scene {
  random: Random
  language: Language
  project: string
  at: number
  date: string
  month: string
  week: string
  lastWeek: string
  version: string
  previous: string
}

const day = 86_400_000

export function sceneOf(random: Random, language: Language, project: string, at: number): Scene {
  const major = random.int(0, 4)
  const minor = random.int(0, 14)
  const patch = random.int(0, 9)
  const date = new Date(at).toISOString().slice(0, 10)
  const version = random.chance(0.5) ? `${major}.${minor}.${patch + 1}` : `${major}.${minor + 1}.0`
  return {
    random,
    language,
    project,
    at,
    date,
    month: date.slice(0, 7),
    week: weekOf(at),
    lastWeek: weekOf(at - 7 * day),
    version,
    previous: `${major}.${minor}.${patch}`,
  }
}

export const say = (scene: Scene, en: string, de: string) => (scene.language === 'de' ? de : en)

function weekOf(at: number): string {
  const thursday = new Date(at + (4 - (new Date(at).getUTCDay() || 7)) * day)
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1)
  const week = Math.ceil(((thursday.getTime() - first) / day + 1) / 7)
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`
}
