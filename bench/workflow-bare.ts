// The limit of the workflow benchmark: only the journal, with the steps and events of a tool node in the transactions that the engine uses.
import { join } from 'node:path'
import type { WrittenWorkflowRunEvent } from '@tandem/contract/workflow-run'
import { systemClock, timestamp } from '../packages/runtime/src/clock/clock.ts'
import { openBus } from '../packages/runtime/src/event/bus.ts'
import { openEvents } from '../packages/runtime/src/event/events.ts'
import { openJournal } from '../packages/runtime/src/journal/journal.ts'
import { openStore } from '../packages/runtime/src/store/store.ts'
import { timeNow } from './loop-tool.ts'
import { serveWorkflows, spent } from './workflow-job.ts'

const [folder = ''] = process.argv.slice(2)
const store = openStore({ home: join(folder, 'home'), clock: systemClock })
const bus = openBus((error) => console.error(error))
const journal = openJournal(store, openEvents(store, bus), bus)
const conversation = journal.conversations.create({ agent_id: 'bench', title: 'Bench', workspace: folder })
const hash = '0'.repeat(64)

function begin() {
  const { run_id } = journal.start({
    ...{ conversation: conversation.no, agent_id: 'bench', title: 'Bench', model: '', sandbox_mode: 'workspace', message_id: null },
  })
  const workflow_run_id = store.newId()
  const place = { workflow_run_id, workflow_id: store.newId(), run_id, device_id: store.device_id }
  let seq = 0
  const append = (event: object) => {
    const at = { event_id: store.newId(), seq, ts: timestamp(store.clock.now()) }
    journal.workflowEvents.append({ ...place, ...at, ...event } as WrittenWorkflowRunEvent)
    seq += 1
  }
  append({ kind: 'started', name: 'Bench', owner_agent_id: 'bench', definition_sha256: hash, definition: '{}' })
  return { run_id, workflow_run_id, append }
}

function node({ run_id, append }: ReturnType<typeof begin>, place: object): void {
  const call_id = store.newId()
  const call_seq = store.relaxed(() => {
    const { seq } = journal.append(run_id, { kind: 'tool.call', call_id, tool: 'time.now', arguments: '{}' })
    append({ kind: 'node.started', ...place, attempt: 1, call_id })
    return seq
  })
  store.relaxed(() => journal.append(run_id, { kind: 'tool.started', call_id }, { tool: 'time.now', looks: true }))
  const output = timeNow()
  const ended = { outcome: 'succeeded', output, output_file: null, truncated: false, failure_contract: null } as const
  store.relaxed(() => journal.settle(run_id, { call_id, tool: 'time.now', call_seq, ...ended, checkpoint_id: null, duration_ms: 0 }))
  store.relaxed(() => append({ kind: 'node.completed', ...place, attempt: 1, outcome: 'succeeded' }))
}

function appended(count: number, placeOf: (at: number) => object) {
  const run = begin()
  for (let at = 0; at < count; at += 1) node(run, placeOf(at))
  return run.workflow_run_id
}

const chainPlace = (at: number) => ({ node_id: `n${at}` })
const roundPlace = (at: number) => ({ node_id: 'tick', iteration: [at] })

serveWorkflows({
  chain: (nodes) => spent(async () => void appended(nodes, chainPlace)),
  forEach: (items) => spent(async () => void appended(items, roundPlace)),
  prepare: async (items) => appended(items, roundPlace),
  async resume(workflow_run_id) {
    const began = performance.now()
    journal.workflowEvents.of(workflow_run_id, { limit: 1_000_000 })
    return performance.now() - began
  },
  stop: async () => store.close(),
})
