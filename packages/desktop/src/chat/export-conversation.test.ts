import type { Conversation, ListedMessage } from '@tandem/contract/command'
import { expect, test } from 'vitest'
import { exportedName, exportedText } from './export-conversation.ts'

const conversation: Conversation = {
  ...{ conversation_id: 'c', agent_id: 'a', title: 'Rent / July', workspace: '/home/ana', hidden: false, pinned: false, memory: null },
  ...{ created_at: '2026-07-01T08:00:00.000Z', updated_at: '2026-07-01T09:00:00.000Z' },
} as Conversation
const message = (fields: Partial<ListedMessage>) =>
  ({ role: 'user', text: '', attachments: [], set_aside: false, created_at: '2026-07-01T08:00:01.000Z', ...fields }) as ListedMessage

test('as Markdown: authors, times, files, and what was set aside; headings inside do not look like messages', () => {
  const text = exportedText('markdown', conversation, [
    message({ text: 'Pay it.', attachments: [{ name: 'bill.pdf' }] as ListedMessage['attachments'] }),
    message({ role: 'assistant', text: '# Done\n\n```sh\n# a comment\n```\n## Next', set_aside: true }),
    message({ author: 'workflow', text: 'Again.' }),
    message({ role: 'assistant', text: 'I was about', interrupted: true }),
  ])
  expect(text).toContain('# Rent / July\n')
  expect(text).toContain('## You, 2026-07-01T08:00:01.000Z\n\nFiles: bill.pdf\n\nPay it.')
  expect(text).toContain('### Done\n\n```sh\n# a comment\n```\n#### Next')
  expect(text).toContain('*Response interrupted*\n\nI was about')
  expect(text.match(/^## /gm)).toHaveLength(4)
})

test('as JSON: everything, and it can be read back', () => {
  const messages = [message({ text: 'Ü "quoted"\n' })]
  expect(JSON.parse(exportedText('json', conversation, messages))).toEqual({ conversation, messages })
})

test.each([
  ['Rent / July', 'Rent July.md'],
  ['a:b*c?"<>|', 'a b c.md'],
  ['../../etc/passwd', '.. .. etc passwd.md'],
  ['...', 'conversation.md'],
  ['', 'conversation.md'],
])('the name of the file of "%s"', (title, name) => {
  expect(exportedName({ title }, 'markdown')).toBe(name)
})
