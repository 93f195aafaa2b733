// The real features in their own folder, except for the loop: a test passes in `runs`.

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import { commands } from '@tandem/contract/command/schema'
import { Errors } from 'typebox/value'
import { expect } from 'vitest'
import { openAgents } from '../../../src/agent/agents.ts'
import { openApprovals } from '../../../src/approval/approvals.ts'
import type { Clock } from '../../../src/clock/clock.ts'
import type { Features } from '../../../src/commands/features.ts'
import type { CommandAnswer, CommandLayer } from '../../../src/commands/layer.ts'
import { openWorkspaces } from '../../../src/commands/workspace.ts'
import { type Bus, openBus } from '../../../src/event/bus.ts'
import { openEvents } from '../../../src/event/events.ts'
import { noLifecycle } from '../../../src/event/lifecycle/lifecycle.ts'
import { openJournal } from '../../../src/journal/journal.ts'
import type { RunRecord } from '../../../src/journal/run-record.ts'
import { openRegistry } from '../../../src/pipeline/registry.ts'
import { openCallPolicies, strictModeLayer } from '../../../src/policy/call-policies.ts'
import { openLocalRules, openPolicies } from '../../../src/policy/policies.ts'
import { openQuestions } from '../../../src/question/questions.ts'
import { askUserTool } from '../../../src/question/tools.ts'
import { openSettings } from '../../../src/settings/settings.ts'
import { openRecords } from '../../../src/store/records.ts'
import { openStore, type Store } from '../../../src/store/store.ts'
import { todoHandlers } from '../../../src/todo/commands.ts'
import { openTodos } from '../../../src/todo/todos.ts'
import { todoTools } from '../../../src/todo/tools.ts'
import { testClock } from '../clock/test-clock.ts'

export interface TestFeatures {
  readonly features: Omit<Features, 'runs'>
  readonly store: Store
  readonly bus: Bus
  readonly home: string
  readonly workspace: string
  /** A run that has started, in its own conversation. */
  startRun(): RunRecord
  close(): void
}

export function testFeatures(clock: Clock = testClock()): TestFeatures {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-commands-')))
  const [home, workspace] = [join(folder, 'home'), join(folder, 'workspace')]
  mkdirSync(workspace)
  const store = openStore({ home, clock })
  const bus = openBus((error) => {
    throw error
  })
  const events = openEvents(store, bus)
  const journal = openJournal(store, events, bus)
  const records = openRecords(store)
  const agents = openAgents(store, records, noLifecycle)
  const todos = openTodos(store, records, {
    onChanged: (run_id, items) => journal.append(run_id, { kind: 'todos.changed', todos: [...items] }),
  })
  const tools = openRegistry()
  const questions = openQuestions(store)
  tools.add([...todoTools(todos), askUserTool({ store, journal, questions })])
  const policies = openPolicies(records, openLocalRules(store), () => null)
  const features = {
    store,
    journal,
    events,
    agents,
    tools,
    others: todoHandlers({ store, journal, todos }),
    questions,
    approvals: openApprovals(store),
    policies,
    callPolicies: openCallPolicies({ policies, layers: () => [strictModeLayer], log: () => undefined }),
    settings: openSettings(home),
    workspaces: openWorkspaces(home, workspace, folder),
    about: {
      version: '0.1.0',
      started_at: '2026-03-01T09:00:00.000Z',
      warnings: () => [],
      sandbox: async () => ({ state: 'untested' as const, backend: null, checks: [], detail: '', remedy: '' }),
      model: () => ({ state: 'unset' as const, base_url: null, default_model: null }),
      parkedDeliveries: () => [],
      executors: () => [],
      featureStates: () => [],
    },
  }
  return {
    features,
    store,
    bus,
    home,
    workspace,
    startRun() {
      const { agent_id } = agents.default()
      const conversation = journal.conversations.create({ agent_id, title: 'Talk', workspace })
      return journal.start({
        conversation: conversation.no,
        agent_id,
        title: 'Talk',
        model: 'demo/scripted',
        sandbox_mode: 'workspace',
        message_id: null,
      })
    },
    close() {
      store.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Calls commands of the test's current layer. */
export function commandCaller(layer: () => CommandLayer) {
  return {
    /** The value of a call, checked against the contract. */
    async done<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
      const answer = await layer().call(name, params)
      if (!answer.ok) throw new Error(`${name}: ${answer.error.code} ${answer.error.message}`)
      expect(Errors(commands[name].result, JSON.parse(JSON.stringify(answer.value)))).toEqual([])
      return answer.value
    },
    async code(answer: Promise<CommandAnswer<unknown>>): Promise<string> {
      const outcome = await answer
      return outcome.ok ? 'ok' : outcome.error.code
    },
  }
}
