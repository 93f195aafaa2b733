// Conversations that another assistant exported, as Tandem reads them. Pure: what is wrong with a file is a value, and names the part.
import { importLimits } from './limits.ts'

export { type ByteReader, type ExportFault, type ExportPart, type ExportPorts, type ReadExport, readExport } from './export-file.ts'
export { importLimits } from './limits.ts'

export const importSources = ['chatgpt', 'claude'] as const
export type ImportSource = (typeof importSources)[number]

export const importSourceNames: Readonly<Record<ImportSource, string>> = { chatgpt: 'ChatGPT', claude: 'Claude' }

export interface ImportedMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
  /** Milliseconds since 1970. */
  readonly created_at: number
}

export interface ImportedConversation {
  readonly source: ImportSource
  /** The same for the same conversation in every export. */
  readonly source_id: string
  /** The last message of its path, if the conversation has branches in the export. */
  readonly leaf_id?: string
  readonly title: string
  readonly created_at: number
  readonly updated_at: number
  readonly messages: readonly ImportedMessage[]
}

export type ParsedExport =
  | {
      readonly ok: true
      readonly source: ImportSource
      readonly conversations: readonly ImportedConversation[]
      /** Conversations that cannot be read, and parts that were left out, by name. */
      readonly problems: readonly string[]
    }
  | { readonly ok: false; readonly message: string; readonly remedy: string }

const remedy = 'Choose the conversations.json of an export of ChatGPT or Claude, or the zip file that contains it.'

type Fields = Readonly<Record<string, unknown>>

/** `value` is the parsed content of conversations.json. */
export function parseExport(value: unknown): ParsedExport {
  const list = Array.isArray(value) ? value : isFields(value) && Array.isArray(value.conversations) ? value.conversations : null
  if (list === null) return { ok: false, message: 'conversations.json is not a list of conversations', remedy }
  if (list.length > importLimits.conversations) {
    return {
      ok: false,
      message: `it has more than ${importLimits.conversations} conversations`,
      remedy: 'Split the list into several files.',
    }
  }
  const source = list.map(sourceOf).find((one) => one !== null) ?? null
  if (source === null) {
    if (list.length === 0) return { ok: false, message: 'the export has no conversations', remedy }
    return { ok: false, message: 'the conversations have neither the form of ChatGPT nor that of Claude', remedy }
  }
  const conversations: ImportedConversation[] = []
  const problems: string[] = []
  for (const [index, one] of list.entries()) {
    const name = isFields(one) ? titleOf(one) : `number ${index + 1}`
    if (!isFields(one) || sourceOf(one) !== source) {
      problems.push(`${name}: it has not the form of a conversation of ${importSourceNames[source]}`)
      continue
    }
    const found = source === 'chatgpt' ? chatgpt(one, problems) : claude(one, problems)
    if (found.length === 0) problems.push(`${name}: it has no messages with text`)
    conversations.push(...found)
  }
  return { ok: true, source, conversations, problems }
}

function sourceOf(value: unknown): ImportSource | null {
  if (!isFields(value)) return null
  if (isFields(value.mapping)) return 'chatgpt'
  return Array.isArray(value.chat_messages) ? 'claude' : null
}

function titleOf({ title, name }: Fields): string {
  const given = typeof title === 'string' ? title : typeof name === 'string' ? name : ''
  return given.replaceAll(/\s+/g, ' ').trim().slice(0, 200) || 'Untitled'
}

/** A tree of messages. The path to `current_node` is the conversation; every other leaf is a conversation of its own. */
function chatgpt(one: Fields, problems: string[]): readonly ImportedConversation[] {
  const mapping = isFields(one.mapping) ? one.mapping : {}
  const id = text(one.conversation_id) ?? text(one.id) ?? null
  const times = { created_at: seconds(one.create_time) ?? 0, updated_at: seconds(one.update_time) ?? seconds(one.create_time) ?? 0 }
  const parents = new Set(
    Object.values(mapping).flatMap((node) => (isFields(node) && typeof node.parent === 'string' ? [node.parent] : [])),
  )
  const leaves = Object.keys(mapping).filter((node) => !parents.has(node))
  const current = typeof one.current_node === 'string' && one.current_node in mapping ? one.current_node : (leaves.at(-1) ?? null)
  if (current === null) return []
  const ends = [current, ...leaves.filter((leaf) => leaf !== current)]
  if (ends.length > importLimits.branches + 1) {
    problems.push(`${titleOf(one)}: ${ends.length - importLimits.branches - 1} of its branches were left out`)
  }
  const seen = new Set<string>()
  const found: ImportedConversation[] = []
  for (const [index, end] of ends.slice(0, importLimits.branches + 1).entries()) {
    const messages = bounded(
      pathTo(mapping, end).flatMap((node) => chatgptMessage(node, times.created_at)),
      titleOf(one),
      problems,
    )
    const key = JSON.stringify(messages.map(({ role, text: said }) => [role, said]))
    // Leaves that differ only in parts without text are the same conversation.
    if (messages.length === 0 || seen.has(key)) continue
    seen.add(key)
    const title = index === 0 ? titleOf(one) : `${titleOf(one)} (branch ${found.length + 1})`
    const source_id = (id ?? identify(titleOf(one), times.created_at)).slice(0, 200)
    found.push({ source: 'chatgpt', source_id, ...leafOf(end), title, ...ordered(times, messages), messages })
  }
  return found
}

