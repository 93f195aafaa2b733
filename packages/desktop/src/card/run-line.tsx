// One line about a run: its duration, its usage, its memories, and how to stop or undo it.
import type { Card } from '@tandem/contract/card'
import { followLink, restoreAddress } from '../address.ts'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { Elapsed } from '../part/elapsed.tsx'
import { Icon } from '../part/icon.tsx'
import { isOnOtherDevice } from '../store/open-run.ts'
import { showMemoriesOf } from '../store/shown-memories.ts'
import { memoryWords } from '../strings/memory.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { RunCost } from './run-cost.tsx'

type RunCard = Extract<Card, { kind: 'RunStatus' }>

export function RunLine({ card }: { card: RunCard }) {
  const run = useWindowState((state) => state.runs.get(card.run_id))
  if (!run) return visibleText(card.title)
  const { input_tokens, output_tokens } = run.usage
  return (
    <>
      <Elapsed since={run.started_at} until={card.state === 'running' ? null : (run.ended_at ?? run.updated_at)} />
      {input_tokens + output_tokens > 0 && <span className="max-lg:hidden"> · {words.cards.used(input_tokens + output_tokens)}</span>}
      {input_tokens + output_tokens > 0 && <RunCost run_id={card.run_id} tokens={input_tokens + output_tokens} />}
      {card.pause_reason !== null && ` · ${words.cards.pause[card.pause_reason]}`}
    </>
  )
}

/** The memories in its prompt can be corrected. A running run can be stopped; afterwards everything it changed can be undone. */
export function RunActions({ card }: { card: RunCard }) {
  // Null for a run of another device, where its memories are.
  const memories = useWindowState((window) => (isOnOtherDevice(window, card) ? null : (window.runs.get(card.run_id)?.memories_used ?? 0)))
  if (memories === null) return null
  return (
    <>
      {memories > 0 && <UsedMemories run_id={card.run_id} count={memories} />}
      <StopOrUndo card={card} />
    </>
  )
}

function UsedMemories({ run_id, count }: { run_id: string; count: number }) {
  const label = memoryWords.used.title(count)
  return (
    <button type="button" aria-haspopup="dialog" aria-label={label} onClick={() => showMemoriesOf(run_id)} className="link-button">
      <span className="max-sm:hidden">{label}</span>
      <span className="flex items-center gap-0.5 sm:hidden">
        <Icon name="memory" size={13} />
        {count}
      </span>
    </button>
  )
}

function StopOrUndo({ card: { run_id, state } }: { card: RunCard }) {
  const client = useRuntimeClient()
  const first = useWindowState(({ journals }) => firstPoint(journals.get(run_id)?.cards ?? []))
  if (state === 'running') {
    return (
      <button type="button" onClick={() => client.call(words.doing.stop, 'agent_run_cancel', { run_id })} className="link-button">
        {words.cards.stop}
      </button>
    )
  }
  if (first === null) return null
  return (
    <a href={restoreAddress(run_id, first)} onClick={followLink} className="link-button">
      {words.cards.undo}
    </a>
  )
}

/** The recovery point before the first change that was not undone. */
function firstPoint(cards: readonly Card[]): string | null {
  const call = cards.find((card) => card.kind === 'ToolCall' && !card.set_aside && card.checkpoint_id !== null)
  return call?.kind === 'ToolCall' ? call.checkpoint_id : null
}
