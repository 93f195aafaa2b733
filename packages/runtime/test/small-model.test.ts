// A model with a context window of 8,192 tokens works with the whole runtime: every tool registered, several calls, compaction.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Script, ScriptedTurn } from './support/model/test-model.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

let agent: TestAgent | undefined
afterEach(async () => {
  await agent?.stop()
  agent = undefined
})

const windowTokens = 8_192
/** Stricter than most tokenizers: an estimate that is too low must be detected. */
const tokensOf = (request: unknown) => Math.ceil(JSON.stringify(request).length / 3.7)

const overflow = (message: string): ScriptedTurn => ({
  status: 400,
  body: JSON.stringify({ error: { message, type: 'invalid_request_error' } }),
})

/** Reads all files, one after the other, and then finishes. Refuses what does not fit. */
function reader(files: number, refuses: (tokens: number) => ScriptedTurn) {
  const seen = { refused: 0, summaries: 0, largest: 0 }
  const script: Script = (_index, request) => {
    const tokens = tokensOf(request)
    if (tokens > windowTokens) {
      seen.refused += 1
      return refuses(tokens)
    }
    seen.largest = Math.max(seen.largest, tokens)
    const usage = { prompt_tokens: tokens, completion_tokens: 50 }
    if (String(request.messages.at(-1)?.content).startsWith('Summarize')) {
      seen.summaries += 1
      return { text: '"Decided plan"\nRead every file.\n"Done"\nSome were read.', usage }
    }
    const next = read.length
    if (next >= files) return { text: 'All files were read.', usage }
    read.push(`file-${next}.txt`)
    return { calls: [{ name: 'fs.read', arguments: { path: `file-${next}.txt` } }], usage }
  }
  const read: string[] = []
  return { script, seen, read }
}

function writeFiles(here: TestAgent, files: number): void {
  for (let index = 0; index < files; index += 1) {
    const lines = Array.from({ length: 150 }, (_, line) => `Line ${line} of file ${index} says something of no importance.`)
    writeFileSync(join(here.workspace, `file-${index}.txt`), lines.join('\n'))
  }
}

test.each([
  ['as its server reports', { 'GET /v1/models': { data: [{ id: 'test/model', max_model_len: windowTokens }] } }, {}],
  ['as configured', {}, { TANDEM_MODEL_WINDOW: String(windowTokens) }],
])(
  'a run with many calls completes in 8,192 tokens, %s, and no request is ever too long',
  async (_name, facts, environment) => {
    const { script, seen, read } = reader(12, (tokens) =>
      overflow(`This model's maximum context length is 8192 tokens. You sent ${tokens}.`),
    )
    agent = await startTestAgent(script, { facts, environment })
    writeFiles(agent, 12)
    const agent_id = await agent.agent()
    const ended = await agent.ask(agent_id, 'Read every file of the folder and say when you are done.')
    expect([ended.state, read.length, ended.results.map(({ outcome }) => outcome)]).toEqual([
      'completed',
      12,
      Array.from({ length: 12 }, () => 'succeeded'),
    ])
    expect([seen.refused, seen.summaries > 0]).toEqual([0, true])
  },
  60_000,
)

test.each([
  ['its error contains the size', `This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.`],
  ['its error only says that it is too long', 'The prompt is too long.'],
])(
  'an unknown context window is learned when the server refuses: %s',
  async (_name, message) => {
    const { script, seen, read } = reader(8, () => overflow(message))
    agent = await startTestAgent(script)
    writeFiles(agent, 8)
    const agent_id = await agent.agent()
    const ended = await agent.ask(agent_id, 'Read every file of the folder and say when you are done.')
    expect([ended.state, read.length]).toEqual(['completed', 8])
    expect(seen.refused).toBeGreaterThan(0)
  },
  60_000,
)

test('the model gets a list of the tools that were left out, and long instructions and results are cut', async () => {
  const requests: { messages: { role: string; content: unknown }[]; tools?: unknown[] }[] = []
  agent = await startTestAgent(
    (index, request) => {
      requests.push(request)
      return index === 0 ? { calls: [{ name: 'fs.read', arguments: { path: 'file-0.txt' } }] } : { text: 'Done.' }
    },
    { environment: { TANDEM_MODEL_WINDOW: String(windowTokens) } },
  )
  writeFiles(agent, 1)
  const { agent: made } = await agent.call('agent_create', { name: 'Long', instructions: 'Mind the gap. '.repeat(2_000) })
  const ended = await agent.ask(made.agent_id, 'Read it.')
  expect(ended.state).toBe('completed')
  const system = String(requests[0]?.messages[0]?.content)
  expect(system).toContain('The rest of the instructions is left out')
  expect(system).toMatch(/too small to describe these tools: .*browser\./)
  const names = (requests[0]?.tools ?? []).map((tool) => (tool as { function: { name: string } }).function.name)
  expect(['fs__read', 'fs__write', 'fs__edit', 'shell__exec', 'ask_user'].filter((name) => !names.includes(name))).toEqual([])
  expect(String(requests[1]?.messages.at(-1)?.content)).toContain('characters left out to fit your context window')
})