function leafOf(end: string): { readonly leaf_id?: string } {
  return end.trim() === '' ? {} : { leaf_id: end.slice(0, 200) }
}

function pathTo(mapping: Fields, end: string): readonly Fields[] {
  const path: Fields[] = []
  const seen = new Set<string>()
  for (let at: unknown = end; typeof at === 'string' && !seen.has(at); ) {
    seen.add(at)
    const node: unknown = mapping[at]
    if (!isFields(node)) break
    path.push(node)
    at = node.parent
  }
  return path.reverse()
}

function chatgptMessage(node: Fields, fallback: number): readonly ImportedMessage[] {
  const { message } = node
  if (!isFields(message) || !isFields(message.author) || !isFields(message.content)) return []
  const { role } = message.author
  if (role !== 'user' && role !== 'assistant') return []
  if (isFields(message.metadata) && message.metadata.is_visually_hidden_from_conversation === true) return []
  // What the assistant sends to a tool is not what it says.
  if (typeof message.recipient === 'string' && message.recipient !== 'all') return []
  const said = chatgptText(message.content)
  return said === '' ? [] : [{ role, text: said, created_at: seconds(message.create_time) ?? fallback }]
}

function chatgptText(content: Fields): string {
  const kind = content.content_type
  if (kind === 'code' && typeof content.text === 'string') return `\`\`\`\n${content.text}\n\`\`\``
  if (kind !== 'text' && kind !== 'multimodal_text') return ''
  const parts = Array.isArray(content.parts) ? content.parts : []
  return parts
    .map((part) => (typeof part === 'string' ? part : isFields(part) && part.content_type === 'image_asset_pointer' ? '[Image]' : ''))
    .filter((part) => part !== '')
    .join('\n\n')
    .trim()
}

function claude(one: Fields, problems: string[]): readonly ImportedConversation[] {
  const all = Array.isArray(one.chat_messages) ? one.chat_messages : []
  const times = { created_at: date(one.created_at) ?? 0, updated_at: date(one.updated_at) ?? date(one.created_at) ?? 0 }
  const messages = bounded(
    all.flatMap((message: unknown): readonly ImportedMessage[] => {
      if (!isFields(message) || (message.sender !== 'human' && message.sender !== 'assistant')) return []
      const said = claudeText(message)
      const role = message.sender === 'human' ? 'user' : 'assistant'
      return said === '' ? [] : [{ role, text: said, created_at: date(message.created_at) ?? times.created_at }]
    }),
    titleOf(one),
    problems,
  )
  if (messages.length === 0) return []
  const source_id = (text(one.uuid) ?? identify(titleOf(one), times.created_at)).slice(0, 200)
  return [{ source: 'claude', source_id, title: titleOf(one), ...ordered(times, messages), messages }]
}

/** The parts of newer exports, else the plain text of older ones; and the names of the files. */
function claudeText(message: Fields): string {
  const parts = Array.isArray(message.content) ? message.content : []
  const said = parts.flatMap((part) => (isFields(part) && part.type === 'text' && typeof part.text === 'string' ? [part.text] : []))
  const files = [...listOf(message.attachments), ...listOf(message.files)].flatMap((file) => text(file.file_name) ?? [])
  const whole = said.join('\n\n').trim() || (typeof message.text === 'string' ? message.text.trim() : '')
  return [whole, ...files.map((name) => `[File: ${name}]`)].filter((part) => part !== '').join('\n\n')
}

function bounded(all: readonly ImportedMessage[], title: string, problems: string[]): readonly ImportedMessage[] {
  const kept: ImportedMessage[] = []
  let characters = 0
  for (const message of all) {
    const said = message.text.slice(0, importLimits.characters).replaceAll('\0', '')
    if (said.trim() === '') continue
    if (message.text.length > importLimits.characters)
      problems.push(`${title}: a message was shortened to ${importLimits.characters} characters`)
    characters += said.length
    if (kept.length === importLimits.messages || characters > importLimits.conversation_characters) {
      problems.push(`${title}: its last ${all.length - kept.length} messages were left out, it is too long`)
      break
    }
    kept.push({ ...message, text: said })
  }
  return kept
}

/** Times that are missing or out of order do not change the order of the messages. */
function ordered(times: { readonly created_at: number; readonly updated_at: number }, messages: readonly ImportedMessage[]) {
  const created_at = times.created_at || messages[0]?.created_at || 0
  return { created_at, updated_at: Math.max(created_at, times.updated_at) }
}

/** For an export without ids. */
function identify(title: string, created_at: number): string {
  return `${created_at}:${title}`
}

function seconds(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 && value < 1e11 ? Math.round(value * 1_000) : null
}

/** Before the year 10000: later ones have no timestamp. */
const latest_ms = Date.UTC(9999, 11, 31)

function date(value: unknown): number | null {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isFinite(at) && at > 0 && at < latest_ms ? at : null
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : []
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
