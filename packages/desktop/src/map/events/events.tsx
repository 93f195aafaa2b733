import { eventNames, events, isKeyFailureEvent } from '@tandem/contract/event'
import { eventPayloads } from '@tandem/contract/event/schema'
import { Badge } from '../../part/badge.tsx'
import { FilterBox, NothingMatches, useFilter } from '../../part/filter.tsx'
import { Fold } from '../../part/fold.tsx'
import { PageHeading } from '../../part/page-heading.tsx'
import { Panel } from '../../part/section.tsx'
import { strings } from '../../strings/map.ts'
import { Fields } from '../shape/fields.tsx'

export default function Events() {
  const filter = useFilter()
  const words = strings.events
  const shown = eventNames.filter((name) =>
    filter.shows(name, events[name].emitted, words.scopes[events[name].scope], isKeyFailureEvent(name) ? words.failure : ''),
  )
  return (
    <>
      <PageHeading {...strings.pages.events} />
      <FilterBox filter={filter} what={words.what} shown={shown.length} all={eventNames.length} />
      {shown.length === 0 ? (
        <NothingMatches filter={filter} />
      ) : (
        <Panel className="overflow-hidden">
          {shown.map((name) => (
            <Fold
              key={name}
              summary={
                <>
                  <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                    <code className="grow font-medium">{name}</code>
                    {isKeyFailureEvent(name) && (
                      <Badge tone="bad" title={words.failure_why}>
                        {words.failure}
                      </Badge>
                    )}
                    <Badge title={words.scope}>{words.scopes[events[name].scope]}</Badge>
                  </span>
                  <span className="block text-soft text-sm">
                    {words.emitted} {events[name].emitted}
                  </span>
                </>
              }
            >
              {() => <Fields title={words.data} shape={eventPayloads[name]} />}
            </Fold>
          ))}
        </Panel>
      )}
    </>
  )
}
