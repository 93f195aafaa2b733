import type { Card } from '@tandem/contract/card'
import { pendingRetry } from '@tandem/contract/event'
import { useDesk, useWindow } from '../desk/use-desk.ts'
import { Button } from '../part/button.tsx'
import { isElsewhere } from '../store/open-run.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { PointsOfRun } from './points-of-run.tsx'

/** Reasons that only a person's word can end; the others have their own place to answer. */
const canGoOn: readonly unknown[] = ['user', 'crash', 'restore', 'model']

export function RunStatusBody({ card }: { card: Extract<Card, { kind: 'RunStatus' }> }) {
  const desk = useDesk()
  const run = useWindow((state) => state.runs.get(card.run_id))
  const isAway = useWindow((state) => isElsewhere(state, card))
  const { run_id } = card
  const retry = useWindow((state) =>
    pendingRetry(
      state.events.map(({ event }) => event),
      run_id,
    ),
  )
  const isOver = card.state !== 'running' && card.state !== 'paused'
  return (
    <div className="space-y-2 text-sm">
      <p className="break-words">{visibleText(card.title)}</p>
      {card.pause_reason !== null && <p className="text-soft">{words.cards.pause[card.pause_reason]}</p>}
      {card.state === 'running' && retry !== null && (
        <p role="status" className="break-words text-warn">
          {visibleText(retry)}
        </p>
      )}
      {run && (
        <p className="text-faint">
          {visibleText(run.model)} · {run.sandbox_mode} · {words.runs.turns(run.turns)} ·{' '}
          {words.runs.tokens(run.usage.input_tokens, run.usage.output_tokens)}
          {isAway && ` · ${words.cards.device(visibleText(card.device_id))}`}
        </p>
      )}
      {!isOver && !isAway && (
        <p className="flex flex-wrap gap-2">
          {canGoOn.includes(card.pause_reason) && (
            <Button onClick={() => desk.ask(words.doing.resume, 'resume_agent_run', { run_id })}>{words.cards.resume}</Button>
          )}
          {card.state === 'running' && (
            <Button onClick={() => desk.ask(words.doing.stop, 'agent_run_pause', { run_id })}>{words.cards.pauseRun}</Button>
          )}
          <Button onClick={() => desk.ask(words.doing.stop, 'agent_run_cancel', { run_id })}>{words.cards.stop}</Button>
        </p>
      )}
      <PointsOfRun run_id={run_id} />
    </div>
  )
}
