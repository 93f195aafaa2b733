import type { Card } from '@tandem/contract/card'
import { callToRetry, type PendingRetry, pendingRetry } from '@tandem/contract/event'
import { conversationAddress, followLink, teamAddress } from '../address.ts'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { useDeviceName } from '../client/use-device-name.ts'
import { goToModel } from '../part/composer-focus.ts'
import { Button } from '../part/form/button.tsx'
import { useNow } from '../part/use-now.ts'
import { isOnOtherDevice } from '../store/open-run.ts'
import { teamOf } from '../store/team.ts'
import { teamWords } from '../strings/team.ts'
import { words } from '../strings/window.ts'
import { visibleName } from '../text/name.ts'
import { visibleText } from '../text/visible.ts'
import { canBeWorkflow, MakeWorkflow } from './make-workflow.tsx'
import { RunCost } from './run-cost.tsx'
import { TimelineLink } from './timeline-link.tsx'

/** Pause reasons that only the user can end here; the others have their own controls. */
const canGoOn: readonly unknown[] = ['user', 'crash', 'restore', 'model']

type StatusCard = Extract<Card, { kind: 'RunStatus' }>

export function RunStatusBody({ card }: { card: StatusCard }) {
  const client = useRuntimeClient()
  const run = useWindowState((state) => state.runs.get(card.run_id))
  const isAway = useWindowState((state) => isOnOtherDevice(state, card))
  const { run_id } = card
  const toRetry = useWindowState((state) => callToRetry(state.events, run_id))
  const isInTeam = useWindowState((state) => (teamOf(state, run_id)?.members.length ?? 0) > 1)
  const isOver = card.state !== 'running' && card.state !== 'paused'
  return (
    <div className="space-y-2 text-sm">
      <p className="break-words">{visibleText(card.title)}</p>
      {card.state === 'running' && toRetry !== null && <Retry {...pendingRetry(toRetry)} card={card} isAway={isAway} />}
      {card.pause_reason !== null && (
        <p className="text-soft">{run?.retry_at ? words.cards.triesAgain(run.retry_at) : words.cards.pause[card.pause_reason]}</p>
      )}
      {run && (
        <p className="text-faint">
          {visibleText(run.model)} · {words.agents.sandboxModes[run.sandbox_mode]} · {words.runs.turns(run.turns)} ·{' '}
          {words.runs.tokens(run.usage.input_tokens, run.usage.output_tokens)}
          <RunCost run_id={run_id} tokens={run.usage.input_tokens + run.usage.output_tokens} />
          {isAway && <OtherDevice device_id={card.device_id} />}
        </p>
      )}
      {!isOver && !isAway && (
        <p className="flex flex-wrap gap-2">
          {canGoOn.includes(card.pause_reason) && (
            <Button onClick={() => client.call(words.doing.resume, 'resume_agent_run', { run_id })}>
              {card.pause_reason === 'model' ? words.cards.retryNow : words.cards.resume}
            </Button>
          )}
          {card.pause_reason === 'model' && <ChangeModel card={card} />}
          {card.state === 'running' && (
            <Button onClick={() => client.call(words.doing.pause, 'agent_run_pause', { run_id })}>{words.cards.pauseRun}</Button>
          )}
          {card.state === 'paused' && (
            <Button onClick={() => client.call(words.doing.stop, 'agent_run_cancel', { run_id })}>{words.cards.stop}</Button>
          )}
        </p>
      )}
      {(isInTeam || card.pause_reason === 'budget') && (
        <p>
          <a href={teamAddress(run_id)} onClick={followLink} className="text-cloud underline underline-offset-4">
            {card.pause_reason === 'budget' ? teamWords.budget.raise : teamWords.open}
          </a>
        </p>
      )}
      <TimelineLink run_id={run_id} />
      {!isAway && canBeWorkflow(card) && (
        <p>
          <MakeWorkflow run_id={run_id} title={visibleText(card.title)} />
        </p>
      )}
    </div>
  )
}

/** The model is called again automatically, or immediately if the user asks: then the run is paused and resumed. */
function Retry({ card, isAway, message, attempt, at }: PendingRetry & { card: StatusCard; isAway: boolean }) {
  const client = useRuntimeClient()
  const seconds = Math.max(0, Math.ceil((at - useNow('on')) / 1_000))
  const { run_id } = card
  const retry = async () => {
    const paused = await client.call(words.doing.resume, 'agent_run_pause', { run_id })
    if (paused.ok) await client.call(words.doing.resume, 'resume_agent_run', { run_id })
  }
  return (
    <div className="space-y-2">
      <p role="status" className="break-words text-warn">
        {visibleText(words.cards.notAnswered(message))}
      </p>
      <p className="flex flex-wrap items-center gap-2">
        <span className="text-soft tabular-nums">{words.cards.retryIn(seconds, attempt)}</span>
        {!isAway && seconds > 0 && <Button onClick={retry}>{words.cards.retryNow}</Button>}
        {!isAway && <ChangeModel card={card} />}
      </p>
    </div>
  )
}

/** A run keeps its model. The next one knows that it was stopped, and continues with the model that is chosen now. */
function ChangeModel({ card }: { card: StatusCard }) {
  const client = useRuntimeClient()
  const change = async () => {
    const { run_id } = card
    const stopped = await client.call(words.doing.stop, 'agent_run_cancel', { run_id, reason: 'continued with another model' })
    if (stopped.ok) goToModel(conversationAddress(card.conversation_id))
  }
  return <Button onClick={change}>{words.cards.changeModel}</Button>
}

function OtherDevice({ device_id }: { device_id: string }) {
  const name = useDeviceName(device_id)
  return ` · ${words.cards.device(visibleName(name ?? device_id))}`
}
