// Policy candidates with the real store, journal and policies.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import type { FailureContract } from '@tandem/contract/failure'
import type { SandboxMode } from '@tandem/contract/tool'
import type { Effect } from '../../../src/call/tool.ts'
import { openBus } from '../../../src/event/bus.ts'
import { openEvents } from '../../../src/event/events.ts'
import type { Outcome } from '../../../src/feature/outcome.ts'
import { openJournal } from '../../../src/journal/journal.ts'
import { openCandidates } from '../../../src/learning/candidate/open-candidates.ts'
import type { CallFact, RunFacts } from '../../../src/learning/rule/run-facts.ts'
import { openCallPolicies, strictModeLayer } from '../../../src/policy/call-policies.ts'
import { openLocalRules, openPolicies } from '../../../src/policy/policies.ts'
import { atOnce } from '../../../src/scheduler/slices.ts'
import { openRecords } from '../../../src/store/records.ts'
import { openStore } from '../../../src/store/store.ts'
import { testClock } from '../clock/test-clock.ts'

export type TestCandidates = ReturnType<typeof openTestCandidates>

type TestCall = Pick<CallFact, 'tool' | 'arguments'> & Partial<CallFact>

const usage = { input_tokens: 1, output_tokens: 1, cached_tokens: 0, estimated: false }

const crashed: FailureContract = {
  ...{ taxonomy: 'none', stage: 'model_call', source: 'model', reason_code: 'too_many_turns', recoverability: 'user_action' },
  details: { message: 'too many turns' },
}

/** `write` denied by a person. */
export function deniedWrite(path: string): TestCall {
  return {
    ...{ tool: 'fs.write', arguments: JSON.stringify({ path }), outcome: 'denied' },
    approval: { answer: 'no', reason: null, edited: false, remembers: [], warned: false, waited_ms: 1 },
  }
}

export function madeWrite(path: string): TestCall {
  return { tool: 'fs.write', arguments: JSON.stringify({ path }) }
}

/** A command that a person approved, and that could be remembered. */
export function approvedCommand(command: string): TestCall {
  const remembers = [{ kind: 'command' as const, words: command.split(' ').slice(0, 1) }]
  return {
    ...{ tool: 'shell.exec', arguments: JSON.stringify({ command }) },
    approval: { answer: 'once', reason: null, edited: false, remembers, warned: false, waited_ms: 1 },
  }
}

const tools: Readonly<Record<string, (input: never) => readonly Effect[]>> = {
  'fs.write': ({ path }: { path: string }) => [{ does: 'write', path }],
  'fs.read': ({ path }: { path: string }) => [{ does: 'read', path }],
  'shell.exec': ({ command }: { command: string }) => [{ does: 'execute', command, cwd: '.', language: 'shell' }],
}

