// The calls of agents, as the rules of candidates need them. Written when a run ends or is restored, so that no journal is read again.
import { createHash } from 'node:crypto'
import type { SandboxMode } from '@tandem/contract/tool'
import type { Effect, Tool } from '../../call/tool.ts'
import type { Journal } from '../../journal/journal.ts'
import { othersFirst, type SlicedWork } from '../../scheduler/slices.ts'
import type { Store } from '../../store/store.ts'
import { isHostNamed } from '../rule/named-hosts.ts'
import { type CallFact, isFailedCall, type RunFacts } from '../rule/run-facts.ts'
import { groupBy, hostsOf, type RecordedCall } from './rule/recorded-call.ts'

export interface CallRecordsPorts {
  readonly store: Pick<Store, 'sql' | 'transaction' | 'kept'>
  readonly journal: Pick<Journal, 'run' | 'settled'>
  readonly registry: { get(tool: string): Pick<Tool, 'effects'> | undefined }
}

export interface CallRecords {
  /** What is stored of the calls of a run. */
  prepare(facts: RunFacts): SlicedWork<PreparedCalls>
  /** Again after each end and each restore of the run: what was undone may have changed. */
  record(prepared: PreparedCalls): void
  /** The latest thousand calls of an agent, oldest first. */
  latest(agent_id: string): readonly RecordedCall[]
  /** All calls of these tools, oldest first. Reads a page at a time, so that nothing else waits for it. */
  ofTools(agent_id: string, tools: readonly string[]): Promise<readonly RecordedCall[]>
  count(agent_id: string, tools: readonly string[]): number
}

export interface PreparedCalls extends Pick<RunFacts, 'run_id' | 'agent_id'> {
  readonly calls: readonly RecordedCall[]
}

const mostCalls = 10_000
/** Of a run, the latest ones. */
const mostOfRun = 1_000

const pageSize = 500
const latestCalls = 1_000

/** Longer effects, such as those of a long script, are not stored. */
const longestEffects = 32 * 1024

/** Fewer calls are not compared. */
const comparedFrom = 5

interface CallRow {
  readonly run_id: string
  readonly call_id: string
  readonly tool: string
  readonly asked_at: number
  readonly facts: string
}

export function openCallRecords({ store, journal, registry }: CallRecordsPorts): CallRecords {
  const { sql } = store
  // They are compared after every run. Rows can also be deleted elsewhere, with the conversation.
  const latestOf = store.kept<readonly RecordedCall[]>('learning_calls')
  const latest = (agent_id: string) => latestOf.get(agent_id, () => readLatest(agent_id))

  function readLatest(agent_id: string): readonly RecordedCall[] {
    const rows = sql.all<CallRow>`
      SELECT run_id, call_id, tool, asked_at, facts FROM learning_calls WHERE agent_id = ${agent_id}
      ORDER BY asked_at DESC, run_id DESC, call_id DESC LIMIT ${latestCalls}`
    return rows.map(callOf).reverse()
  }

  function effectsOf({ tool, arguments: text, failure_contract }: CallFact, workspace: string): readonly Effect[] | null {
    const literal = failure_contract?.stage === 'tool_validation' ? undefined : registry.get(tool)
    if (!literal) return null
    try {
      const effects = literal.effects(JSON.parse(text) as never, { workspace })
      if (effects instanceof Promise) {
        // It is not awaited: if it fails, the effects are as unknown as otherwise.
        effects.catch(() => undefined)
        return null
      }
      return JSON.stringify(effects).length <= longestEffects ? effects : null
    } catch {
      // Arguments of an earlier version of the tool, or ones that were never valid: what the call would access is not known.
      return null
    }
  }

  function resultOf(call: CallFact): string | null {
    const { outcome, failure_contract, command } = call
    const output = command ?? journal.settled(call.run_id, call.call_id)?.output ?? null
    return digest([outcome, failure_contract?.reason_code ?? null, output])
  }

  return {
    *prepare({ run_id, agent_id, workspace, named_hosts: named, calls: all }) {
      const sandbox_mode = journal.run(run_id)?.sandbox_mode
      const recorded: RecordedCall[] = []
      if (sandbox_mode === undefined) return { run_id, agent_id, calls: recorded }
      const calls = all.slice(-mostOfRun)
      const compared = new Set(
        [...groupBy(calls, ({ tool, arguments: text }) => `${tool}\n${text}`).values()]
          .filter(({ length }) => length >= comparedFrom)
          .flat(),
      )
      for (const call of calls) {
        const result = compared.has(call) ? resultOf(call) : null
        const effects = effectsOf(call, workspace)
        const named_hosts = hostsOf({ effects }).filter((host) => isHostNamed(named, host))
        recorded.push(recordedCall(call, { workspace, sandbox_mode, effects, named_hosts, result }))
        yield
      }
      return { run_id, agent_id, calls: recorded }
    },
    record({ run_id, agent_id, calls: recorded }) {
      if (recorded.length === 0) return
      store.transaction(() => {
        const others = latest(agent_id).filter((call) => call.run_id !== run_id)
        for (const { run_id: _run, call_id, tool, asked_at, ...facts } of recorded) {
          sql.run`
            INSERT INTO learning_calls (run_id, call_id, agent_id, tool, asked_at, facts)
            VALUES (${run_id}, ${call_id}, ${agent_id}, ${tool}, ${asked_at}, ${storedFacts(facts)})
            ON CONFLICT (run_id, call_id) DO UPDATE SET facts = excluded.facts`
        }
        sql.run`
          DELETE FROM learning_calls WHERE agent_id = ${agent_id} AND asked_at < coalesce(
            (SELECT asked_at FROM learning_calls WHERE agent_id = ${agent_id} ORDER BY asked_at DESC LIMIT 1 OFFSET ${mostCalls - 1}), 0)`
        const all = [...others, ...recorded].toSorted((one, other) => one.asked_at - other.asked_at)
        // Writing has emptied what was kept.
        latestOf.put(agent_id, all.slice(-latestCalls))
      })
    },
    latest,
    async ofTools(agent_id, tools) {
      const found: RecordedCall[] = []
      let [at, run, call] = [-1, '', '']
      while (true) {
        const rows = sql.all<CallRow>`
          SELECT run_id, call_id, tool, asked_at, facts FROM learning_calls
          WHERE agent_id = ${agent_id} AND asked_at >= ${at} AND (asked_at, run_id, call_id) > (${at}, ${run}, ${call})
            AND tool IN (SELECT value FROM json_each(${JSON.stringify(tools)}))
          ORDER BY asked_at, run_id, call_id LIMIT ${pageSize}`
        found.push(...rows.map(callOf))
        const last = rows.at(-1)
        if (!last || rows.length < pageSize) return found
        ;[at, run, call] = [last.asked_at, last.run_id, last.call_id]
        await othersFirst()
      }
    },
    count: (agent_id, tools) =>
      Number(
        sql.get`
          SELECT count(*) AS calls FROM learning_calls
          WHERE agent_id = ${agent_id} AND tool IN (SELECT value FROM json_each(${JSON.stringify(tools)}))`?.calls ?? 0,
      ),
  }
}

