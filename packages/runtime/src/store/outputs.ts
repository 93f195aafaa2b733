// Long outputs of calls, kept for a while. What was said and what was asked for is kept for good, however long it is.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store } from './store.ts'

export interface OutputLimits {
  readonly age_ms: number
  readonly bytes: number
}

const day_ms = 24 * 60 * 60 * 1_000
export const outputLimits: OutputLimits = { age_ms: 45 * day_ms, bytes: 2 * 1024 ** 3 }

interface Output {
  readonly name: string
  readonly bytes: number
  readonly changed_at: number
}

/**
 * Removes outputs of runs that have ended: those that are too old, then the oldest until the rest fits.
 * Their beginning stays in the record of the call. How many went.
 */
export async function pruneOutputs({ home, sql, clock }: Pick<Store, 'home' | 'sql' | 'clock'>, limits = outputLimits): Promise<number> {
  const folder = join(home, 'outputs')
  const files = await filesIn(folder)
  if (tooMany(files, clock.now(), limits).length === 0) return 0
  const named = JSON.stringify(files.flatMap(({ name }) => fileIdIn(name) ?? []))
  const prunable = new Set(
    sql.all`
      SELECT c.output_file FROM tool_calls c JOIN runs r ON r.no = c.run
      WHERE r.ended_at IS NOT NULL AND c.output_file IN (SELECT value FROM json_each(${named}))`.map(({ output_file }) => output_file),
  )
  const outputs = files.filter(({ name }) => {
    const file_id = fileIdIn(name)
    return file_id === null || prunable.has(file_id)
  })
  const gone = tooMany(outputs, clock.now(), limits)
  for (const { name } of gone) await rm(join(folder, name), { force: true })
  return gone.length
}

/** Pure. Those past their age, and the oldest of the rest until it fits. */
export function tooMany(outputs: readonly Output[], now: number, { age_ms, bytes }: OutputLimits): readonly Output[] {
  let held = 0
  return outputs
    .toSorted((left, right) => right.changed_at - left.changed_at)
    .filter((output) => {
      held += output.bytes
      return held > bytes || now - output.changed_at > age_ms
    })
}

/** Texts that records name are called by an id of ours; what a command wrote bears the name of its call. */
function fileIdIn(name: string): string | null {
  return /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.txt$/.exec(name)?.[1] ?? null
}

async function filesIn(folder: string): Promise<readonly Output[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  const found: Output[] = []
  for (const name of names) {
    const facts = await stat(join(folder, name)).catch(() => null)
    if (facts?.isFile()) found.push({ name, bytes: facts.size, changed_at: facts.mtimeMs })
  }
  return found
}
