import type { RuntimeEvent } from '@tandem/contract/event'

/** Whether every word occurs in the event's name, one of its ids, or its failure. */
export function matchesFilter(event: RuntimeEvent, text: string, only: 'all' | 'failures'): boolean {
  if (only === 'failures' && !event.failure_contract) return false
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return true
  const all = JSON.stringify(event).toLowerCase()
  return words.every((word) => all.includes(word))
}
