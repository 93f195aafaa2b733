// A list of what a server offers; each item opens to show more.
import type { ReactNode } from 'react'
import type { ReadRequest } from '../client/use-request.ts'
import { Fold } from '../part/fold.tsx'
import { Button } from '../part/form/button.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel, Section } from '../part/section.tsx'
import { mcpWords } from '../strings/mcp.ts'

interface Props<Item> {
  readonly words: { readonly title: string; readonly lead: string; readonly none: string }
  readonly reading: ReadRequest<readonly Item[]>
  /** Replaces the button that only reads the list again. */
  readonly refresh?: ReactNode
  keyOf(item: Item): string
  line(item: Item): ReactNode
  details(item: Item): ReactNode
}

export function OfferList<Item>({ words, reading, refresh, keyOf, line, details }: Props<Item>) {
  return (
    <Section title={words.title} lead={words.lead} aside={refresh ?? <Button onClick={reading.reload}>{mcpWords.toolList.refresh}</Button>}>
      <RequestResult reading={reading}>
        {(items) =>
          items.length === 0 ? (
            <p className="text-faint">{words.none}</p>
          ) : (
            <Panel className="overflow-hidden">
              {items.map((item) => (
                <Fold key={keyOf(item)} summary={line(item)}>
                  {() => details(item)}
                </Fold>
              ))}
            </Panel>
          )
        }
      </RequestResult>
    </Section>
  )
}
