// The rows near the view. It is rendered in almost every frame while the reader scrolls, so it does nothing else, and rows have no effects.
import type { Disclosure } from '@tandem/contract/card'
import { memo, useEffect, useLayoutEffect, useSyncExternalStore } from 'react'
import { CardView } from '../card/card.tsx'
import { TeamLine } from '../card/team-line.tsx'
import { useRuntimeClient } from '../client/use-client.ts'
import { SuggestionLine } from '../evolution/conversation/suggestion-line.tsx'
import { PolicyLine } from '../learning/conversation/policy-line.tsx'
import { ShownInContext } from '../markdown/image.tsx'
import { useStore } from '../store/store.ts'
import { isSameNews } from '../store/team-news.ts'
import type { ThreadPart } from '../store/thread.ts'
import { BranchSwitch } from './branch-switch.tsx'
import { MessageView, SystemMessage, TextView } from './message.tsx'
import { QueuedView } from './queued-view.tsx'
import type { Reading } from './use-reading.ts'
import type { Rows } from './use-rows.ts'

interface Props {
  readonly parts: readonly ThreadPart[]
  readonly rows: Rows
  readonly found: string | null
  /** How many rows are printed from the first on; null while nothing is printed. */
  readonly printed: number | null
  readonly reading: Reading
}

export const RowList = memo(function RowList({ parts, rows, found, printed, reading }: Props) {
  const { disclosures } = useRuntimeClient()
  useSyncExternalStore(disclosures.subscribe, disclosures.changes)
  const range = rows.rangeOf(useStore(rows.view, whole))
  const shown = printed === null ? parts.slice(range.first, range.end) : parts.slice(0, printed)
  useLayoutEffect(() => rows.rendered(range))
  useEffect(() => {
    for (const part of shown) if (part.kind === 'card') disclosures.track(part.card.card_id, part.card.run_id, part.state)
    reading.keepOnly(shown)
  })
  return (
    <>
      <div style={{ height: printed === null ? range.above : 0 }} />
      {shown.map((part) => (
        <Row
          key={part.id}
          part={part}
          isFound={part.id === found}
          disclosure={part.kind === 'card' ? disclosures.get(part.card.card_id, part.state) : null}
          measure={rows.measure}
        />
      ))}
      <div style={{ height: printed === null ? range.below : 0 }} />
    </>
  )
})

function whole<State>(state: State): State {
  return state
}

/** Rows without space above them. */
const closeKinds: ReadonlySet<ThreadPart['kind']> = new Set(['card', 'team', 'policy', 'suggestion'])

interface RowProps {
  readonly part: ThreadPart
  readonly isFound: boolean
  /** Of a card. */
  readonly disclosure: Disclosure | null
  readonly measure: Rows['measure']
}

const Row = memo(
  function Row({ part, isFound, disclosure, measure }: RowProps) {
    return (
      <div ref={measure} data-part={part.id} data-found={isFound || undefined} className={closeKinds.has(part.kind) ? 'row' : 'row pt-2'}>
        <ShownInContext value={part.id}>
          {part.kind === 'card' ? (
            disclosure && <CardView card={part.card} state={part.state} disclosure={disclosure} result={part.result} times={part.times} />
          ) : part.kind === 'message' ? (
            <MessageView message={part.message} />
          ) : part.kind === 'line' ? (
            <SystemMessage text={part.line.text} set_aside={part.line.set_aside} />
          ) : part.kind === 'team' ? (
            <TeamLine news={part.news} />
          ) : part.kind === 'policy' ? (
            <PolicyLine notice={part.notice} />
          ) : part.kind === 'suggestion' ? (
            <SuggestionLine suggestion={part.suggestion} />
          ) : part.kind === 'queued' ? (
            <QueuedView queued={part.queued} />
          ) : part.kind === 'fork' ? (
            <BranchSwitch fork={part.fork} />
          ) : (
            <TextView text={part.text} standing={part.status} />
          )}
        </ShownInContext>
      </div>
    )
  },
  (before, after) =>
    before.measure === after.measure &&
    before.isFound === after.isFound &&
    before.disclosure === after.disclosure &&
    isSame(before.part, after.part),
)

/** Parts are created again with each update; most are equal to the previous ones. */
function isSame(before: ThreadPart, after: ThreadPart): boolean {
  if (before === after) return true
  if (before.id !== after.id) return false
  if (before.kind === 'message' && after.kind === 'message') return before.message === after.message
  if (before.kind === 'card' && after.kind === 'card')
    return before.card === after.card && before.state === after.state && before.result === after.result && before.times === after.times
  if (before.kind === 'line' && after.kind === 'line')
    return before.line.text === after.line.text && before.line.set_aside === after.line.set_aside
  if (before.kind === 'team' && after.kind === 'team') return isSameNews(before.news, after.news)
  if (before.kind === 'policy' && after.kind === 'policy')
    return before.notice.undone === after.notice.undone && before.notice.title === after.notice.title
  if (before.kind === 'suggestion' && after.kind === 'suggestion')
    return before.suggestion.state === after.suggestion.state && before.suggestion.title === after.suggestion.title
  if (before.kind === 'queued' && after.kind === 'queued') return before.queued.text === after.queued.text
  if (before.kind === 'fork' && after.kind === 'fork')
    return before.fork.chosen === after.fork.chosen && before.fork.choices.join() === after.fork.choices.join()
  return before.kind === 'text' && after.kind === 'text' && before.text === after.text && before.status === after.status
}
