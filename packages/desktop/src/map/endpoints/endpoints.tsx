import { type Route, routeTags } from '@tandem/contract/http'
import { routes } from '@tandem/contract/http/schema'
import { FilterBox, NothingMatches, useFilter } from '../../part/filter.tsx'
import { PageHeading } from '../../part/page-heading.tsx'
import { Panel, Section } from '../../part/section.tsx'
import { strings } from '../../strings/map.ts'
import { Endpoint } from './endpoint.tsx'

const all: readonly Route[] = Object.values(routes)

export default function Endpoints() {
  const filter = useFilter()
  const shown = all.filter((route) => filter.shows(`${route.method} ${route.path}`, route.summary, route.tag, ...route.problems))
  return (
    <>
      <PageHeading {...strings.pages.endpoints} />
      <FilterBox filter={filter} what={strings.endpoints.what} shown={shown.length} all={all.length} />
      {shown.length === 0 && <NothingMatches filter={filter} />}
      {routeTags.map((tag) => {
        const group = shown.filter((route) => route.tag === tag)
        if (group.length === 0) return null
        return (
          <Section key={tag} title={tag} aside={<span className="text-faint text-sm">{group.length}</span>}>
            <Panel className="overflow-hidden">
              {group.map((route) => (
                <Endpoint key={route.id} route={route} />
              ))}
            </Panel>
          </Section>
        )
      })}
    </>
  )
}
