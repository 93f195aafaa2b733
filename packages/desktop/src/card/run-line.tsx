// One line about a run: its duration, its usage, and how to stop or undo it.
import type { Card } from '@tandem/contract/card'
import { followLink, restoreAddress } from '../address.ts'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { useNow } from '../part/use-now.ts'
import { isOnOtherDevice } from '../store/open-run.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'

type RunCard = Extract<Card, { kind: 'RunStatus' }>

export function RunLine({ card }: { card: RunCard }) {
  const run = useWindowState((state) => state.runs.get(card.run_id))
  if (!run) return visibleText(card.title)
  const { input_tokens, output_tokens } = run.usage
  return (
    <>
      <Elapsed since={run.started_at} until={card.state === 'running' ? null : (run.ended_at ?? run.updated_at)} />
      {input_tokens + output_tokens > 0 && ` · ${words.cards.used(input_tokens + output_tokens)}`}
      {card.pause_reason !== null && ` · ${words.cards.pause[card.pause_reason]}`}
    </>
  )
}

function Elapsed({ since, until }: { since: string; until: string | null }) {
  const now = useNow(until === null ? 'on' : 'off')
  const ms = (until === null ? now : Date.parse(until)) - Date.parse(since)
  return <span className="tabular-nums">{words.cards.elapsed(Math.max(0, Math.round(ms / 1_000)))}</span>
}

/** A running run can be stopped; afterwards everything it changed can be undone. */
export function RunActions({ card }: { card: RunCard }) {
  const client = useRuntimeClient()
  const { run_id, state } = card
  const isAway = useWindowState((window) => isOnOtherDevice(window, card))
  const first = useWindowState(({ journals }) => firstPoint(journals.get(run_id)?.cards ?? []))
  if (isAway) return null
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
