// A run with a folder, and members that work in copies of it: real folders, a real store and journal, real checkpoints.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultToolPolicy } from '@tandem/contract/tool'
import type { AgentMergeOutput, MemberResult } from '@tandem/contract/tool/output'
import type { ToolContext } from '../../../src/call/context.ts'
import { type Checkpoints, openCheckpoints } from '../../../src/checkpoint/checkpoints.ts'
import { inlineEngine } from '../../../src/checkpoint/engine.ts'
import { type Clock, systemClock } from '../../../src/clock/clock.ts'
import { type Copies, openCopies } from '../../../src/cooperation/copy/copies.ts'
import type { MergeCrashpoint } from '../../../src/cooperation/merge/crashpoint.ts'
import type { Resolution } from '../../../src/cooperation/merge/merge-sides.ts'
import { type Merging, openMerging } from '../../../src/cooperation/merge/merge-tool.ts'
import type { MemberRecord } from '../../../src/cooperation/record/member.ts'
import { openBus } from '../../../src/event/bus.ts'
import { openEvents } from '../../../src/event/events.ts'
import { type Journal, openJournal } from '../../../src/journal/journal.ts'
import { openFiles } from '../../../src/sandbox/files/scoped-files.ts'
import { openSpool } from '../../../src/store/spool.ts'
import { openStore, type Store } from '../../../src/store/store.ts'
import { cursorAt } from '../checkpoint/test-checkpoints.ts'

export interface TestTeamOptions {
  readonly folder?: string
  readonly clock?: Clock
  readonly quota_bytes?: number
  crashPoint?(point: MergeCrashpoint): void
}

export interface TestTeam {
  readonly folder: string
  readonly home: string
  readonly work: string
  readonly store: Store
  readonly journal: Journal
  readonly copies: Copies
  readonly merging: Merging
  readonly checkpoints: Checkpoints
  readonly run_id: string
  readonly logged: string[]
  /** A member with a copy; returns the folder. */
  start(number: number, title?: string): Promise<string>
  end(number: number): Promise<void>
  /** As the pipeline does it: what the user sees is what runs. `before`: called between the approval and the call. */
  merge(numbers: readonly number[], resolutions?: readonly Resolution[], before?: () => void | Promise<void>): Promise<AgentMergeOutput>
  context(digest?: string): ToolContext
  member(number: number): string
  close(): void
}

/** The id of a member's run. */
function memberId(number: number): string {
  return `01990000-0000-7000-8000-0000000001${String(number).padStart(2, '0')}`
}

export function openTestTeam({
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-team-'))),
  clock = systemClock,
  quota_bytes = 1024 ** 4,
  crashPoint = () => undefined,
}: TestTeamOptions = {}): TestTeam {
  const [home, work] = [join(folder, 'home'), join(folder, 'work')]
  mkdirSync(work, { recursive: true })
  const store = openStore({ home, clock })
  const bus = openBus((error) => {
    throw error
  })
  const journal = openJournal(store, openEvents(store, bus), bus)
  const checkpoints = openCheckpoints({ store, engine: inlineEngine({ home, now: clock.now, elapsed: clock.elapsed }) })
  const run_id = (journal.startedBy('team') ?? startRun()).run_id
  const logged: string[] = []
  const log = (line: string) => logged.push(line)
  const copies = openCopies({ store, clock, home, quota_bytes: () => quota_bytes, log, crashPoint })
  const titles = new Map<string, string>()
  const ended = new Set<string>()
  const merging = openMerging({
    ...{ store, journal, clock, copies, log, crashPoint },
    members: { get: (id) => (titles.has(id) || copies.folderOf(id) !== null ? memberOf(id) : undefined) },
    nameOfAgent: () => 'Lead',
    savedContent: (id, path, { size, mtime }) => checkpoints.savedContent(id, { path, size, mtime }),
    hasTarget: checkpoints.hasTarget,
  })

  function startRun() {
    const { no } = journal.conversations.create({ agent_id: 'agent', title: 'Team', workspace: work })
    return journal.start({
      conversation: no,
      agent_id: 'agent',
      title: 'Lead',
      model: 'm',
      sandbox_mode: 'workspace',
      message_id: null,
      start_key: 'team',
    })
  }

  function memberOf(id: string): MemberRecord {
    const title = titles.get(id) ?? copies.list().find((copy) => copy.run_id === id)?.title ?? id
    const isEnded = ended.has(id) || copies.list().some((copy) => copy.run_id === id && copy.state !== 'in_use')
    return {
      ...{ run_id: id, parent_run_id: run_id, root_run_id: run_id, call_id: 'call', depth: 1, title, role: null, task_sha256: '' },
      ...{ workspace: 'copy', claims: [], started_in: work, share: { tokens: 1, turns: 1 }, output_schema: null, is_awaited: false },
      ...{ share_is_fixed: false, is_withdrawn: false, is_set_aside: false },
      result: isEnded ? resultOf(id, title) : null,
    }
  }

  function context(digest?: string): ToolContext {
    const ids = { agent_id: 'agent', conversation_id: 'conversation', run_id, call_id: 'call' }
    const temp = join(folder, 'temp')
    mkdirSync(temp, { recursive: true })
    const scope = {
      ids,
      tool: 'agent.merge_result',
      workspace: work,
      temp,
      home,
      policy: defaultToolPolicy('agent.merge_result'),
      sandbox_mode: 'workspace',
      report: () => undefined,
    } as const
    const missing = () => {
      throw new Error('not used')
    }
    return {
      ...scope,
      ...(digest === undefined ? {} : { digest }),
      signal: new AbortController().signal,
      clock,
      files: openFiles(scope),
      network: { request: missing, openProxy: missing, stream: missing },
      commands: { start: missing, enforcement: 'none' },
      spool: (name) => openSpool(temp, name),
      progress: () => undefined,
    }
  }

  return {
    ...{ folder, home, work, store, journal, copies, merging, checkpoints, run_id, logged, context },
    member: (number) => memberId(number),
    async start(number, title = `Member ${number}`) {
      titles.set(memberId(number), title)
      return await copies.ensure({ run_id: memberId(number), title, source: work }, new AbortController().signal)
    },
    async end(number) {
      ended.add(memberId(number))
      await copies.ended(memberId(number))
    },
    async merge(numbers, resolutions, before) {
      const input = { run_ids: numbers.map(memberId), ...(resolutions ? { resolutions } : {}) }
      const { tool } = merging
      const effects = await tool.effects(input as never, { workspace: work })
      const digest = await tool.digest?.(input as never, { workspace: work })
      await before?.()
      const planned = await checkpoints.plan({ call_id: 'call', tool: tool.name, effects, workspace: work })
      if (planned.outcome !== 'planned') throw new Error(JSON.stringify(planned))
      const taken = planned.plan ? await checkpoints.take(planned.plan, cursorAt(1, work, run_id)) : null
      try {
        return (await tool.run(input as never, context(digest))) as AgentMergeOutput
      } finally {
        if (taken?.outcome === 'taken') await checkpoints.settle(taken.checkpoint.checkpoint_id)
      }
    },
    close() {
      store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function resultOf(run_id: string, title: string): MemberResult {
  return {
    ...{
      run_id,
      title,
      agent_id: 'agent',
      workspace: 'copy',
      state: 'completed',
      answer: 'Done.',
      answer_truncated: false,
      output: null,
      output_problem: null,
    },
    ...{ changed: [], more_changed: 0, input_tokens: 1, output_tokens: 1, turns: 1, open_questions: [], failure: null },
  }
}
