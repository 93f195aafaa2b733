import { type CommandArea, commandAreas, commandErrorCodes, commandErrors, commandNames } from '@tandem/contract/command'
import { commands } from '@tandem/contract/command/schema'
import { FilterBox, NothingMatches, useFilter } from '../../part/filter.tsx'
import { Fold } from '../../part/fold.tsx'
import { PageHeading } from '../../part/page-heading.tsx'
import { Panel, Section } from '../../part/section.tsx'
import { strings } from '../../strings/map.ts'
import { Fields } from '../shape/fields.tsx'

const areas = Object.keys(commandAreas) as CommandArea[]

export default function Commands() {
  const filter = useFilter()
  const groups = areas
    .map((area) => ({ area, names: commandAreas[area].filter((name) => filter.shows(name, area, commands[name].summary)) }))
    .filter((group) => group.names.length > 0)
  const shown = groups.reduce((sum, group) => sum + group.names.length, 0)
  return (
    <>
      <PageHeading {...strings.pages.commands} />
      <FilterBox filter={filter} what={strings.commands.what} shown={shown} all={commandNames.length} />
      {shown === 0 && <NothingMatches filter={filter} />}
      {groups.map(({ area, names }) => (
        <Section key={area} title={area} aside={<span className="text-faint text-sm">{names.length}</span>}>
          <Panel className="overflow-hidden">
            {names.map((name) => (
              <Fold key={name} summary={<Summary name={name} text={commands[name].summary} />}>
                {() => (
                  <div className="grid gap-x-8 lg:grid-cols-2">
                    <Fields title={strings.commands.params} shape={commands[name].params} />
                    <Fields title={strings.commands.result} shape={commands[name].result} />
                  </div>
                )}
              </Fold>
            ))}
          </Panel>
        </Section>
      ))}
      <Refusals />
    </>
  )
}

function Summary({ name, text }: { name: string; text: string }) {
  return (
    <>
      <code className="font-medium">{name}</code>
      <span className="block text-soft text-sm">{text}</span>
    </>
  )
}

function Refusals() {
  return (
    <Section title={strings.commands.errors}>
      <Panel>
        <ul className="grid gap-x-8 gap-y-3 p-5 sm:grid-cols-2">
          {commandErrorCodes.map((code) => (
            <li key={code} className="text-sm">
              <code className="font-medium">{code}</code>
              <span className="block text-soft">
                {commandErrors[code].title}. {commandErrors[code].remedy}
              </span>
            </li>
          ))}
        </ul>
      </Panel>
    </Section>
  )
}
