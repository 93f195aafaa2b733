import type { Card } from '@tandem/contract/card'
import { useWindow } from '../desk/use-desk.ts'
import { JsonTree } from '../result/json-tree.tsx'
import { titlesIn } from '../result/line.ts'
import { LongText } from '../result/long-text.tsx'
import { Screen } from '../result/terminal.tsx'
import { streamKey } from '../store/stream.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { TakeBack } from './take-back.tsx'

export function ToolCallBody({ card }: { card: Extract<Card, { kind: 'ToolCall' }> }) {
  const progress = useWindow((state) => state.streams.get(streamKey({ kind: 'progress', id: card.call_id }))?.text)
  return (
    <div className="space-y-2">
      <Arguments text={card.arguments} />
      {card.state === 'denied' && (
        <p className="text-warn">{card.denial_reason ? words.cards.denied(visibleText(card.denial_reason)) : words.cards.deniedPlain}</p>
      )}
      {card.checkpoint_id !== null && <TakeBack run_id={card.run_id} checkpoint_id={card.checkpoint_id} />}
      {progress !== undefined && card.state === 'running' && <Screen text={progress} />}
    </div>
  )
}

/** A command is shown as it would be typed; everything else as a tree. */
function Arguments({ text }: { text: string }) {
  const value = parsed(text)
  if (value === undefined) return <LongText text={text} />
  const command = commandIn(value)
  return command === null ? <JsonTree value={value} /> : <LongText text={`$ ${command}`} />
}

/** The one argument that says most. */
export function argumentLine(text: string): string {
  const value = parsed(text)
  if (typeof value !== 'object' || value === null) return text.slice(0, 300)
  const fields = value as Record<string, unknown>
  const telling = ['command', 'path', 'from', 'url', 'query', 'pattern', 'title', 'question'].map((name) => fields[name])
  const first = telling.find((one) => typeof one === 'string') ?? titlesIn(value) ?? text
  return String(first).split('\n', 1)[0]?.slice(0, 300) ?? ''
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
    // What the model wrote was no JSON: it is shown as it is.
    return undefined
  }
}
