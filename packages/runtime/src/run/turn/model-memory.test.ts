import { expect, onTestFinished, test } from 'vitest'
import { type Script, startTestModel } from '../../../test/support/model/test-model.ts'
import { openTestRuns, type TestRuns } from '../../../test/support/run/test-runs.ts'
import { systemClock } from '../../clock/clock.ts'
import { openModel } from '../../model/model.ts'
import { type ModelMemory, openModelMemory } from './model-memory.ts'

const address = { base_url: 'http://127.0.0.1:9/v1', key: async () => null }
const [here, elsewhere] = [openModel(address, systemClock), openModel(address, systemClock)]

function known(memory: ModelMemory, run_id: string, name: string) {
  return {
    factor: memory.factorOf(run_id),
    withoutTools: memory.knowsWithoutTools(run_id),
    here: memory.contextTokensOf(here, name),
    elsewhere: memory.contextTokensOf(elsewhere, name),
    sight: memory.sightOf(name),
  }
}

const nothing = { factor: 1, withoutTools: false, here: null, elsewhere: null, sight: 'seeing' }

function learnAll(memory: ModelMemory): void {
  memory.learnFactor('run', 1.5)
  memory.learnWithoutTools('run')
  memory.learnContextTokens(here, 'model', 8_192)
  memory.learnBlind('model')
}

test('what is learned applies to the run, the model and the server it was learned from', () => {
  const memory = openModelMemory()
  expect(known(memory, 'run', 'model')).toEqual(nothing)
  learnAll(memory)
  expect(known(memory, 'run', 'model')).toEqual({ factor: 1.5, withoutTools: true, here: 8_192, elsewhere: null, sight: 'blind' })
  expect(known(memory, 'another', 'other')).toEqual(nothing)
  memory.learnContextTokens(here, 'other', 4_096)
  memory.learnContextTokens(here, 'model', 16_384)
  expect([memory.contextTokensOf(here, 'model'), memory.contextTokensOf(here, 'other')]).toEqual([16_384, 4_096])
})

test('forgets a run that ended, but not its model', () => {
  const memory = openModelMemory()
  learnAll(memory)
  memory.learnFactor('another', 2)
  memory.forgetRun('run')
  expect(known(memory, 'run', 'model')).toEqual({ ...nothing, here: 8_192, sight: 'blind' })
  expect(memory.factorOf('another')).toBe(2)
})

test('two memories share nothing', () => {
  const [one, other] = [openModelMemory(), openModelMemory()]
  learnAll(one)
  expect(known(other, 'run', 'model')).toEqual(nothing)
})

const holdsPicture = (request: { readonly messages: unknown }) => JSON.stringify(request.messages).includes('image_url')
const refusesPictures: Script = (_index, request) =>
  holdsPicture(request) ? { status: 400, body: '{"error":{"message":"image input is not supported"}}' } : { text: 'I cannot see it.' }

async function show({ runs, conversation }: TestRuns): Promise<string | undefined> {
  const picture = { file_id: '01900000-0000-7000-8000-000000000000', name: 'shot.png', media_type: 'image/png', size: 3 }
  const { conversation_id } = conversation()
  const started = runs.start({ author: 'person', conversation_id, text: 'Look.', attachments: [picture] })
  if (!started.ok) throw new Error(started.message)
  return (await runs.settled(started.value.run_id))?.state
}

test('a model that refused an image gets none again, except from another runtime in the same process', async () => {
  const model = await startTestModel(refusesPictures)
  const open = () => openTestRuns({ base_url: model.base_url, attachment: Buffer.from('png') })
  const [one, other] = [open(), open()]
  onTestFinished(async () => {
    for (const opened of [one, other]) {
      opened.close()
      opened.remove()
    }
    await model.close()
  })
  expect([await show(one), await show(one), await show(other)]).toEqual(['completed', 'completed', 'completed'])
  expect(model.requests.map(holdsPicture)).toEqual([true, false, false, true, false])
})
