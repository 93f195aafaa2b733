import type { Card } from '@tandem/contract/card'
import { words } from '../strings/window.ts'
import { visibleSentence } from '../text/sentence.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'

export function McpStatusBody({ card }: { card: Extract<Card, { kind: 'McpStatus' }> }) {
  return (
    <div className="space-y-1">
      <p>{visibleText(card.name)}</p>
      {card.message !== null && <p className="text-soft">{visibleSentence(card.message)}</p>}
      <p className="text-faint text-sm">
        {card.heartbeat_at === null ? words.cards.noHeartbeat : words.cards.heartbeat(formatTime(card.heartbeat_at))}
      </p>
    </div>
  )
}
