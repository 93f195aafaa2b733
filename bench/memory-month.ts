// How well the local rules extract memories from a scripted month: `node bench/memory-month.ts tuning|tuning-2|held-out|fourth|fifth|sixth [--show junk|missing|kinds]`.
// The fifth and the sixth month print figures only, so that no rule can be fitted to them.
import { type ExtractedMemory, extractMemories } from '../packages/runtime/src/memory/rule/extract/extract.ts'
import { type ExpectedItem, isMonth, loadMonth, type MonthMessage, unreadMonths } from './memory-month-data.ts'

interface Stored extends ExtractedMemory {
  readonly message: MonthMessage
  readonly words: string
}

const [half, show, what] = process.argv.slice(2)
if (!isMonth(half)) fail('usage: node bench/memory-month.ts tuning|tuning-2|held-out|fourth|fifth|sixth [--show junk|missing|kinds]')
if (show !== undefined && (show !== '--show' || !['junk', 'missing', 'kinds'].includes(what ?? '')))
  fail('--show needs junk, missing or kinds')
if (show !== undefined && unreadMonths.includes(half)) fail('this month prints figures only')

const { messages, expected, forbidden, secrets } = loadMonth(half)

const stored = messages.flatMap((message, index) => (message.author === 'person' ? memoriesOf(message, index) : []))
const required = expected.filter(({ optional }) => optional !== true)
const found = required.filter((item) => stored.some((memory) => matches(memory, item)))
const optional = stored.filter((memory) => {
  const items = expected.filter((item) => matches(memory, item))
  return items.length > 0 && items.every((item) => item.optional === true)
})
const junk = stored.filter(isJunk)
const matched = stored.flatMap((memory) => {
  const items = required.filter((item) => matches(memory, item))
  return items.length === 0 ? [] : [{ memory, items }]
})
const leaks = stored.filter(({ content, words }) => secrets.some((secret) => content.includes(secret) || words.includes(secret)))
const grave = ['tool', 'quoted', 'code', 'pasted', 'secret', 'agent_words']
const broken = forbidden.filter((one) => stored.some(({ content }) => content.toLowerCase().includes(one.text.toLowerCase())))

const kinds = [...new Set(expected.map(({ kind }) => kind))].sort()
print('messages by the person', messages.filter(({ author }) => author === 'person').length)
print('stored', stored.length)
print('required items stored', share(found.length, required.length))
for (const kind of kinds) {
  const of = (items: readonly ExpectedItem[]) => items.filter((item) => item.kind === kind).length
  print(`  ${kind}`, share(of(found), of(required)))
}
print('junk', share(junk.length, stored.length - optional.length))
print(
  'kind agrees',
  share(matched.filter(({ memory, items }) => items.some(({ kind }) => kind === memory.memory_kind)).length, matched.length),
)
print(
  'subject agrees',
  share(matched.filter(({ memory, items }) => items.some(({ about }) => about === memory.subject)).length, matched.length),
)
print('secrets stored', leaks.length)
print('forbidden stored (tool, quoted, code, pasted, secret, agent)', broken.filter(({ why }) => grave.includes(why)).length)
print('forbidden stored (others)', broken.filter(({ why }) => !grave.includes(why)).length)

if (show !== undefined) details()

function memoriesOf(message: MonthMessage, index: number): Stored[] {
  const before = messages
    .slice(0, index)
    .flatMap(({ conversation, author, text }) => (conversation === message.conversation && author !== 'tool' ? [{ author, text }] : []))
  const spoken = { text: message.text, workspace: message.workspace, at: message.at, before: before.slice(-6) }
  // What only changes something is not stored unless that is known; nothing is known here.
  const kept = extractMemories(spoken).filter(({ isTentative }) => !isTentative)
  return kept.map((memory) => ({ ...memory, message, words: message.text.slice(memory.quote.start, memory.quote.end) }))
}

function matches({ message, content, words }: Stored, item: ExpectedItem): boolean {
  const text = `${content}\n${words}`.toLowerCase()
  return (
    item.messages.includes(message.id) && item.contains.every((entry) => entry.split('|').some((word) => text.includes(word.toLowerCase())))
  )
}

/** Its message states nothing that is expected, or it has less than half of its words in common with each statement there. */
function isJunk(memory: Stored): boolean {
  const items = expected.filter((item) => item.messages.includes(memory.message.id))
  return !items.some((item) => matches(memory, item) || overlap(memory.content, item.statement) >= 0.5)
}

function overlap(left: string, right: string): number {
  const [one, other] = [contentWords(left), contentWords(right)]
  const common = [...one].filter((word) => other.has(word)).length
  return common / Math.max(1, Math.min(one.size, other.size))
}

function contentWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(words.filter((word) => word.length > 3 || /\d/.test(word)))
}

function details(): void {
  const missing = required.filter((item) => !found.includes(item))
  const textOf = (id: string | undefined) => messages.find((message) => message.id === id)?.text ?? ''
  if (what === 'junk')
    for (const { message, content, memory_kind, signals } of junk)
      process.stdout.write(`${message.id} ${memory_kind} ${content}\n    ${signals.join(', ')}\n`)
  if (what === 'missing')
    for (const item of missing)
      process.stdout.write(
        `${item.id} ${item.kind} [${item.contains.join(' & ')}] ${item.messages.join(' ')}: ${textOf(item.messages[0])}\n`,
      )
  if (what === 'kinds')
    for (const { memory, items } of matched)
      if (!items.some(({ kind }) => kind === memory.memory_kind))
        process.stdout.write(
          `${memory.message.id} ${memory.memory_kind} not ${items.map(({ kind }) => kind).join('/')}: ${memory.content}\n    ${memory.signals.join(', ')}\n`,
        )
}

function share(part: number, whole: number): string {
  return `${whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`} (${part} of ${whole})`
}

function print(name: string, value: string | number): void {
  process.stdout.write(`${name}: ${value}\n`)
}

function fail(reason: string): never {
  process.stderr.write(`${reason}\n`)
  process.exit(2)
}
