// One process of a whole runtime: it continues what an earlier one left, only by commands, until all work is done.
// usage: node --import test-crash-preload.ts test-crash-process.ts FOLDER MODEL_URL. The last line of the output is the result.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandResult } from '@tandem/contract/command'
import type { RunStep } from '@tandem/contract/run'
import { jumpingClock } from './clock/test-jumping-clock.ts'
import { answer, requests } from './test-crash-script.ts'
import { openProcessRuntime } from './test-process-runtime.ts'
import { openToyFeature } from './toy/feature.ts'

const [folder = '', base_url = ''] = process.argv.slice(2)
const day_ms = 86_400_000
/** Waiting runs are continued every five seconds, and old checkpoints are deleted first after ten. */
const [continue_ms, retain_ms] = [5_000, 10_000]

/** These two jobs, and those of every hour or day, run only when the time jumps. */
const clock = jumpingClock((ms) => ms >= 30 * 60_000 || ms === continue_ms || ms === retain_ms)
const { jump } = clock
const { runtime, workspace, call, end } = openProcessRuntime(folder, base_url, {
  clock,
  environment: { TANDEM_MODEL_WINDOW: '32000' },
  features: [openToyFeature],
})

const agent_id = await theAgent()
const conversations = await theConversations(5)
const [working = '', changing = '', talking = '', filling = '', serving = ''] = conversations

const worked = await started('work', working, requests.work)
await finished(worked)
await learned(worked)
await changeAndRestore(await started('change', changing, requests.change))
for (const text of requests.talk) await finished(await started(`talk:${text}`, talking, text))
await finished(await started('serve', serving, requests.serve))
const filled = await started('fill', filling, requests.fill)
await finished(filled)
await outlive(filled)
await end(await howItEnded())

async function theAgent(): Promise<string> {
  const { items } = await call('agent_list', { limit: 100 })
  const agent = items.find((kept) => kept.agent.name === 'Worker') ?? (await call('agent_create', { name: 'Worker' })).agent
  const { agent_id } = agent
  for (const tool of ['fs.write', 'toy.nap']) {
    const { policy } = await call('agent_tool_policy_get', { agent_id, tool })
    await call('agent_tool_policy_set', { agent_id, tool, policy: { ...policy.policy, approval_mode: 'auto' } })
  }
  return agent_id
}

async function theConversations(count: number): Promise<string[]> {
  for (;;) {
    const { items } = await call('conversation_list', { agent_id, limit: 100 })
    if (items.length >= count) return items.map(({ conversation_id }) => conversation_id).toSorted()
    await call('conversation_create', { agent_id, workspace })
  }
}

/** The same key is the same run, whichever process started it. */
async function started(key: string, conversation_id: string, text: string): Promise<string> {
  return (await call('agent_run_start', { conversation_id, text, key })).run.run_id
}

/** Continues a run, with any answer it waits for, until it has ended. */
async function finished(run_id: string): Promise<void> {
  for (;;) {
    await runtime.settled(run_id)
    const { run } = await call('agent_run_get', { run_id })
    if (run.state === 'completed') return
    if (run.state !== 'paused') throw new Error(`run ${run_id} is ${run.state}: ${JSON.stringify(run)}`)
    // It continues by itself.
    if (run.pause_reason === 'time') {
      jump(continue_ms)
      await new Promise((resolve) => setTimeout(resolve, 50))
      continue
    }
    const [approval] = (await call('approval_list', { run_id })).items
    const [question] = (await call('question_list', { run_id })).items
    if (approval) {
      const { approval_id, fingerprint } = approval.approval
      await call('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, answer: 'once' } })
    } else if (question) {
      const { question_id } = question.question
      await call('agent_run_resume', { run_id, answer: { kind: 'question', question_id, answer: { chosen: [], text: answer } } })
    } else await call('resume_agent_run', { run_id })
  }
}

/** Otherwise the points of learning, which works in the background, would be those of the middle of a later call, one after the other. */
async function learned(run_id: string): Promise<void> {
  for (;;) {
    const { items } = await call('skill_list_behavior_traces', { run_id })
    if (items.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** A run is restored to its beginning once, and then does its work again. */
async function changeAndRestore(run_id: string): Promise<void> {
  const isRestored = async () => (await stepsOf(run_id)).some(({ kind }) => kind === 'checkpoint.restored')
  if (!(await isRestored())) {
    await finished(run_id)
    const { items } = await call('agent_run_list_checkpoints', { run_id })
    const checkpoint_id = items.at(-1)?.checkpoint_id ?? ''
    await call('agent_run_restore_checkpoint', { action: 'restore', run_id, checkpoint_id, on_conflict: 'overwrite' })
    expectFile('b.txt', 'old')
  }
  await finished(run_id)
}

/** Months later all checkpoints but the newest are deleted. */
async function outlive(run_id: string): Promise<void> {
  const count = async () => (await call('agent_run_list_checkpoints', { run_id, limit: 100 })).items.length
  if ((await count()) <= 5) return
  jump(100 * day_ms)
  while ((await count()) > 5) await new Promise((resolve) => setTimeout(resolve, 20))
}

function expectFile(name: string, content: string): void {
  const found = readFileSync(join(workspace, name), 'utf8')
  if (found !== content) throw new Error(`${name} is ${JSON.stringify(found)} and should be ${JSON.stringify(content)}`)
}

async function stepsOf(run_id: string): Promise<RunStep[]> {
  const steps: RunStep[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: CommandResult<'agent_run_list_steps'> = await call('agent_run_list_steps', {
      run_id,
      limit: 200,
      ...(cursor === undefined ? {} : { cursor }),
    })
    steps.push(...page.items)
    cursor = page.next_cursor
  }
  return steps
}

async function howItEnded() {
  const { items: runs } = await call('agent_run_list', { limit: 100 })
  const ended = []
  for (const { run_id, title, state } of runs.toReversed()) {
    const steps = await stepsOf(run_id)
    const calls = steps.flatMap((step) => (step.kind === 'tool.call' ? [step.call_id] : []))
    const results = steps.flatMap((step) => (step.kind === 'tool.result' ? [step] : []))
    const unsettled = calls.filter((call_id) => !results.some((result) => result.call_id === call_id))
    const failed = results.filter(({ outcome }) => outcome !== 'succeeded' && outcome !== 'interrupted').map(({ outcome }) => outcome)
    const restores = steps.filter(({ kind }) => kind === 'checkpoint.restored').length
    ended.push({ title, state, unsettled, failed, restores })
  }
  const messages = []
  for (const conversation_id of conversations) {
    const { items } = await call('message_list', { conversation_id, limit: 100 })
    messages.push(items.map(({ role, text }) => `${role}: ${text.trim().slice(0, 30)}`))
  }
  const files = Object.fromEntries(
    readdirSync(workspace)
      .toSorted()
      .map((name) => [name, readFileSync(join(workspace, name), 'utf8')]),
  )
  const waiting = (await call('approval_list', {})).items.length + (await call('question_list', {})).items.length
  return { runs: ended, messages, files, waiting }
}
