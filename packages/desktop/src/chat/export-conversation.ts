// A conversation as a file: for people as Markdown, for programs as JSON. Messages that a restore has set aside are marked, not left out.
import type { Conversation, ListedMessage } from '@tandem/contract/command'
import { exportWords } from '../strings/reading.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'

export type ExportFormat = 'markdown' | 'json'

export function exportedText(format: ExportFormat, conversation: Conversation, messages: readonly ListedMessage[]): string {
  return format === 'json' ? `${JSON.stringify({ conversation, messages }, null, 2)}\n` : markdownOf(conversation, messages)
}

function markdownOf({ title, created_at }: Conversation, messages: readonly ListedMessage[]): string {
  const parts = messages.flatMap((message) => [`## ${authorOf(message)}, ${message.created_at}`, ...notesOf(message), bodyOf(message)])
  return `${[`# ${visibleText(title)}`, exportWords.started(created_at), ...parts].join('\n\n')}\n`
}

function authorOf({ role, author = 'person' }: ListedMessage): string {
  if (role === 'assistant') return words.thread.assistant
  if (role === 'system') return words.thread.system
  return author === 'person' ? words.thread.you : exportWords.other(author)
}

function notesOf({ set_aside, interrupted, attachments }: ListedMessage): readonly string[] {
  const files = attachments.map(({ name }) => visibleText(name)).join(', ')
  const marks = [...(set_aside ? [words.thread.setAside] : []), ...(interrupted ? [words.thread.cut] : [])]
  return [...marks.map((mark) => `*${mark}*`), ...(files === '' ? [] : [exportWords.files(files)])]
}

/** A heading of a message would look like the next message. */
function bodyOf({ text }: ListedMessage): string {
  let fence: string | null = null
  const lines = visibleText(text).split('\n')
  const indented = lines.map((line) => {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (mark !== undefined && (fence === null || mark.startsWith(fence))) fence = fence === null ? mark : null
    return fence === null && mark === undefined ? line.replace(/^(#{1,4})(?=\s)/, '##$1') : line
  })
  return indented.join('\n')
}

/** Works on every system. */
export function exportedName({ title }: Pick<Conversation, 'title'>, format: ExportFormat): string {
  const base = visibleText(title)
    .replaceAll(/[\p{Cc}<>:"/\\|?*]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 80)
    .replace(/[. ]+$/, '')
  return `${base === '' ? 'conversation' : base}.${format === 'json' ? 'json' : 'md'}`
}

/** The browser stores it where the user keeps downloads. */
export function saveAs(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: name.endsWith('.json') ? 'application/json' : 'text/markdown' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
