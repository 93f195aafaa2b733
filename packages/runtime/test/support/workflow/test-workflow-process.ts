// One process of a whole runtime with workflows: it continues what an earlier one left, answers what they ask, until all have ended.
// usage: node --import test-crash-preload.ts test-workflow-process.ts FOLDER SCENARIO MODEL_URL SERVER_URL. The last line is the result.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WorkflowSnapshot } from '@tandem/contract/command'
import { isTerminalRunState } from '@tandem/contract/run'
import type { ToolPolicy } from '@tandem/contract/tool'
import type { WorkflowDefinition } from '@tandem/contract/workflow'
import { foldWorkflowRun, isTerminalWorkflowState, nodeKey, type WorkflowRunEvent } from '@tandem/contract/workflow-run'
import { jumpingClock } from '../clock/test-jumping-clock.ts'
import { openProcessRuntime } from '../test-process-runtime.ts'
import { canceled, effectName, effectsFile, everything, inner, type ScenarioName, undoName, undone } from './test-workflow-scenarios.ts'

const [folder = '', scenario = 'everything', model_url = '', server_url = ''] = process.argv.slice(2)

/** The jobs that continue runs, and those of every hour or day, run only when the time jumps. */
const clock = jumpingClock((ms) => ms === 1_000 || ms === 5_000 || ms === 15_000 || ms >= 30 * 60_000)
const { jump } = clock
const { runtime, workspace, call, end } = openProcessRuntime(folder, model_url, { clock })

const agent_id = await theAgent()
const started = await startAll(scenario as ScenarioName)
for (let idle = 0; !(await haveAllEnded()); idle += 1) {
  if (await answerAll()) idle = 0
  if (idle > 2_000) throw new Error(`nothing goes on any more: ${JSON.stringify(await howItEnded())}`)
  jump(15_000)
  await new Promise((resolve) => setTimeout(resolve, 20))
}
await end(await howItEnded())

/** Its scripts need no approval, and it may reach the server of the test. */
async function theAgent(): Promise<string> {
  const { items } = await call('agent_list', { limit: 100 })
  const known = items.find(({ agent }) => agent.name === 'Worker')
  const { agent_id } = known ?? (await call('agent_create', { name: 'Worker' })).agent
  await setPolicy(agent_id, 'script.run', { approval_mode: 'auto' })
  await setPolicy(agent_id, 'http.request', { network_scope: { hosts: [new URL(server_url).host] } })
  return agent_id
}

async function setPolicy(agent_id: string, tool: string, fields: Partial<ToolPolicy>): Promise<void> {
  const { policy } = await call('agent_tool_policy_get', { agent_id, tool })
  await call('agent_tool_policy_set', { agent_id, tool, policy: { ...policy.policy, ...fields } })
}

/** Each is saved and started once, whichever process does it. */
async function startAll(name: ScenarioName): Promise<readonly string[]> {
  if (name === 'canceled') return [await startOne('Canceled', canceled, {})]
  if (name === 'undone') return [await startOne('Undone', undone, {})]
  if (name === 'everything') return [await startOne('Everything', everything(await saved('Inner', inner)), { url: server_url })]
  const definitions = JSON.parse(readFileSync(join(folder, 'definitions.json'), 'utf8')) as readonly WorkflowDefinition[]
  const ids: string[] = []
  for (const [at, definition] of definitions.entries()) ids.push(await startOne(`Generated-${at}`, definition, {}))
  return ids
}

async function startOne(name: string, definition: WorkflowDefinition, inputs: object): Promise<string> {
  const workflow_id = await saved(name, definition)
  const { run } = await call('workflow_start', { workflow_id, inputs: JSON.stringify(inputs), agent_id, workspace, key: name })
  return run.workflow_run_id
}

async function saved(name: string, definition: WorkflowDefinition): Promise<string> {
  const { items } = await call('workflow_list', { limit: 100 })
  const known = items.find((workflow) => workflow.name === name)
  return known?.workflow_id ?? (await call('workflow_save', { name, definition, covers_calls: true })).workflow.workflow_id
}

async function snapshotOf(workflow_run_id: string, at_seq?: number): Promise<WorkflowSnapshot> {
  return (await call('workflow_snapshot', { workflow_run_id, ...(at_seq === undefined ? {} : { at_seq }) })).run
}

async function haveAllEnded(): Promise<boolean> {
  for (const id of started) {
    const { state, run_id } = await snapshotOf(id)
    if (!isTerminalWorkflowState(state) || !isTerminalRunState(runtime.journal.run(run_id ?? '')?.state ?? 'running')) return false
  }
  return true
}

