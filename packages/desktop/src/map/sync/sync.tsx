import { entityTypeNames, entityTypes, mergeRuleNames } from '@tandem/contract/sync'
import { PageHeading } from '../../part/page-heading.tsx'
import { Panel, Section } from '../../part/section.tsx'
import { strings } from '../../strings/map.ts'
import { Playground } from './playground.tsx'

export default function Sync() {
  return (
    <>
      <PageHeading {...strings.pages.sync} />
      <div className="mb-10 grid gap-4 md:grid-cols-3">
        {mergeRuleNames.map((rule) => (
          <Panel key={rule} className="p-5">
            <h2 className="font-medium">{strings.sync.rules[rule].title}</h2>
            <p className="mb-3 text-soft text-sm">{strings.sync.rules[rule].lead}</p>
            <ul className="space-y-1">
              {entityTypeNames
                .filter((name) => entityTypes[name] === rule)
                .map((name) => (
                  <li key={name}>
                    <code>{name}</code>
                  </li>
                ))}
            </ul>
          </Panel>
        ))}
      </div>
      <Section title={strings.sync.playground} lead={strings.sync.playground_lead}>
        <Playground />
      </Section>
    </>
  )
}
