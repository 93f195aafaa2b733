// The model that a new user connects: it answers, writes one file, and answers again.
import { startTestModel, type TestModel } from '../packages/runtime/test/support/model/test-model.ts'

export const firstTask = {
  model: 'house/model',
  message: 'Write a note for me.',
  answer: 'I will write it down.',
  file: 'note.md',
  content: 'The first note.\n',
}

export function startFirstModel(): Promise<TestModel> {
  const { answer, file, content, model } = firstTask
  const call = { name: 'fs.write', arguments: { path: file, content } }
  const hasResult = (messages: readonly { readonly role: string }[]) => messages.at(-1)?.role === 'tool'
  return startTestModel((_, { messages }) => (hasResult(messages) ? { text: 'It is written.' } : { text: answer, calls: [call] }), {
    'GET /v1/models': { data: [{ id: model }] },
  })
}
