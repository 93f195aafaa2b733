// How many of the planted secrets the rules of long-term memory recognize, and how much of harmless text they take for one.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { maskSecrets } from '../packages/runtime/src/memory/rule/secret/secrets.ts'

interface Planted {
  readonly id: string
  readonly text: string
  /** Each secret in pieces, so that no scanner takes the file for a leak. */
  readonly parts: readonly (readonly string[])[]
  readonly family: string
}

export interface SecretQuality {
  readonly secrets: number
  /** Families of the messages. */
  readonly missed: readonly string[]
  readonly harmless: number
  /** Messages in which something was masked. */
  readonly wrong: readonly string[]
}

export function secretQuality(part: string): SecretQuality {
  const planted = read<Planted>(part, 'planted')
  const harmless = read<{ readonly text: string }>(part, 'harmless')
  return {
    secrets: planted.reduce((sum, { parts }) => sum + parts.length, 0),
    missed: planted.flatMap(missedIn),
    harmless: harmless.length,
    wrong: harmless.map(({ text }) => text).filter((text) => maskSecrets(text) !== text),
  }
}

function missedIn({ id, text, parts, family }: Planted): readonly string[] {
  const secrets = parts.map((pieces) => pieces.join(''))
  const masked = maskSecrets(text.replace(/\{\{(\d+)\}\}/g, (_, place) => secrets[Number(place) - 1] ?? ''))
  return secrets.filter((secret) => masked.includes(secret)).map(() => `${id} ${family}`)
}

function read<Line>(part: string, name: string): readonly Line[] {
  const file = join(import.meta.dirname, 'memory-secrets', part, `${name}.jsonl`)
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

if (import.meta.main) {
  for (const part of ['first', 'second', 'third']) {
    const { secrets, missed, harmless, wrong } = secretQuality(part)
    process.stdout.write(`${part}: ${secrets - missed.length} of ${secrets} recognized, ${wrong.length} of ${harmless} masked wrongly\n`)
    if (process.argv.includes('--list')) for (const line of [...missed, ...wrong]) process.stdout.write(`  ${line}\n`)
  }
}