/** What most calls have in common is not stored: it would be half of a row. */
const usualFacts = {
  ...{
    outcome: 'succeeded',
    taxonomy: 'none',
    reason_code: null,
    stage: null,
    recoverability: null,
    answer: null,
    edited: false,
    warned: false,
    remembers: [],
  },
  named_hosts: [],
  ...{ command_failed: false, result: null, background: null, undone: false, sandbox_mode: 'workspace' },
} as const satisfies Partial<RecordedCall>

type Facts = Omit<RecordedCall, 'run_id' | 'call_id' | 'tool' | 'asked_at'>
type StoredFacts = Omit<Facts, keyof typeof usualFacts> & Partial<Facts>

function storedFacts(facts: Facts): string {
  const unusual = Object.entries(facts).filter(([name, value]) => !Object.hasOwn(usualFacts, name) || !isUsual(name, value))
  return JSON.stringify(Object.fromEntries(unusual))
}

function isUsual(name: string, value: unknown): boolean {
  const usual = usualFacts[name as keyof typeof usualFacts]
  return value === usual || (Array.isArray(value) && value.length === 0 && Array.isArray(usual))
}

/** Field by field: this is several times as fast for ten thousand calls as merging objects. */
function callOf({ run_id, call_id, tool, asked_at, facts }: CallRow): RecordedCall {
  const stored = JSON.parse(facts) as StoredFacts
  const { key, effects, workspace, started_at, duration_ms } = stored
  return {
    run_id,
    call_id,
    tool,
    asked_at,
    key,
    effects,
    workspace,
    started_at,
    duration_ms,
    sandbox_mode: stored.sandbox_mode ?? usualFacts.sandbox_mode,
    outcome: stored.outcome ?? usualFacts.outcome,
    taxonomy: stored.taxonomy ?? usualFacts.taxonomy,
    reason_code: stored.reason_code ?? null,
    stage: stored.stage ?? null,
    recoverability: stored.recoverability ?? null,
    answer: stored.answer ?? null,
    edited: stored.edited ?? false,
    warned: stored.warned ?? false,
    remembers: stored.remembers ?? usualFacts.remembers,
    named_hosts: stored.named_hosts ?? usualFacts.named_hosts,
    command_failed: stored.command_failed ?? false,
    result: stored.result ?? null,
    background: stored.background ?? null,
    undone: stored.undone ?? false,
  }
}

interface Around {
  readonly workspace: string
  readonly sandbox_mode: SandboxMode
  readonly effects: readonly Effect[] | null
  readonly named_hosts: readonly string[]
  readonly result: string | null
}

function recordedCall(call: CallFact, around: Around): RecordedCall {
  const { run_id, call_id, tool, outcome, failure_contract, approval, command, asked_at, started_at, duration_ms, undone } = call
  return {
    ...{ run_id, call_id, tool, outcome, asked_at, started_at, duration_ms, undone, ...around },
    key: digest([call.arguments]),
    taxonomy: failure_contract?.taxonomy ?? 'none',
    reason_code: failure_contract?.reason_code ?? null,
    stage: failure_contract?.stage ?? null,
    recoverability: failure_contract?.recoverability ?? null,
    answer: approval?.answer ?? null,
    edited: approval?.edited ?? false,
    warned: approval?.warned ?? false,
    remembers: approval?.remembers ?? [],
    background: call.background ?? null,
    command_failed: command !== null && isFailedCall({ outcome: 'succeeded', command }),
  }
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)
}
