// The citations in a text that are links.
import { createContext } from 'react'
import { passageAddress } from '../address.ts'
import { visibleText } from '../text/visible.ts'

export interface Citations {
  /** As they are shown, with their brackets. */
  readonly texts: ReadonlySet<string>
  addressOf(text: string): string | undefined
}

export const CitationsContext = createContext<Citations>({ texts: new Set(), addressOf: () => undefined })

interface ReturnedPassage {
  readonly citation: string
  readonly passage_id: string
}

/** Of the passages that were returned to a run. Two citations that look the same are not links: it is unknown which one is meant. */
export function citationsOf(passages: readonly ReturnedPassage[], run_id: string): Citations {
  const byText = Map.groupBy(passages, ({ citation }) => visibleText(citation))
  const addresses = new Map(
    [...byText].flatMap(([text, [first, ...others]]) =>
      first && others.every(({ passage_id }) => passage_id === first.passage_id)
        ? [[text, passageAddress(first.passage_id, run_id)] as const]
        : [],
    ),
  )
  return { texts: new Set(addresses.keys()), addressOf: (text) => addresses.get(text) }
}
