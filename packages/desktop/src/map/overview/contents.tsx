// The way into the other pages, with how much each holds.
import { cardKinds } from '@tandem/contract/card'
import { commandNames } from '@tandem/contract/command'
import { eventNames } from '@tandem/contract/event'
import { routeTags } from '@tandem/contract/http'
import { entityTypeNames } from '@tandem/contract/sync'
import { builtinToolNames } from '@tandem/contract/tool'
import { followLink } from '../../address.ts'
import { Panel, Section } from '../../part/section.tsx'
import { strings } from '../../strings/map.ts'
import { type PageName, pageNames, pathOf } from '../page-name.ts'
import { tables } from '../states/tables.ts'

const counts: Record<Exclude<PageName, 'overview'>, number> = {
  states: tables.length,
  tools: builtinToolNames.length,
  commands: commandNames.length,
  events: eventNames.length,
  endpoints: routeTags.length,
  sync: entityTypeNames.length,
  cards: cardKinds.length,
}

export function Contents() {
  return (
    <Section title={strings.overview.contents}>
      <Panel className="overflow-hidden">
        <ul className="divide-y divide-line">
          {pageNames
            .filter((name) => name !== 'overview')
            .map((name) => (
              <li key={name}>
                <a
                  href={pathOf(name)}
                  onClick={followLink}
                  className="grid gap-x-6 px-5 py-3 hover:bg-sunken focus-visible:-outline-offset-2 sm:grid-cols-[8rem_minmax(0,1fr)_8rem] lg:px-6"
                >
                  <span className="font-medium">{strings.pages[name].name}</span>
                  <span className="text-soft">{strings.pages[name].lead}</span>
                  <span className="text-faint text-sm sm:text-right">{strings.overview.counted[name](counts[name])}</span>
                </a>
              </li>
            ))}
        </ul>
      </Panel>
    </Section>
  )
}
