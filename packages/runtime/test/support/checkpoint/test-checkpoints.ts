// A test environment: a real store, a real workspace, and an independent view of what is on disk.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Effect } from '../../../src/call/tool.ts'
import type { CheckpointCursor } from '../../../src/checkpoint/checkpoint-row.ts'
import type { CheckpointWriterOptions } from '../../../src/checkpoint/checkpoint-writer.ts'
import { type Checkpoints, openCheckpoints } from '../../../src/checkpoint/checkpoints.ts'
import { inlineEngine } from '../../../src/checkpoint/engine.ts'
import type { CheckpointPlan } from '../../../src/checkpoint/plan.ts'
import type { RecoveredRecord } from '../../../src/checkpoint/restore/recovery.ts'
import type { DeletedRecord } from '../../../src/checkpoint/retention.ts'
import type { TakenCheckpoint } from '../../../src/checkpoint/take-checkpoint.ts'
import { type Clock, systemClock } from '../../../src/clock/clock.ts'
import { openStore, type Store } from '../../../src/store/store.ts'

export const run_id = '01990000-0000-7000-8000-000000000001'
/** Another run that works in the same folder. */
export const other_run_id = '01990000-0000-7000-8000-000000000003'

export function cursorAt(seq: number, workspace: string, run = run_id): CheckpointCursor {
  return {
    run_id: run,
    agent_id: 'agent',
    conversation_id: '01990000-0000-7000-8000-000000000002',
    run_metadata: {
      ...{ state: 'running', title: 'A run', device_id: 'device', model: 'demo/scripted', sandbox_mode: 'workspace', workspace },
      started_at: '2026-03-01T09:00:00.000Z',
    },
    run_loop_cursor: { seq, turn: 1, phase: 'tool_call', step_id: null },
    conversation_slice: { from_seq: 0, through_seq: seq },
    tool_state: { through_seq: seq, open_call_ids: [] },
    approval_queue: [],
    memory_flush_markers: { flushed_through_seq: 0, last_flush_at: null },
    recovery_hints: [],
  }
}

export interface CheckpointTestEnvironment {
  readonly folder: string
  readonly home: string
  readonly work: string
  readonly store: Store
  readonly checkpoints: Checkpoints
  /** Plans, creates a checkpoint, runs the command in bash, settles; returns the id. */
  shell(command: string, cwd?: string): Promise<string>
  take(effects: readonly Effect[], tool?: string, run?: string): Promise<string>
  plan(effects: readonly Effect[], tool?: string): Promise<CheckpointPlan>
  /** As a user creates one on demand. */
  onDemand(seq: number): Promise<TakenCheckpoint>
  close(): Promise<void>
}

export interface CheckpointTestOptions extends Partial<CheckpointWriterOptions> {
  readonly folder?: string
  readonly clock?: Clock
  readonly quota_bytes?: number
  readonly deleted?: DeletedRecord
}

export function openCheckpointTest(options: CheckpointTestOptions = {}): CheckpointTestEnvironment {
  const folder = options.folder ?? realpathSync(mkdtempSync(join(tmpdir(), 'tandem-checkpoint-')))
  const home = join(folder, 'home')
  const work = join(folder, 'work')
  mkdirSync(work, { recursive: true })
  const clock = options.clock ?? systemClock
  const store = openStore({ home, clock })
  const engine = inlineEngine({ home, now: systemClock.now, elapsed: systemClock.elapsed, ...options })
  const { quota_bytes, deleted, crashpoint } = options
  const checkpoints = openCheckpoints({
    store,
    engine,
    ...(quota_bytes === undefined ? {} : { quota_bytes }),
    ...(deleted ? { deleted } : {}),
    ...(crashpoint ? { crashpoint } : {}),
  })
  let calls = 0

  async function plan(effects: readonly Effect[], tool = 'shell.exec'): Promise<CheckpointPlan> {
    calls += 1
    const planned = await checkpoints.plan({ call_id: `call-${calls}`, tool, effects, workspace: work })
    if (planned.outcome !== 'planned' || !planned.plan) throw new Error(JSON.stringify(planned))
    return planned.plan
  }

  async function take(effects: readonly Effect[], tool?: string, run = run_id): Promise<string> {
    const taken = await checkpoints.take(await plan(effects, tool), cursorAt(calls, work, run))
    if (taken.outcome !== 'taken') throw new Error(JSON.stringify(taken))
    return taken.checkpoint.checkpoint_id
  }

  return {
    folder,
    home,
    work,
    store,
    checkpoints,
    plan,
    take,
    async shell(command, cwd = work) {
      const checkpoint_id = await take([{ does: 'execute', command, cwd, language: 'shell' }])
      bash(command, cwd)
      await checkpoints.settle(checkpoint_id)
      return checkpoint_id
    },
    onDemand: (seq) => checkpoints.takeOnDemand({ run_id, workspace: work, cursor: () => cursorAt(seq, work), recorded: () => undefined }),
    async close() {
      await checkpoints.close()
      store.close()
      spawnSync('chmod', ['-R', 'u+rwx', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Records the run's part of a recovered restore, as the runtime does with a step. */
export function recorded({ sql }: Store, pass: (name: string) => void = () => undefined): RecoveredRecord {
  sql.run`CREATE TABLE IF NOT EXISTS test_restores (told TEXT)`
  return (restored) => {
    sql.run`INSERT INTO test_restores VALUES (${JSON.stringify(restored)})`
    pass('recover:telling')
  }
}

export function recordedRestores({ sql }: Store): unknown[] {
  sql.run`CREATE TABLE IF NOT EXISTS test_restores (told TEXT)`
  return sql.all`SELECT told FROM test_restores`.map(({ told }) => JSON.parse(String(told)))
}

const quiet = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', GIT_TERMINAL_PROMPT: '0' }

/** The exit code does not matter: destructive commands fail halfway, too. */
export function bash(command: string, cwd: string): string {
  const { stdout, error } = spawnSync('bash', ['-c', command], { cwd, env: { ...process.env, ...quiet }, encoding: 'utf8' })
  if (error) throw error
  return stdout
}

/** Path, type, mode, link target and hash of everything, as `find` and `sha256sum` report it. */
export function manifestOf(folder: string): string[] {
  const outline = String.raw`find . \( -type d -printf 'd %m %p\0' \) -o \( -type l -printf 'l %p -> %l\0' \) -o -printf '%y %m %s %p\0'`
  const [paths = '', hashes = ''] = bash(`${outline}; printf '\\0\\0'; find . -type f -print0 | xargs -0r sha256sum -z`, folder).split(
    '\0\0\0',
  )
  const sorted = (text: string) => text.split('\0').filter(Boolean).sort()
  return [...sorted(paths), ...sorted(hashes)]
}

/** What is in one and not in the other. */
export function difference(before: readonly string[], after: readonly string[]): { missing: string[]; surplus: string[] } {
  const had = new Set(before)
  const has = new Set(after)
  return { missing: before.filter((line) => !has.has(line)), surplus: after.filter((line) => !had.has(line)) }
}
