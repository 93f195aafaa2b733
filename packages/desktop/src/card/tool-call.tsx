// The parts of a call: its arguments, its output while it runs, why it was denied.
import { useWindowState } from '../client/use-client.ts'
import { JsonTree } from '../result/json-tree.tsx'
import { LongText } from '../result/long-text.tsx'
import { TerminalOutput } from '../result/terminal.tsx'
import { streamKey } from '../store/stream.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'

/** The output of a command so far. */
export function Progress({ call_id }: { call_id: string }) {
  const text = useWindowState((state) => state.streams.get(streamKey({ kind: 'progress', id: call_id }))?.text)
  return text === undefined ? null : <TerminalOutput text={text} />
}

/** The stage of a call before or after it runs. */
export function CallStatus({ call_id }: { call_id: string }) {
  const text = useWindowState((state) => state.streams.get(streamKey({ kind: 'status', id: call_id }))?.text)
  return text === undefined ? null : (
    <p role="status" data-call-status className="text-soft text-sm">
      {text}
    </p>
  )
}

export function Denial({ reason }: { reason: string | null }) {
  return <p className="text-warn">{reason ? words.cards.denied(visibleText(reason)) : words.cards.deniedPlain}</p>
}

/** A command is shown as it would be typed, everything else as a tree. */
export function Arguments({ text }: { text: string }) {
  const value = parsed(text)
  if (value === undefined) return <LongText text={text} />
  const command = commandIn(value)
  return command === null ? <JsonTree value={value} /> : <LongText text={`$ ${command}`} />
}

/** The most informative argument. */
export function argumentLine(text: string): string {
  const value = parsed(text)
  if (typeof value !== 'object' || value === null) return text.slice(0, 300)
  const fields = value as Record<string, unknown>
  const telling = ['command', 'path', 'from', 'url', 'query', 'pattern', 'title', 'question'].map((name) => fields[name])
  const first = telling.find((one) => typeof one === 'string') ?? titlesIn(value) ?? fieldsIn(fields)
  return String(first).split('\n', 1)[0]?.slice(0, 300) ?? ''
}

/** All of them, without the punctuation of JSON. */
function fieldsIn(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${textOf(value)}`)
    .join(', ')
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  const isPlain = Array.isArray(value) && value.every((one) => typeof one === 'string')
  return isPlain ? value.join(', ') : JSON.stringify(value)
}

/** Whether the arguments are only a command line. */
export function isCommand(text: string): boolean {
  return commandIn(parsed(text)) !== null
}

/** The titles in a list of todos. */
function titlesIn(value: object): string | null {
  const todos = 'todos' in value ? value.todos : null
  if (!Array.isArray(todos)) return null
  const titles = todos.flatMap((todo) => (typeof todo?.title === 'string' ? [todo.title] : []))
  return titles.length === 0 ? null : titles.join(', ').slice(0, 200)
}

function commandIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Object.keys(value).join() !== 'command') return null
  const { command } = value as { command: unknown }
  return typeof command === 'string' ? command : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The model did not write valid JSON: show its text unchanged.
    return undefined
  }
}
