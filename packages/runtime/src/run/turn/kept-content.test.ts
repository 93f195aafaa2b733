// Summaries of calls whose content stays on this device: other devices read them.
import Type from 'typebox'
import { afterEach, expect, test } from 'vitest'
import { startTestModel, type TestModel } from '../../../test/support/model/test-model.ts'
import { openTestRuns, type TestRuns } from '../../../test/support/run/test-runs.ts'
import { ToolFailure } from '../../call/failure.ts'
import { defineTool } from '../../call/tool.ts'

let model: TestModel
let here: TestRuns

afterEach(async () => {
  here.close()
  here.remove()
  await model.close()
})

test.each([true, false])('a summary (by the model: %s) contains none of it', async (answers) => {
  const tool = defineTool({
    name: 'test.secret',
    summary: 'Keeps a secret.',
    input: Type.Object({ text: Type.String() }),
    output: Type.Object({ text: Type.String() }, { additionalProperties: false }),
    effects: () => [{ does: 'note' }],
    limits: { seconds: 1 },
    leaves: 'ids',
    async run({ text }) {
      if (text.includes('fail')) throw new ToolFailure('too_long', `${text} is too long`)
      return { text }
    },
  })
  const asked: string[] = []
  model = await startTestModel((_index, { messages, tools = [] }) => {
    if (tools.length === 0) {
      asked.push(JSON.stringify(messages))
      return answers ? { text: 'The user counted.' } : { status: 500 }
    }
    const last = String(messages.at(-1)?.content)
    if (last.startsWith('Keep'))
      return {
        calls: [
          { name: 'test.secret', arguments: { text: 'CANARY' } },
          { name: 'test.secret', arguments: { text: 'CANARY fail' } },
        ],
      }
    return { text: `${last.slice(0, 10)} ${'word '.repeat(1_500)}` }
  })
  here = openTestRuns({ base_url: model.base_url, window: 8_000, tools: [tool] })
  here.allow('test.secret')
  await here.ask('Keep it')
  for (const words of ['One', 'Two', 'Three', 'Four']) await here.ask(words)
  const summaries = here.journal
    .runs({ limit: 10 })
    .flatMap(({ run_id }) => here.journal.steps(run_id))
    .flatMap(({ step }) => (step.kind === 'context.compacted' ? [step.summary] : []))
  expect(summaries.length).toBeGreaterThan(0)
  expect([...summaries, ...asked].filter((text) => text.includes('CANARY'))).toEqual([])
})