/** Whether there was anything to answer. */
async function answerAll(): Promise<boolean> {
  let answered = 0
  for (const { workflow_run_id, run_id } of (await call('workflow_run_list', { limit: 100 })).items) {
    for (const { approval } of (await call('approval_list', { run_id })).items) {
      const { approval_id, fingerprint } = approval
      await call('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, answer: 'once' } })
      answered += 1
    }
    for (const { question } of (await call('question_list', { run_id })).items) {
      const { question_id, call_id, options } = question
      if (question.question === 'Go on?') {
        const { state } = await snapshotOf(workflow_run_id)
        // It is withdrawn soon.
        if (state === 'canceled') continue
        answered += 1
        await call('workflow_control', { workflow_run_id, action: 'cancel', reason: 'no longer needed' })
        continue
      }
      const chosen = options.some(({ value }) => value === 'continue')
        ? await afterInterruption(workflow_run_id, call_id, question.question)
        : options[0]?.value
      const answer = { chosen: [chosen ?? ''], text: null }
      await call('agent_run_resume', { run_id, answer: { kind: 'question', question_id, answer } })
      answered += 1
    }
  }
  return answered > 0
}

/** As a person decides it: after a look at what has really happened. */
async function afterInterruption(workflow_run_id: string, call_id: string, question: string): Promise<'continue' | 'repeat'> {
  const { nodes } = await snapshotOf(workflow_run_id)
  const node = nodes.find((one) => one.call_id === call_id)
  const name = node ? effectName(prefixOf(workflow_run_id), node) : undoName(/step (\w+)/.exec(question)?.[1] ?? '')
  const sent = Number(await (await fetch(`${server_url}/count/${encodeURIComponent(name)}`)).text())
  return effects().includes(name) || sent > 0 ? 'continue' : 'repeat'
}

/** Generated workflows share a folder: their number begins the names of their effects. */
function prefixOf(workflow_run_id: string): string {
  return scenario === 'generated' ? `${started.indexOf(workflow_run_id)} ` : ''
}

function effects(): readonly string[] {
  const file = join(workspace, effectsFile)
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
}

function eventsOf(workflow_run_id: string): readonly WorkflowRunEvent[] {
  return runtime.journal.workflowEvents.of(workflow_run_id, { limit: 100_000 })
}

async function howItEnded() {
  const runs = []
  const mistakes: string[] = []
  for (const row of (await call('workflow_run_list', { limit: 100 })).items.toReversed()) {
    const { workflow_run_id } = row
    const events = eventsOf(workflow_run_id)
    mistakes.push(...(await mistakesIn(workflow_run_id, events)))
    const run = foldWorkflowRun(events)
    if (run?.state !== row.state) mistakes.push(`${row.name}: its events say ${run?.state}, its record ${row.state}`)
    const nodes = [...(run?.nodes.values() ?? [])].map(({ node_id, iteration, state, outcome, attempt, output, failure }) => ({
      ...{ node: nodeKey(node_id, iteration), state, outcome, attempt, failure: failure?.reason_code ?? null },
      // Nobody has seen the output of a call of which a person said that it has taken effect.
      output: output === 'null' ? null : output,
    }))
    const { result } = await snapshotOf(workflow_run_id)
    const { name, state, reason } = row
    runs.push({ name, state, reason, result, nodes: nodes.toSorted((one, other) => (one.node < other.node ? -1 : 1)) })
  }
  const waiting = (await call('approval_list', {})).items.length + (await call('question_list', {})).items.length
  return { runs: runs.toSorted((one, other) => (one.name < other.name ? -1 : 1)), effects: effects().toSorted(), waiting, mistakes }
}

/** Events are numbered without gaps, and those up to each of them give the state that is shown for it. */
async function mistakesIn(workflow_run_id: string, events: readonly WorkflowRunEvent[]): Promise<readonly string[]> {
  const mistakes = events.flatMap(({ seq }, at) => (seq === at ? [] : [`event ${at} of ${workflow_run_id} has the number ${seq}`]))
  if (new Set(events.map(({ event_id }) => event_id)).size !== events.length) mistakes.push(`${workflow_run_id} has an event twice`)
  for (let at = 0; at < events.length; at += 1) {
    const run = foldWorkflowRun(events.slice(0, at + 1))
    const shown = await snapshotOf(workflow_run_id, at)
    const states = (nodes: Iterable<{ node_id: string; iteration: readonly number[]; state: string }>) =>
      JSON.stringify([...nodes].map(({ node_id, iteration, state }) => `${nodeKey(node_id, iteration)} ${state}`).toSorted())
    if (run?.state !== shown.state || states(run.nodes.values()) !== states(shown.nodes))
      mistakes.push(`after event ${at}, ${workflow_run_id} is shown in another state`)
  }
  return mistakes
}
