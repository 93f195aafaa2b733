// One process of a runtime that imports an export and then a later one of the same conversations, as a user does again after a kill.
// usage: node --import test-crash-preload.ts test-import-process.ts FOLDER. The last line of the output is the result.
import { join } from 'node:path'
import { openRuntime } from '../../src/runtime.ts'

const [folder = ''] = process.argv.slice(2)
const alive = setInterval(() => undefined, 60_000)
const runtime = openRuntime({
  home: join(folder, 'home'),
  workspace: join(folder, 'workspace'),
  environment: { PATH: process.env.PATH, TANDEM_MEMORY_MODEL: 'off' },
  log: (line) => console.error(line),
})

const times = { created_at: '2024-03-01T10:00:00.000Z', updated_at: '2024-03-01T11:00:00.000Z' }
const pathOf = (name: string, length: number, leaf_id: string) => ({
  ...{ source: 'chatgpt' as const, source_id: name, leaf_id, title: name, ...times },
  messages: Array.from({ length }, (_, index) => ({
    ...{ role: index % 2 === 0 ? ('user' as const) : ('assistant' as const), created_at: times.created_at },
    // One is so long that it is stored in a file.
    text: index === 1 ? `${name} ${index} ${'x'.repeat(70_000)}` : `${name} ${index}`,
  })),
})
const older = ['one', 'two'].map((name) => pathOf(name, 4, 'n4'))
const newer = ['one', 'two'].map((name) => pathOf(name, 6, 'n6'))

const outcomes: string[] = []
for (const given of [...older, ...newer, ...older, ...newer]) {
  const answer = await runtime.commands.call('conversation_import', given)
  if (!answer.ok) throw new Error(answer.error.message)
  outcomes.push(answer.value.outcome)
}
const listed = await runtime.commands.call('conversation_list', { limit: 100 })
if (!listed.ok) throw new Error(listed.error.message)
const conversations: Record<string, readonly string[]> = {}
for (const { conversation_id, title } of listed.value.items) {
  const messages = await runtime.commands.call('message_list', { conversation_id, limit: 100 })
  if (!messages.ok) throw new Error(messages.error.message)
  conversations[title] = messages.value.items.map(({ text }) => text.trimEnd().slice(0, 5))
}
await runtime.stop()
clearInterval(alive)
console.log(JSON.stringify({ again: outcomes.slice(4), count: listed.value.items.length, conversations }))
