// Lifecycle events belong to the device where they happened: what arrives by sync is not an event, and is introduced at its first use here.
import { expect, onTestFinished, test } from 'vitest'
import { testCloud } from '../../test/support/sync/test-cloud.ts'
import { agentNamed, type TestDevice, testDevice } from '../../test/support/sync/test-device.ts'
import { openBus } from '../event/bus.ts'
import { openEvents } from '../event/events.ts'
import { openLifecycle } from '../event/lifecycle/lifecycle.ts'
import type { LifecycleEvent, LifecycleListener } from '../event/lifecycle/lifecycle-event.ts'
import { openJournal } from '../journal/journal.ts'
import { lifecycleHistory } from '../journal/step.ts'

const start = Date.parse('2026-03-01T09:00:00.000Z')

/** A journal on a device, with two listeners for everything: one from the beginning, one that starts now. */
function listening(device: TestDevice) {
  const store = device.store()
  const logged: string[] = []
  const lifecycle = openLifecycle({ store, history: () => lifecycleHistory(store), log: (line) => logged.push(line) })
  const heard: string[] = []
  function listener(name: string, from: LifecycleListener['from']): LifecycleListener {
    const hear = async ({ event, event_id, data }: LifecycleEvent) =>
      void heard.push([name, event, event_id, 'cause' in data ? data.cause : ''].join(' ').trim())
    return { name, from, hears: { run_ended: hear, checkpoint_restored: hear, agent_created: hear, conversation_created: hear } }
  }
  lifecycle.listen(listener('now', 'now'))
  const bus = openBus((error) => {
    throw error
  })
  return {
    lifecycle,
    heard,
    journal: openJournal(store, openEvents(store, bus), bus, lifecycle),
    rows: () => store.sql.all`SELECT event FROM lifecycle_events`,
    async delivered() {
      lifecycle.listen(listener('all', 'beginning'))
      await lifecycle.stop({ within_ms: 10_000 })
      expect(logged).toEqual([])
      return heard
    },
  }
}

test('a run that arrives by sync is only an event where it ran; its agent and conversation are introduced at their first use', async () => {
  const cloud = testCloud(() => start)
  const wire = { push: async (request: never) => cloud.push(request), pull: async (query: never) => cloud.pull(query) }
  const [one, two] = ['one', 'two'].map((name) => testDevice(name, start, () => wire)) as [TestDevice, TestDevice]
  onTestFinished(() => {
    one.dispose()
    two.dispose()
  })
  async function sync(device: TestDevice) {
    while ((await device.engine().round()).kind !== 'done');
  }
  const [here, there] = [listening(one), listening(two)]
  one.records().put('agents', 'a', agentNamed('Scribe'))
  const { no, conversation_id } = here.journal.conversations.create({ agent_id: 'a', title: 'Paint', workspace: '/work' })
  const fresh = { conversation: no, agent_id: 'a', title: 'Paint', model: 'm', sandbox_mode: 'workspace', message_id: null } as const
  const { run_id, usage } = here.journal.start(fresh)
  const ended = here.journal.append(run_id, { kind: 'run.completed', usage })
  await sync(one)
  await sync(two)
  expect([there.journal.run(run_id)?.state, there.rows()]).toEqual(['completed', []])
  expect(lifecycleHistory(two.store())).toEqual([])

  const arrived = there.journal.conversations.get(conversation_id)
  if (!arrived) throw new Error('the conversation did not arrive')
  there.journal.conversations.settle(conversation_id, '/elsewhere')
  there.journal.start({ ...fresh, conversation: arrived.no })
  expect(await there.delivered()).toEqual(['now agent_created a first_use', `now conversation_created ${conversation_id} first_use`])
  expect((await here.delivered()).toSorted()).toEqual([
    `all conversation_created ${conversation_id} created`,
    `all run_ended ${ended.step_id}`,
    'now agent_created a first_use',
    `now conversation_created ${conversation_id} created`,
    `now run_ended ${ended.step_id}`,
  ])
})