export function openTestCandidates({
  home = mkdtempSync(join(tmpdir(), 'tandem-candidates-')),
  now = Date.parse('2026-03-01T09:00:00.000Z'),
} = {}) {
  const clock = testClock(now)
  const store = openStore({ home: join(home, 'data'), clock })
  const bus = openBus((error) => {
    throw error
  })
  const events = openEvents(store, bus)
  const journal = openJournal(store, events, bus)
  const policies = openPolicies(openRecords(store), openLocalRules(store), () => null)
  const logged: string[] = []
  const log = (line: string) => void logged.push(line)
  const candidates = openCandidates({
    ...{ store, events, clock, journal, policies, log },
    agents: { get: (agent_id) => (agent_id === 'gone' ? undefined : agent_id) },
    registry: { get: (tool) => (tools[tool] ? { effects: tools[tool] } : undefined) },
    enforcement: () => 'os',
    advanceSkills: async () => [],
  })
  const after = (facts: RunFacts) => candidates.after(facts, atOnce(candidates.prepare(facts)))
  const callPolicies = openCallPolicies({ policies, layers: () => [candidates.layer, strictModeLayer], log })
  const workspace = '/srv/space'

  function start(agent_id = 'agent') {
    const { no } = journal.conversations.create({ agent_id, title: 't', workspace })
    return journal.start({ conversation: no, agent_id, title: 't', model: 'm', sandbox_mode: 'workspace', message_id: null }).run_id
  }

  function owner(run_id: string | null, agent_id = 'agent') {
    const run = run_id === null ? null : journal.run(run_id)
    return { agent_id: run?.agent_id ?? agent_id, run_id, workspace, sandbox_mode: 'workspace' as SandboxMode }
  }

  /** Calls the model, which answers unless `answers` is false. Returns the canaries of the turn. */
  function turn(run_id: string, { answers = true } = {}): readonly string[] {
    clock.advance(1_000)
    const { canaries } = callPolicies.offered(owner(run_id), [{ name: 'fs.write' }])
    const number = journal.steps(run_id).filter(({ step }) => step.kind === 'model.called').length + 1
    journal.append(run_id, { kind: 'model.called', model: 'm', turn: number }, canaries.length > 0 ? { canaries } : {})
    if (answers) journal.append(run_id, { kind: 'model.completed', turn: number, usage, finish_reason: 'stop' })
    return canaries
  }

  function callFact(run_id: string, call: TestCall, index: number): CallFact {
    clock.advance(60_000)
    const asked_at = clock.now()
    return {
      ...{ run_id, call_id: `call-${index}`, step_id: store.newId(), seq: index, outcome: 'succeeded', failure_contract: null },
      ...{ command: null, approval: null, asked_at, duration_ms: 10, undone: false },
      started_at: call.outcome === 'denied' ? null : asked_at,
      ...call,
    }
  }

  function factsOf(run_id: string, step_id: string, trigger: RunFacts['trigger'], calls: readonly TestCall[]): RunFacts {
    const run = journal.run(run_id)
    if (!run) throw new Error(`there is no run ${run_id}`)
    const turns = journal.steps(run_id).filter(({ step }) => step.kind === 'model.completed').length
    return {
      ...{ run_id, agent_id: run.agent_id, conversation_id: run.conversation_id, step_id, trigger, workspace, turns, usage },
      state: trigger === 'restored' ? 'paused' : trigger,
      failure_contract: trigger === 'failed' ? crashed : null,
      calls: calls.map((call, index) => callFact(run_id, call, index)),
      ...{
        asked_by_person: true,
        named_hosts: [],
        errors: [],
        answered: turns > 0,
        duration_ms: 1,
        ended_at: clock.now(),
        corrected: false,
        restores: 0,
        open_todos: 0,
        usual: null,
      },
    }
  }

  /** Ends a run. Nothing is learned from it yet. */
  function end(run_id: string, trigger: 'completed' | 'failed' | 'canceled', calls: readonly TestCall[] = []): RunFacts {
    const steps = {
      completed: { kind: 'run.completed', usage },
      failed: { kind: 'run.failed', usage, failure_contract: crashed },
      canceled: { kind: 'run.canceled', usage, reason: null },
    } as const
    return factsOf(run_id, journal.append(run_id, steps[trigger]).step_id, trigger, calls)
  }

  /** To the state after the step with this number. */
  function restore(run_id: string, cursor_seq: number): RunFacts {
    const restored = { cursor_seq, checkpoint_id: store.newId(), set_aside_message_ids: [], failure_contract: null }
    return factsOf(run_id, journal.append(run_id, { kind: 'checkpoint.restored', ...restored }).step_id, 'restored', [])
  }

  /** A completed run with these calls, and what they suggest. */
  function learn(calls: readonly TestCall[], agent_id = 'agent') {
    const run_id = start(agent_id)
    turn(run_id)
    after(end(run_id, 'completed', calls))
    const found = candidates.recommend(agent_id)
    const run = journal.run(run_id)
    return found && run ? candidates.create(found, { reflection_id: store.newId(), run }) : null
  }

  return {
    ...{ home, clock, store, events, journal, policies, callPolicies, logged, start, turn, end, restore, learn, owner },
    candidates: { ...candidates, after },
    async call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<Outcome<CommandResult<Name>>> {
      const handler = candidates.commands[name]
      if (!handler) throw new Error(`there is no command ${name}`)
      return await handler(params)
    },
    get(id: string) {
      const found = candidates.commands.agent_run_get_policy_candidate?.({ candidate_id: id })
      if (!found || found instanceof Promise || !found.ok) throw new Error(`there is no candidate ${id}`)
      return found.value
    },
    close: () => store.close(),
    remove() {
      store.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
