import { words } from '../strings/window.ts'
import { useNow } from './use-now.ts'

/** How long something takes, or took. Counts while `until` is null. */
export function Elapsed({ since, until }: { since: string; until: string | null }) {
  const now = useNow(until === null ? 'on' : 'off')
  const ms = (until === null ? now : Date.parse(until)) - Date.parse(since)
  return <span className="tabular-nums">{words.cards.elapsed(Math.max(0, Math.round(ms / 1_000)))}</span>
}
