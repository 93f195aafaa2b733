// A process of a whole runtime that may be killed at a crash point, from its start to its end.
import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import type { BundledProgram } from './bundled-program.ts'
import type { CrashPlan } from './test-crash-preload.ts'

export interface ProcessLife<End = unknown> {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly errors: string
  /** The last line that it printed, which is JSON; null if it did not end by itself. */
  readonly end: End | null
}

const preload = new URL('./test-crash-preload.ts', import.meta.url).href

/** `plan`: at which crash points it is killed; null: at none. */
export function lifeOf<End = unknown>(
  { path, compiled }: BundledProgram,
  args: readonly string[],
  plan: CrashPlan | null,
): Promise<ProcessLife<End>> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: tmpdir(), NODE_COMPILE_CACHE: compiled }
  const started = spawn(process.execPath, ['--import', preload, path, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, ...(plan ? { TANDEM_TEST_CRASH_PLAN: JSON.stringify(plan) } : {}) },
  })
  let [output, errors] = ['', '']
  started.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  started.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  return new Promise((resolve) => {
    started.on('close', (code, signal) => {
      const end = code === 0 ? (JSON.parse(output.trim().split('\n').at(-1) ?? 'null') as End) : null
      resolve({ code, signal, errors, end })
    })
  })
}

/** The process ended by itself, and nothing is wrong with the store that it left. */
export function expectWhole({ code, signal, errors }: ProcessLife, folder: string, name: string): void {
  expect([code, signal], `${name}: ${errors}`).toEqual([0, null])
  const database = new DatabaseSync(join(folder, 'home', 'tandem.db'), { readOnly: true })
  try {
    expect(database.prepare('PRAGMA integrity_check').all(), name).toEqual([{ integrity_check: 'ok' }])
  } finally {
    database.close()
  }
}
