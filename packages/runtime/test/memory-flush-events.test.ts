// What memory reports when it reads a conversation, and that it reads one before its context is compacted.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

vi.setConfig({ testTimeout: 120_000 })
const wait = { timeout: 60_000 }
const said = 'I prefer pnpm over npm for every project.'

let one: TestAgent
afterEach(() => one.stop())

async function told(name: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { items } = await one.call('event_list', { last: 500 })
  return items.filter(({ event }) => event.event === name).map(({ event }) => ({ ...event.data }))
}

test('a flush and a review report what they found', async () => {
  one = await startTestAgent(() => ({ text: 'Fine.' }))
  const agent_id = await one.agent()
  await one.ask(agent_id, said)
  await expect.poll(() => told('memory_flush_completed'), wait).toHaveLength(1)
  const [memory] = (await one.call('memory_list', { agent_id })).items
  const nothing = { conflicting: [], superseded: [], archived: [] }
  expect(await told('memory_flush_triggered')).toMatchObject([{ reason: 'run_end' }])
  expect(await told('memory_flush_completed')).toMatchObject([{ reason: 'run_end', memory_ids: [memory?.id], resolution: nothing }])
  const review = await one.call('memory_run_heartbeat_review', { agent_id })
  expect(await told('heartbeat_review_completed')).toMatchObject([
    { review_id: review.id, trigger: 'manual', extracted: { preference: [memory?.id] }, resolution: nothing },
  ])
})

test('what the user said is read before the context of a run is compacted', async () => {
  let read = 0
  one = await startTestAgent(
    (_index, request) => {
      const usage = { prompt_tokens: Math.ceil(JSON.stringify(request).length / 3.7), completion_tokens: 50 }
      if (String(request.messages.at(-1)?.content).startsWith('Summarize')) return { text: 'Some files were read.', usage }
      if (read >= 12) return { text: 'All files were read.', usage }
      read += 1
      return { calls: [{ name: 'fs.read', arguments: { path: `file-${read}.txt` } }], usage }
    },
    { environment: { TANDEM_MODEL_WINDOW: '8192' } },
  )
  for (let index = 1; index <= 12; index += 1)
    writeFileSync(join(one.workspace, `file-${index}.txt`), `A line of file ${index} that says nothing of importance.\n`.repeat(150))
  const agent_id = await one.agent()
  await one.ask(agent_id, `${said} Read every file, please.`)
  await expect.poll(async () => (await told('memory_flush_triggered')).map(({ reason }) => reason), wait).toContain('compaction')
  await expect.poll(async () => (await one.call('memory_list', { agent_id })).items.length, wait).toBe(1)
})
