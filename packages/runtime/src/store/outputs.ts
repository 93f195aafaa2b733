// Long outputs of calls, kept for a limited time. Messages and arguments are kept permanently, however long they are.
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
 * Deletes outputs of ended runs: those that are too old, then the oldest until the rest fits. Their beginning remains in the record of the
 * call. Returns how many were deleted.
 */
export async function pruneOutputs({ home, sql, clock }: Pick<Store, 'home' | 'sql' | 'clock'>, limits = outputLimits): Promise<number> {
  const folder = join(home, 'outputs')
  const files = await filesIn(folder)
  if (outputsToDelete(files, clock.now(), limits).length === 0) return 0
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
  const gone = outputsToDelete(outputs, clock.now(), limits)
  for (const { name } of gone) await rm(join(folder, name), { force: true })
  return gone.length
}

/** Those that are too old, and the oldest of the rest until it fits. */
export function outputsToDelete(outputs: readonly Output[], now: number, { age_ms, bytes }: OutputLimits): readonly Output[] {
  let held = 0
  return outputs
    .toSorted((left, right) => right.changed_at - left.changed_at)
    .filter((output) => {
      held += output.bytes
      return held > bytes || now - output.changed_at > age_ms
    })
}

/** Files of texts in records are named by our own ids; the output of a command is named by its call. */
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
